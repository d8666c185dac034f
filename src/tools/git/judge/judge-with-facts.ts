/** Has the policy judge the words of a call with what it must know of the repository. */
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import type { JudgedGitCommand } from "../../../domain/git-policy/judge/check-git-command.ts";
import type { CheckGitOptions } from "../../../domain/git-policy/judge/check-options.ts";
import type { ToolContext } from "../../core/context.ts";
import { remotesKnownIn } from "../contacts/known-remotes.ts";
import { filesOf, unguardedOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";

/** Facts beside the place of the call. */
type PolicyFacts = Pick<CheckGitOptions, "unguarded" | "remotes" | "localRepositories">;

interface Folder {
  readonly context: ToolContext;
  /** The real folder of the call. */
  readonly folder: string;
  /** The same folder as the call writes it, with links. */
  readonly spelled: string;
}

/**
 * The judgement of a call of `subcommand`. The names of remotes are read only if the call talks to one and is refused
 * without them. They allow a name that looks like a path. No process is started.
 */
export function judgeWithFacts(
  subcommand: string,
  place: Folder,
  judge: (facts: PolicyFacts) => JudgedGitCommand,
): JudgedGitCommand {
  const { context, folder } = place;
  const { localRepositories } = context;
  const facts = { localRepositories, unguarded: subcommand === "rm" ? unguardedFiles(place) : [] };
  const judged = judge(facts);
  if (judged.verdict.allowed || !judged.verdict.network) return judged;
  return judge({ ...facts, remotes: remotesKnownIn(folder, context) });
}

/**
 * What `git rm` deletes unchecked: submodules, files in conflict, and files that git assumes unchanged. Each path is
 * relative to the workspace, and named from the spelled folder too, because the policy judges words. If an index
 * cannot be read, the list is empty: every call is refused there.
 */
function unguardedFiles({ context, folder, spelled }: Folder): readonly string[] {
  const found = indexPaths(folder, context, unguardedOf);
  if (found === null) return [];
  const files = found.unnamed ? (indexPaths(folder, context, filesOf)?.paths ?? []) : [];
  return [...found.paths, ...files].flatMap((path) => {
    const at = join(found.topLevel, path);
    // A missing file cannot be lost, and most files of a sparse checkout are missing.
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) return [];
    return [at, join(spelled, relative(folder, at))].map((one) => relative(context.workspaceRoot, one));
  });
}
