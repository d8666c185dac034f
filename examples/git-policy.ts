/** Asks how a call of git would be judged, without running it. */
import { checkGitCommand } from "tazuna";

const workspaceRoot = process.cwd();

for (const [subcommand = "", ...args] of [
  ["log", "--oneline", "-5"],
  ["commit", "-m", "reset --hard is bad"],
  ["push", "--force"],
  ["config", "core.hooksPath", "/tmp"],
]) {
  const { allowed, code, message } = checkGitCommand(subcommand, args, { workspaceRoot });
  console.log(allowed ? `git ${subcommand}: allowed` : `git ${subcommand}: ${code}. ${message}`);
}
