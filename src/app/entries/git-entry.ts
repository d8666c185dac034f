/** Answers the guard's `git`, which asks before each call: `tazuna __git COMMON_DIR FOLDER [WORD...]`. */
import { writeSync } from "node:fs";
import { guardGit } from "../../guard/guard-git.ts";

/**
 * Answers the exit code. It is 0 if the call may go on. Then stdout has the path of the real git, followed by an `x`.
 */
export async function runGitEntry([
  commonDir = "",
  folder = "",
  ...words
]: readonly string[]): Promise<number> {
  const answer = await guardGit({ commonDir, folder, words, cwd: workingFolder(), env: process.env });
  if (answer.kind === "pass") {
    writeSync(1, `${answer.git}x`);
    return 0;
  }
  writeSync(2, answer.message);
  return answer.code;
}

function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
