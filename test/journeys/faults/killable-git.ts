/** Puts a git on the engine's PATH that is killed at one call, before or after the real git's work. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { Product } from "../../helpers/product.ts";

export interface KillAt {
  /**
   * Which of the engine's calls: the 12th of all (`12`), or the first that matches a shell pattern (`* commit *`).
   */
  readonly call: string;
  /** Whether the real git has done its work by then; its answer counts for nothing either way. */
  readonly when: "before" | "after";
}

export interface KillableGit {
  /** For the command that starts the engine. */
  readonly env: { readonly PATH: string };
  /** The words of the call that was killed; null if it never came to it. */
  killed(): Promise<string | null>;
}

/**
 * Only the engine's own calls count, which carry its mark. What a git starts itself it finds in git's own folder.
 * Each takes the next free number by making the file of that name. Only one of several can.
 */
const SCRIPT = `#!/bin/sh
call='{call}'
if [ -n "$TAZUNA_GIT" ] && [ ! -e '{folder}/killed' ]; then
  number=1; set -C
  until true > "{folder}/$number"; do number=$((number + 1)); done 2> /dev/null
  case "$number" in $call) hit=1 ;; esac
  case "$*" in $call) hit=1 ;; esac
  if [ -n "$hit" ] && echo "$*" > '{folder}/killed'; then
    [ {when} = before ] || '{git}' "$@"
    kill -9 $$
  fi
fi
exec '{git}' "$@"
`;

export async function killableGit(product: Product, { call, when }: KillAt): Promise<KillableGit> {
  const folder = join(dirname(product.home), "gits");
  await mkdir(join(folder, "bin"), { recursive: true });
  const values = { call, when, folder, git: Bun.which("git") ?? "git" };
  const script = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, value),
    SCRIPT,
  );
  await writeFile(join(folder, "bin", "git"), script);
  await chmod(join(folder, "bin", "git"), 0o755);
  return {
    env: { PATH: [join(folder, "bin"), product.env.PATH].join(delimiter) },
    killed: async () => (await readFile(join(folder, "killed"), "utf8").catch(() => null))?.trim() ?? null,
  };
}
