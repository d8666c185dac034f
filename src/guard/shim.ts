/** Writes the guard's `git`: a shell script that asks our own program, then becomes the real git. */

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

/** One word of the shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
