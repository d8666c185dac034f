/** Asks the real git about the repository of a call, in the environment and folder of that call. */
import { exec } from "../utils/exec.ts";

/** Git's output without the last line break. Null if git failed, as outside of any repository. */
export type AskGit = (words: readonly string[]) => Promise<string | null>;

export interface GitSurroundings {
  readonly git: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Without a time limit: a late answer must not count as no answer. */
export function askingGit({ git, cwd, env }: GitSurroundings): AskGit {
  return async (words) => {
    const end = await exec([git, ...words], { cwd, env });
    return end.started && end.code === 0 ? end.stdout.replace(/\n$/, "") : null;
  };
}
