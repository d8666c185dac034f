/** Writes the guard's scripts: a `git` that asks our own program, then becomes the real one, and what keeps it in front of the PATH. */

export interface ShimOptions {
  /** Program and first arguments that start our own program. */
  readonly selfCommand: readonly string[];
  /** Absolute: the directory of objects and refs that only Tazuna writes. */
  readonly commonDir: string;
  /** Absolute: the folder that the script lies in. */
  readonly folder: string;
}

/**
 * A script, and not our program itself, since the real git takes its place: with the streams, the terminal, the signals and
 * the exit code of the call. What it guards stands in it, so that it holds in an environment that was cleaned, too.
 */
export function shimText({ selfCommand, commonDir, folder }: ShimOptions): string {
  const ask = [...selfCommand, "__git", commonDir, folder].map(quoted).join(" ");
  return `#!/bin/sh
# Tazuna's guard: git that reads, and git on other repositories, goes through; what writes this one is refused.
TAZUNA_GUARD_TURNS=x\${TAZUNA_GUARD_TURNS-}
export TAZUNA_GUARD_TURNS
real=$(BUN_OPTIONS= BUN_INSPECT= ${ask} "$@" </dev/null) || exit
exec "\${real%x}" "$@"
`;
}

/**
 * What bash reads before it runs a command (`BASH_ENV`): the files of a login shell, which many agents start for each of their
 * commands, set the PATH anew. `before` is the file that the user has there; null for none.
 */
export function bashEnvText({
  folder,
  before,
}: {
  readonly folder: string;
  readonly before: string | null;
}): string {
  const own = before === null ? "" : `[ -r ${quoted(before)} ] && . ${quoted(before)}\n`;
  const first = quoted(folder);
  return `# Tazuna's guard stays in front of the PATH.\n${own}case $PATH in ${first}:*) ;; *) PATH=${first}:$PATH ;; esac\n`;
}

/** One word of the shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
