/** Writes the command line of Claude Code for one run. */
import type { LaunchRequest } from "../executor.ts";
import { programOf } from "../launch.ts";

export interface ClaudeFiles {
  /** Absolute paths of the plan's files. */
  readonly settings: string;
  readonly mcp: string;
}

/**
 * Headless, events as JSON lines, the prompt on stdin: options such as `--mcp-config` take many values and would
 * swallow a prompt that is an argument.
 */
export function claudeArgv(request: LaunchRequest, files: ClaudeFiles): readonly string[] {
  const { profile, session, isolation } = request;
  return [
    ...programOf(profile, "claude"),
    "--print",
    ...["--output-format", "stream-json", "--verbose"],
    ...(profile.model === null ? [] : ["--model", profile.model]),
    // We choose the id, so that it is known before the process starts.
    ...(session.resume === null ? ["--session-id", session.fresh] : ["--resume", session.resume]),
    ...["--permission-mode", isolation === "sandbox" ? "bypassPermissions" : "acceptEdits"],
    ...["--permission-prompts", "none"],
    ...["--settings", files.settings],
    ...["--mcp-config", files.mcp, "--strict-mcp-config"],
    ...profile.args,
  ];
}
