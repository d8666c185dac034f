/** Adds options that stop git from running what attributes, remotes or a mistaken name would start. */
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { has } from "../../../domain/git-policy/table/command-table.ts";
import { isSingleCheckout } from "../../../domain/git-policy/tables/write/switching.ts";

const FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["diff", ["--no-ext-diff", "--no-textconv"]],
  ["log", ["--no-ext-diff", "--no-textconv"]],
  ["show", ["--no-ext-diff", "--no-textconv"]],
  ["blame", ["--no-textconv"]],
  ["fetch", ["--upload-pack=git-upload-pack"]],
  ["pull", ["--upload-pack=git-upload-pack"]],
  ["push", ["--receive-pack=git-receive-pack"]],
  ["checkout", ["--no-overwrite-ignore"]],
  ["switch", ["--no-overwrite-ignore"]],
  ["merge", ["--no-overwrite-ignore"]],
]);

/**
 * The options before the arguments. Without the first two, git dies at a difference if it may run no program for it.
 */
export function safetyFlags(call: GitCall): readonly string[] {
  return standsAlone(call) ? [] : (FLAGS.get(call.subcommand) ?? []);
}

/** The words for git, with these arguments. Our options come first, and the policy refuses any that would undo them. */
export function safeWords(call: GitCall, args: readonly string[]): readonly string[] {
  const [subcommand = ""] = call.subcommand.split(" ");
  return [subcommand, ...safetyFlags(call), ...args, ...endOfNames(call)];
}

/** The words after the arguments. With them, git looks only for a branch, and overwrites no file of that name. */
export function endOfNames(call: GitCall): readonly string[] {
  return isSingleCheckout(call) ? ["--"] : [];
}

/** A question for the usage, or a step of a merge, with which git takes no other option. */
function standsAlone(call: GitCall): boolean {
  const isStep = call.subcommand === "merge" && has(call, "abort", "continue", "quit");
  return call.asksForUsage || (isStep && call.pieces.length === 1 && !call.dashes);
}
