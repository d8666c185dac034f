/** Finds the token for a forge's API: logins of `gh` and `glab`, the environment, git's own helpers (ADR 0025). */
import { type ForgeTokens, gitPlaceOf, type HostNames, hostTokens } from "../../domain/forge/token-hosts.ts";
import { answerCredential, fieldsOf } from "../../git/remote/answer-credential.ts";
import { storedCredential } from "../../git/remote/stored-credential.ts";

/** Tokens, and their environment, which alone decides to which host they may go. */
interface Purse {
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: ForgeTokens;
}

/** How long an answer holds: one look asks a forge several times, and each answer takes a program. */
const FRESH_MS = 30_000;

/** Null if none is known for that host. The first purse counts first. Kept in memory only, and not for long. */
export function createForgeToken(
  purses: readonly Purse[],
  forge: () => HostNames["forge"],
): (apiUrl: string) => Promise<string | null> {
  const known = new Map<string, { readonly token: Promise<string | null>; readonly at: number }>();
  return async (apiUrl) => {
    const before = known.get(apiUrl);
    if (before !== undefined && performance.now() - before.at < FRESH_MS) return before.token;
    const token = findToken(purses, forge(), apiUrl);
    known.set(apiUrl, { token, at: performance.now() });
    // Somebody may log in at once.
    if ((await token.catch(() => null)) === null) known.delete(apiUrl);
    return token;
  };
}

async function findToken(
  purses: readonly Purse[],
  forge: HostNames["forge"],
  apiUrl: string,
): Promise<string | null> {
  const place = gitPlaceOf(apiUrl);
  if (place === null) return null;
  const request = `protocol=${place.protocol}\nhost=${place.host}\n\n`;
  for (const { env, tokens } of purses) {
    const answer = await answerCredential({ request, env, tokens: hostTokens(tokens, { env, forge }) });
    const { password } = fieldsOf(answer);
    if (password) return password;
  }
  for (const { env } of purses) {
    const password = await storedCredential(env, place);
    if (password !== null) return password;
  }
  return null;
}
