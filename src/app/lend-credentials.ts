/** Says what a git call is lent that the user's own credential helpers did not get in. */
import { type ForgeTokens, type HostNames, hostTokens } from "../domain/forge/token-hosts.ts";
import type { LentCredentials } from "../git/git-environment.ts";
import { LENT_TOKENS } from "./credential-entry.ts";
import { which } from "./probe.ts";

/** To be asked for each call, since `gh` may be installed meanwhile. Null where there is nothing to lend. */
export function createLender(
  tokens: ForgeTokens,
  names: HostNames,
  { selfCommand }: { readonly selfCommand: readonly string[] },
): () => LentCredentials | null {
  const lent = hostTokens(tokens, names);
  const helper = `!${[...selfCommand, "__credential"].map(quoted).join(" ")}`;
  const path = names.env.PATH ?? "";
  return () => {
    const isProgramThere = ["gh", "glab"].some((program) => which(program, path) !== null);
    if (lent.length === 0 && !isProgramThere) return null;
    return { helper, env: { [LENT_TOKENS]: JSON.stringify(lent) } };
  };
}

/** For the shell that git gives it to, which adds the action. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
