/** Adds the options that keep a git call from running what attributes, remotes or a mistaken name would bring in. */
import { isSingleCheckout } from "../../../domain/git-policy/single-checkout.ts";

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

/** The arguments as git gets them. Ours stand first; the policy refuses what would take them back. */
export function withSafetyFlags(subcommand: string, args: readonly string[]): readonly string[] {
  if (standsAlone(subcommand, args)) return args;
  return [...safetyFlags(subcommand, args), ...args, ...endOfNames(subcommand, args)];
}

/** What belongs in front of the arguments. Git dies of a difference without the first two where no program may show it. */
export function safetyFlags(subcommand: string, args: readonly string[]): readonly string[] {
  return standsAlone(subcommand, args) ? [] : (FLAGS.get(subcommand) ?? []);
}

/** What belongs behind the arguments. A file of that name is then not overwritten: git looks for a branch only. */
export function endOfNames(subcommand: string, args: readonly string[]): readonly string[] {
  return subcommand === "checkout" && isSingleCheckout(args) ? ["--"] : [];
}

/** Asks how it is used, or is a step of a merge, beside which git takes nothing else. */
function standsAlone(subcommand: string, args: readonly string[]): boolean {
  const [word = "", ...more] = args;
  if (more.length > 0) return false;
  return word === "-h" || (subcommand === "merge" && /^--(?:abort|continue|quit)$/.test(word));
}
