/** Lists every executor; a new one needs its folder and one line here. */
import { acp } from "./acp/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { command } from "./command/index.ts";
import { createDemo } from "./demo/index.ts";
import { gemini } from "./gemini/index.ts";
import { opencode } from "./opencode/index.ts";
import type { Executor } from "./shared/executor.ts";

interface ExecutorRegistry {
  /** In the order shown to people. */
  readonly all: readonly Executor[];
  /** Null for an unknown id. */
  find(id: string): Executor | null;
}

/** `selfCommand` starts our own program (the runtime, then main.ts), for the built-in agent. */
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
