/** Is the process that the guard's `git` asks first: `tazuna __git COMMON_DIR FOLDER [WORD...]`. */
import { writeSync } from "node:fs";
import { guardGit } from "../guard/guard-git.ts";

/** Answers the exit code; 0 with the path of the real git on stdout, and an `x` behind it, where the call may go on. */
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
