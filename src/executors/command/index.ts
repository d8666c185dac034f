/** Runs any program as an agent, which gets everything by stdin, files and variables. */
import { join } from "node:path";
import { detectConfigured } from "../shared/detect.ts";
import type { Executor, LaunchPlan, LaunchRequest } from "../shared/executor.ts";
import { launchEnv, NO_PLACES } from "../shared/launch.ts";
import { commandParser } from "./parse-events.ts";

export const command: Executor = {
  id: "command",
  label: "Command",
  author: "Agent <agent@localhost>",
  builtIn: false,
  detect: detectConfigured,
  plan: commandPlan,
  parser: commandParser,
  places: () => NO_PLACES,
  // Nothing is known about its login, so every configured command counts as its own login.
  login: (profile) => `command:${profile.id}`,
};

/** A longer variable would come near the kernel's limit for one (128 KiB). */
const MAX_IN_VARIABLE = 100 * 1024;

/** The configuration has already resolved a relative program. */
function commandPlan(request: LaunchRequest): LaunchPlan {
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

/** A longer instruction is only in the file: half an instruction would be worse than none. */
function fitsVariable(text: string): boolean {
  return !text.includes("\0") && new TextEncoder().encode(text).length <= MAX_IN_VARIABLE;
}
