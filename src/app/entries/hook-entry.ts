/** Runs the hook that an agent calls before a tool: `tazuna __hook COMMON_DIR FOLDER`, with its question as JSON on stdin. */
import { writeSync } from "node:fs";
import { z } from "zod";
import { judgeShell } from "../../guard/judge-shell.ts";

/** The question of Claude Code and of Codex. Other tools and other forms of question are not refused. */
const question = z.object({
  cwd: z.string(),
  tool_input: z.object({ command: z.union([z.string(), z.array(z.string())]) }),
});

/** Answers its exit code. It prints nothing if the call is not refused. */
export async function runHookEntry([commonDir = "", folder = ""]: readonly string[]): Promise<number> {
  const asked = question.safeParse(jsonOf(await Bun.stdin.text()));
  if (!asked.success) return 0;
  const { command } = asked.data.tool_input;
  // The last word of an argv is the line that a shell gets.
  const text = typeof command === "string" ? command : (command.at(-1) ?? "");
  if (!text.includes("git")) return 0;
  const reason = await judgeShell({ text, cwd: asked.data.cwd, commonDir, folder, env: process.env });
  if (reason === null) return 0;
  // Just these fields: if there are others, Claude Code does not take it as an answer.
  const answer = {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason.trim(),
    },
  };
  writeSync(1, `${JSON.stringify(answer)}\n`);
  return 0;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
