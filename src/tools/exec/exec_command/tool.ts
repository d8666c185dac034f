/** Defines the tool `exec_command`: one command in the workspace, once, without a terminal (seed 001 §8). */
import { isAbsolute } from "node:path";
import type { Result } from "neverthrow";
import type { Environment } from "../../../utils/exec.ts";
import { sandboxOf, type ToolContext } from "../../core/context.ts";
import { success, type ToolRefusal } from "../../core/result.ts";
import { type CallOptions, defineTool } from "../../core/tool.ts";
import { EXEC_COMMAND_TOOL_DEFINITION } from "./definition.ts";
import { EXEC_COMMAND_CODES } from "./error.ts";
import { runCommand } from "./usecase.ts";
import { execCommandInput, execCommandOutput } from "./validator.ts";

/**
 * Judges a command before it starts. Returns the command to run instead, null to run it unchanged, or why it is
 * refused.
 */
type CommandGuard = (
  command: readonly string[],
  options: CallOptions & {
    readonly context: ToolContext;
    readonly cwd: string;
    readonly stdin: string | null;
  },
) => Promise<Result<GuardedCommand | null, ToolRefusal>>;

interface GuardedCommand {
  readonly command: readonly string[];
  readonly env: Environment;
  /** Runs it with variables that hold for this run alone. */
  readonly lend: <T>(run: (more: Environment) => Promise<T>) => Promise<T>;
}

/** The guard is passed in: it knows git, and `exec_command` knows only programs. */
export const createExecCommandTool = (guard: CommandGuard) =>
  defineTool({
    definition: EXEC_COMMAND_TOOL_DEFINITION,
    title: "Run a command",
    input: execCommandInput,
    output: execCommandOutput,
    effect: "executes",
    hints: { destructive: true, idempotent: false, openWorld: true },
    paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
    codes: EXEC_COMMAND_CODES,
    notes: [
      "It can run anything that the calling user can run. A sandbox limits what it may reach; this tool does not, and makes none. `meta.sandbox` names the sandbox that Tazuna made for the whole toolkit, such as `bubblewrap 0.8.0`, else it is `none`.",
      "`default` hands one quoted line to `sh -c` (macOS: `zsh -lc`, Windows: `pwsh.exe -NoLogo -NoProfile -Command`): no token is read as shell text. For pipes and patterns call a shell by name: `sh`, `-c`, and the text.",
      "A command that is not found gives exit code 127 in `default` mode, since the shell looks for it. In `direct` mode it gives `COMMAND_NOT_FOUND`.",
      "At the time limit and half a second of grace the call is over. `exit_code` is 124, with the output so far. Every process that descends from the command is stopped then. That includes those in sessions of their own, and those with the mark `TAZUNA_EXEC` in their environment. Only one that left its parents and its session and wiped its environment before cannot be found.",
      "A command that ends and leaves processes behind has not timed out: they are stopped, and `meta.stopped_background` counts them. `spawn_service` is for those that should live.",
      "A character is a UTF-16 unit; bytes that are no UTF-8 become U+FFFD. If output is cut, the rest is read and dropped, so that the command ends as it would.",
      "An absolute `cwd` comes back as it was given, a relative one as the real path.",
      "Linux takes 128 KiB in one argument, and in `default` mode the whole line is one argument. `direct` takes as much as the system does.",
      "On Windows a batch file goes through cmd.exe; a token that cmd.exe would read as its own is refused. The branches for Windows and macOS are tested by their rules and were not run there.",
    ],
    async run(input, { context, paths, ...options }) {
      const { cwd = context.workspaceRoot } = paths;
      const { stdin = null } = input;
      const guarded = await guard(input.command, { ...options, context, cwd, stdin });
      if (guarded.isErr()) return guarded.error;
      const { command, env, lend } = guarded.value ?? { command: input.command, env: null, lend: null };
      const run = (more: Environment) =>
        runCommand({
          ...options,
          cwd,
          within: context.workspaceRoot,
          command,
          env: env === null ? null : { ...env, ...more },
          shellMode: input.shell_mode,
          stdin,
          timeoutMs: input.timeout_ms,
          maxOutputChars: input.max_output_chars,
          host: context.host,
        });
      const result = await (lend === null ? run({}) : lend(run));
      return result.match(
        ({ data, meta }) =>
          success(
            { ...data, command: input.command, cwd: isAbsolute(input.cwd) ? input.cwd : cwd },
            { ...meta, sandbox: sandboxOf(context.host) },
          ),
        (refusal) => refusal,
      );
    },
  });
