/** Finds what git would stash away without keeping it: untracked files in a folder that stands where a tracked file was. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import type { CallNature } from "./call-flaw.ts";
import type { RepositoryFlaw } from "./find-repository.ts";
import { filesOf } from "./index-gitlinks.ts";
import { indexPaths } from "./index-paths.ts";

/** The first such folder, or null. With `--include-untracked` git keeps them. */
export function stashLoss(
  call: Pick<CallNature, "subcommand" | "args">,
  { context, cwd }: { readonly context: ToolContext; readonly cwd: string },
): RepositoryFlaw | null {
  if (!stashesTrackedOnly(call)) return null;
  const found = indexPaths(cwd, context, filesOf);
  if (found === null) return null;
  for (const path of found.paths) {
    const at = join(found.topLevel, path);
    if (!lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) continue;
    const message = `${path} was a file and is a folder now: git stash would delete what is untracked in it. Use stash push --include-untracked.`;
    return { at, message };
  }
  return null;
}

function stashesTrackedOnly({ subcommand, args }: Pick<CallNature, "subcommand" | "args">): boolean {
  const options = optionsOf(args);
  if (subcommand !== "stash") return options.includes("--autostash");
  const verb = args.find((arg) => !arg.startsWith("-")) ?? "push";
  const isPush = args[0]?.startsWith("-") === true || verb === "push" || verb === "save";
  return isPush && !options.some((option) => /^(--include-untracked|--all|-[pSkq]*[ua].*)$/.test(option));
}

/** Without what follows `--`, and without messages, which may look like options. */
function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const before = end < 0 ? args : args.slice(0, end);
  return before.filter((_, at) => !/^(--message|-[pSkqua]*m)$/.test(before[at - 1] ?? ""));
}
