/** Writes the launch of a `command` agent: any program, told everything by stdin, files and variables. */
import { join } from "node:path";
import type { LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv } from "../launch.ts";

/** Beyond it a variable would come near what the kernel allows for one (128 KiB). */
const MOST_IN_VARIABLE = 100 * 1024;

/** The configuration has resolved a relative program already (product contract, section 6). */
export function commandPlan(request: LaunchRequest): LaunchPlan {
  const { profile, ids, agentDir, prompt, instruction, summaryFile } = request;
  if (profile.command === null) throw new Error(`agents.${profile.id}.command is missing`);
  const files = { prompt: join(agentDir, "prompt.txt"), instruction: join(agentDir, "instruction.txt") };
  return {
    argv: [...profile.command, ...profile.args],
    env: launchEnv(profile, {
      TAZUNA_PROMPT_FILE: files.prompt,
      TAZUNA_INSTRUCTION_FILE: files.instruction,
      TAZUNA_SUMMARY_FILE: summaryFile,
      TAZUNA_RUN: ids.run,
      TAZUNA_ATTEMPT: ids.attempt,
      TAZUNA_TASK: ids.task,
      ...(fitsVariable(instruction) ? { TAZUNA_INSTRUCTION: instruction } : {}),
    }),
    stdin: "prompt",
    files: [
      { path: files.prompt, content: prompt },
      { path: files.instruction, content: instruction },
    ],
    sessionId: null,
  };
}

/** A longer one is only in the file: half an instruction would be worse than none. */
function fitsVariable(text: string): boolean {
  return !text.includes("\0") && new TextEncoder().encode(text).length <= MOST_IN_VARIABLE;
}
