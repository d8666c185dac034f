/** Asks git about a repository and reads its notes before a call changes it; the questions change nothing. */
import { readFileSync } from "node:fs";
import type { Incoming } from "../../../domain/git-policy/judge/incoming.ts";
import type { ToolContext } from "../../core/context.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { Variables } from "../hardening/git-environment.ts";
import { runGit } from "../repository/run-git.ts";

export interface Asking extends CallOptions {
  readonly context: ToolContext;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
}

/** Git's output. `failed` if the exit code was not 0, `unknown` if the answer is incomplete. */
export type Answer =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "failed" }
  | { readonly kind: "unknown" };

export type AskGit = (args: readonly string[], stdin?: string) => Promise<Answer>;

/** UTF-16 units. Enough for the paths of some hundred thousand files. */
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

/** The commit of each name, or null if the name is not a commit. Null as a whole if git does not answer. */
export async function commitsOf(
  ask: AskGit,
  revisions: readonly string[],
): Promise<readonly (string | null)[] | null> {
  if (revisions.length === 0) return [];
  // `:/words` names a commit only without the suffix. A short ambiguous name needs the suffix.
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

/** The output lines of `git rev-list --parents` or `git merge-base`. Empty if git refuses; null without an answer. */
export async function linesOf(ask: AskGit, args: readonly string[]): Promise<readonly string[] | null> {
  const said = await ask(args);
  if (said.kind !== "said") return said.kind === "failed" ? [] : null;
  return said.text.split("\n").filter((line) => line !== "");
}

/**
 * Each line is a commit and the commits that it is compared with, or two trees, old and new. `git diff-tree --stdin`
 * takes lines of this form. Null if git does not tell; empty if git itself will refuse the call.
 */
export type Comparisons = readonly string[] | null;

export interface Asked {
  readonly ask: AskGit;
  readonly gitDir: string;
}

export type IncomingOf<Kind extends Incoming["kind"]> = Extract<Incoming, { readonly kind: Kind }>;

/** Empty if there is no such file. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
