/** Asks git about a repository before a call changes it; nothing is changed by asking. */

import type { ToolContext } from "../../core/context.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { Variables } from "../run/git-environment.ts";
import { runGit } from "../run/run-git.ts";

export interface Asking extends CallOptions {
  readonly context: ToolContext;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
}

/** What git printed; `failed` where it ended with another code than 0, `unknown` where its answer is not whole. */
export type Answer =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "failed" }
  | { readonly kind: "unknown" };

export type AskGit = (args: readonly string[], stdin?: string) => Promise<Answer>;

/** UTF-16 units: the paths of some hundred thousand files. */
const MOST_CHARS = 64 * 1024 * 1024;

export function askGit(asking: Asking): AskGit {
  return async (args, stdin) => {
    const given = stdin === undefined ? {} : { stdin };
    const ran = await runGit(args, { ...asking, ...given, network: false, maxChars: MOST_CHARS });
    if (ran.isErr()) return { kind: "unknown" };
    const { stdout, exit_code, stdout_truncated, timed_out } = ran.value;
    if (stdout_truncated || timed_out) return { kind: "unknown" };
    return exit_code === 0 ? { kind: "said", text: stdout } : { kind: "failed" };
  };
}

/** The commits among these names, each null where it is none; null where git does not answer. */
export async function commitsOf(
  ask: AskGit,
  revisions: readonly string[],
): Promise<readonly (string | null)[] | null> {
  if (revisions.length === 0) return [];
  // `:/words` is a commit only without the ending, which makes a name clear that is short.
  const questions = revisions.flatMap((one) => (one.includes("\n") ? ["", ""] : [`${one}^{commit}`, one]));
  const said = await ask(
    ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
    `${questions.join("\n")}\n`,
  );
  if (said.kind !== "said") return null;
  const lines = said.text.split("\n");
  return revisions.map((_, at) => {
    const found = [lines[2 * at], lines[2 * at + 1]].map(
      (line) => /^commit ([0-9a-f]{40,})$/.exec(line ?? "")?.[1],
    );
    return found[0] ?? found[1] ?? null;
  });
}

/** Lines of words: what `git rev-list --parents` and `git merge-base` print. Empty where git refuses; null where it does not answer. */
export async function linesOf(ask: AskGit, args: readonly string[]): Promise<readonly string[] | null> {
  const said = await ask(args);
  if (said.kind !== "said") return said.kind === "failed" ? [] : null;
  return said.text.split("\n").filter((line) => line !== "");
}
