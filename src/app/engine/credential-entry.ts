/** Runs the credential helper that Tazuna lends to one git call: `tazuna __credential get`. */
import type { HostToken } from "../../domain/forge/token-hosts.ts";
import { answerCredential } from "../../git/remote/answer-credential.ts";

/** Holds the tokens as JSON, in the environment of that call alone. */
export const LENT_TOKENS = "TAZUNA_LENT_TOKENS";

/** Prints the answer. `store` and `erase` are accepted and do nothing: lent tokens are not kept. */
export async function runCredentialEntry([action]: readonly string[]): Promise<number> {
  if (action !== "get") return 0;
  const { [LENT_TOKENS]: lent = "[]", ...env } = process.env;
  const answer = await answerCredential({
    request: await Bun.stdin.text(),
    env: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    tokens: JSON.parse(lent) as HostToken[],
  });
  await Bun.write(Bun.stdout, answer);
  return 0;
}
