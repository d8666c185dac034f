/** Lists every executor; adding one is its folder and one line here. */
import { acp } from "./acp/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { command } from "./command/index.ts";
import { createDemo } from "./demo/index.ts";
import type { Executor } from "./executor.ts";
import { gemini } from "./gemini/index.ts";
import { opencode } from "./opencode/index.ts";

export interface ExecutorRegistry {
  /** In the order in which people see them. */
  readonly all: readonly Executor[];
  /** Null for an id that no executor has. */
  find(id: string): Executor | null;
}

/** `selfCommand` starts our own program (the runtime, then main.ts), for the agent that is built in. */
export function createExecutors(options: { readonly selfCommand: readonly string[] }): ExecutorRegistry {
  const all: readonly Executor[] = [
    claudeCode,
    codex,
    gemini,
    opencode,
    acp,
    command,
    createDemo(options.selfCommand),
  ];
  return { all, find: (id) => all.find((executor) => executor.id === id) ?? null };
}
