/** Adds options that stop git from running what attributes, remotes or a mistaken name would start. */
import { readGitCall } from "../../../domain/git-policy/judge/read-git-call.ts";
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

/** The arguments as git gets them. Ours come first, and the policy refuses any that would undo them. */
export function withSafetyFlags(subcommand: string, args: readonly string[]): readonly string[] {
  if (standsAlone(subcommand, args)) return args;
  return [...safetyFlags(subcommand, args), ...args, ...endOfNames(subcommand, args)];
}

/**
 * The options before the arguments. Without the first two, git dies at a difference if it may run no program for it.
 */
export function safetyFlags(subcommand: string, args: readonly string[]): readonly string[] {
  return standsAlone(subcommand, args) ? [] : (FLAGS.get(subcommand) ?? []);
}

/** The words after the arguments. With them, git looks only for a branch, and overwrites no file of that name. */
export function endOfNames(subcommand: string, args: readonly string[]): readonly string[] {
  return subcommand === "checkout" && namesOne(args) ? ["--"] : [];
}

function namesOne(args: readonly string[]): boolean {
  return readGitCall("checkout", args).match(
    ({ call }) => isSingleCheckout(call),
    () => false,
  );
}

/** A question for the usage, or a step of a merge, with which git takes no other option. */
function standsAlone(subcommand: string, args: readonly string[]): boolean {
  const [word = "", ...more] = args;
  if (more.length > 0) return false;
  return word === "-h" || (subcommand === "merge" && /^--(?:abort|continue|quit)$/.test(word));
}
