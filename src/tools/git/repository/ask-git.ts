/** Asks git about a repository before a call changes it; the questions change no file and no reference. */
import type { ToolContext } from "../../core/context.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { Variables } from "../hardening/git-environment.ts";
import { runGit } from "./run-git.ts";

export interface Asking extends CallOptions {
  readonly context: ToolContext;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
}

/** Git's output. `failed` if the exit code was not 0, `unknown` if the answer is incomplete. */
type Answer =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "unknown" };

export type AskGit = (args: readonly string[], stdin?: string) => Promise<Answer>;

/** UTF-16 units. Enough for the paths of some hundred thousand files. */
const MAX_CHARS = 64 * 1024 * 1024;

export function askGit(place: Asking): AskGit {
  return async (args, stdin) => {
    const given = stdin === undefined ? {} : { stdin };
    const ran = await runGit(args, { ...place, ...given, network: false, maxChars: MAX_CHARS });
    if (ran.isErr()) return { kind: "unknown" };
    const { stdout: text, exit_code, stdout_truncated, timed_out } = ran.value;
    if (stdout_truncated || timed_out) return { kind: "unknown" };
    return { kind: exit_code === 0 ? "answered" : "failed", text };
  };
}
