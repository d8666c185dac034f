/** Defines the tool `git_command`: one git command, judged before it runs (seed 002). */
import { defineTool } from "../../core/tool.ts";
import { GIT_COMMAND_TOOL_DEFINITION } from "./definition.ts";
import { GIT_COMMAND_CODES } from "./error.ts";
import { gitCommand as runGitCommand } from "./usecase.ts";
import { gitCommandInput, gitCommandOutput } from "./validator.ts";

export const gitCommandTool = defineTool({
  definition: GIT_COMMAND_TOOL_DEFINITION,
  title: "Git command",
  input: gitCommandInput,
  output: gitCommandOutput,
  effect: "decides",
  hints: { destructive: true, idempotent: false, openWorld: true },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  codes: GIT_COMMAND_CODES,
  notes: [
    "A non-zero exit of git is an answer, not an error. `output` and `stderr` are cut at 200,000 characters each.",
    "It may take 60 seconds, 120 if it talks to a remote. Then it is stopped, `exit_code` is 124 and `meta.timed_out` is true.",
    "Hooks, signatures, pagers, editors, credential helpers and the system's configuration are off. `gitExtras` of the context turns hooks and the user's own credential helper on. A commit needs its message as an argument. The user's own configuration (`~/.gitconfig`) counts, ssh keys of an agent too.",
    "No repository is named by a path or by `file:` (`UNSAFE_URL`), unless `localRepositories` of the context grants that path. A configured remote on this machine is used if all that git would open lies outside of the workspace. `.git` files, `commondir`, alternates and links are followed. Submodules come by https and ssh.",
    "Filters, merge drivers and other programs that the repository itself configures are refused by name. Those of the user's own configuration run, and so does Git LFS as it is installed.",
    "What a partial clone has not fetched stays unfetched. A call that needs it fails and may leave files half changed. `fetch --refetch --no-filter` brings all of it.",
    "Git LFS sends its files to a remote by a hook, so `push` sends them only if hooks run.",
    "`parsed` comes from a second run of the same call in a form for machines. It may see a later state than `output`. If that is longer than 1,000,000 characters, it holds the first records and `truncated` is true.",
    "`shortlog` without a revision means HEAD. If git is read-only, a call that reads leaves the index as it is.",
    "A workspace may be a folder of a larger repository. Git takes some relative paths from the top of that one (`blame --contents`, `notes -F`). Such a path is refused if it lies outside of the workspace; an absolute path is clear.",
    "`DESTRUCTIVE_BLOCKED` refuses a merge, pull, rebase, cherry-pick, revert or stash that would write over an ignored file. It names the path, and nothing is changed. For that a pull fetches first, and again as it runs. What is pushed in between is not looked at. `checkout` and `switch` get an option with which git refuses. Elsewhere (`bisect`, `am -3`, `submodule update`) git's own refusal stands: it keeps untracked files, not ignored ones.",
    "`apply --reject` and `am --reject` write over files `.rej`, so they need `allow_destructive`. `worktree remove NAME` finds worktrees of the workspace only.",
    "Variables of the caller are not handed on. Exceptions are PATH, HOME and a few more that say where things are.",
    "The tool looks at the repository before git does. In the instant between, another process could change it. A sandbox prevents that, this tool does not.",
  ],
  async run(input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const { subcommand, args, allow_destructive: allowDestructive } = input;
    const ran = await runGitCommand({ ...options, context, cwd, subcommand, args, allowDestructive });
    return ran.match(
      (answer) => answer,
      (refusal) => refusal,
    );
  },
});
