/** Finds the token for a forge's API: the logins of `gh` and `glab`, then the environment (ADR 0025). */
import { type ForgeTokens, gitPlaceOf, type HostNames, hostTokens } from "../../domain/forge/token-hosts.ts";
import { answerCredential } from "../../git/remote/answer-credential.ts";

/** Tokens, and their environment, which alone decides to which host they may go. */
interface Purse {
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: ForgeTokens;
}

/** Asked at each call, since a login may change; null if none is known for that host. The first purse counts first. */
export function createForgeToken(
  purses: readonly Purse[],
  forge: HostNames["forge"],
): (apiUrl: string) => Promise<string | null> {
  return async (apiUrl) => {
    const place = gitPlaceOf(apiUrl);
    if (place === null) return null;
    const request = `protocol=${place.protocol}\nhost=${place.host}\n\n`;
    for (const { env, tokens } of purses) {
      const answer = await answerCredential({ request, env, tokens: hostTokens(tokens, { env, forge }) });
      const password = /^password=(.+)$/m.exec(answer)?.[1];
      if (password !== undefined) return password;
    }
    return null;
  };
}
