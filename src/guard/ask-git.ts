/** Asks the real git about the repository that a call is about, in the surroundings of that call. */
import { exec } from "../utils/exec.ts";

/** What git printed, without the last line break; null where it ended badly, as outside of any repository. */
export type AskGit = (words: readonly string[]) => Promise<string | null>;

export interface GitSurroundings {
  readonly git: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Without a time limit: an answer that does not come must not count as none. */
export function askingGit({ git, cwd, env }: GitSurroundings): AskGit {
  return async (words) => {
    const end = await exec([git, ...words], { cwd, env });
    return end.started && end.code === 0 ? end.stdout.replace(/\n$/, "") : null;
  };
}
