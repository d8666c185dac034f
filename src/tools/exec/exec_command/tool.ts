/** The door of `exec_command`: one command in the workspace, once, without a terminal (seed 001). */
import { isAbsolute } from "node:path";
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { EXEC_COMMAND_TOOL_DEFINITION } from "./definition.ts";
import { EXEC_COMMAND_CODES } from "./error.ts";
import { runCommand } from "./usecase.ts";
import { execCommandInput, execCommandOutput } from "./validator.ts";

export const execCommandTool = defineTool({
  definition: EXEC_COMMAND_TOOL_DEFINITION,
  title: "Run a command",
  input: execCommandInput,
  output: execCommandOutput,
  effect: "executes",
  hints: { destructive: true, idempotent: false, openWorld: true },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  codes: EXEC_COMMAND_CODES,
  notes: [
    "It can run anything that the calling user can run: what it may reach is for a sandbox to limit, not for this tool.",
  ],
  async run(input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const result = await runCommand({
      ...options,
      cwd,
      command: input.command,
      shellMode: input.shell_mode,
      stdin: input.stdin ?? null,
      timeoutMs: input.timeout_ms,
      maxOutputChars: input.max_output_chars,
      host: context.host,
    });
    return result.match(
      ({ data, meta }) =>
        success({ ...data, cwd: isAbsolute(input.cwd) ? input.cwd : cwd }, { ...meta, sandbox: "none" }),
      (refusal) => refusal,
    );
  },
});
