/** Decides what a git call is lent if the user's own credential helpers gave it no access. */
import { type ForgeTokens, type HostNames, hostTokens } from "../../domain/forge/token-hosts.ts";
import type { LentCredentials } from "../../git/process/git-environment.ts";
import { LENT_TOKENS } from "./credential-entry.ts";
import { which } from "./probe.ts";

/** Tokens, and their environment, which alone decides to which host they may go. */
interface Purse {
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: ForgeTokens;
}

/**
 * Asked before each call, since `gh` may be installed meanwhile. Null if there is nothing to lend. If several purses
 * serve one host, the first counts. Programs are looked for on the PATH of the first.
 */
export function createLender(
  purses: readonly [Purse, ...Purse[]],
  {
    selfCommand,
    forge,
  }: { readonly selfCommand: readonly string[]; readonly forge: () => HostNames["forge"] },
): () => LentCredentials | null {
  const helper = `!${[...selfCommand, "__credential"].map(quoted).join(" ")}`;
  const path = purses[0].env.PATH ?? "";
  return () => {
    const names = forge();
    const lent = purses.flatMap(({ env, tokens }) => hostTokens(tokens, { env, forge: names }));
    const isProgramThere = ["gh", "glab"].some((program) => which(program, path) !== null);
    if (lent.length === 0 && !isProgramThere) return null;
    return { helper, env: { [LENT_TOKENS]: JSON.stringify(lent) } };
  };
}

/** Quotes a word for the shell that git gives it to; git adds the action. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
