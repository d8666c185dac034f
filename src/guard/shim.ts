/** Writes the guard's scripts: a `git` that asks our program, and a file that keeps it first on the PATH. */

interface ShimOptions {
  /** Program and first arguments that start our own program. */
  readonly selfCommand: readonly string[];
  /** Absolute: the directory of objects and refs that only Tazuna writes. */
  readonly commonDir: string;
  /** Absolute: the folder of the script. */
  readonly folder: string;
}

/**
 * A script, and not our program itself, because the real git replaces it (`exec`). So git has the streams, the
 * terminal, the signals and the exit code of the call. The script contains what it guards, so it also works in a
 * cleared environment.
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
 * The file that bash reads before it runs a command (`BASH_ENV`). Many agents start a login shell for each command,
 * and its files set the PATH anew. `before` is the user's own such file; null for none.
 */
export function bashEnvText({
  folder,
  before,
}: {
  readonly folder: string;
  readonly before: string | null;
}): string {
  const sourceLine = before === null ? "" : `[ -r ${quoted(before)} ] && . ${quoted(before)}\n`;
  const first = quoted(folder);
  return `# Tazuna's guard stays in front of the PATH.\n${sourceLine}case $PATH in ${first}:*) ;; *) PATH=${first}:$PATH ;; esac\n`;
}

/** Quotes any text as one word of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
