/** Takes a git call of any tool through all checks, in one order. */
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import type { JudgedGitCommand } from "../../../domain/git-policy/judge/check-git-command.ts";
import type { CheckGitOptions } from "../../../domain/git-policy/judge/check-options.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { remotesKnownIn } from "../contacts/known-remotes.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import { filesOf, unguardedOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";
import { admitCall, confineCall } from "./admit-call.ts";
import { prepareCall, type ReadyCall } from "./prepare-call.ts";
import { refuseOverwriting } from "./refuse-overwriting.ts";

/** Facts beside the place of the call. */
export type PolicyFacts = Pick<CheckGitOptions, "unguarded" | "remotes" | "localRepositories">;

interface AskedCall {
  readonly subcommand: string;
  readonly allowDestructive: boolean;
  /** How the caller can run a destructive call anyway; null if it cannot. */
  readonly wayOut: string | null;
  /** Has the policy judge the words. */
  readonly judge: (facts: PolicyFacts) => JudgedGitCommand;
  /** Whether the owner allows a call that writes. Left out: nobody is asked. */
  readonly confirm?: () => Promise<boolean>;
}

interface CallPlace extends CallOptions {
  readonly context: ToolContext;
  /** The folder that the paths of the call are relative to. */
  readonly cwd: string;
  /** The real folder in which git looks for its repository. */
  readonly folder: string;
  /** The same folder as the call writes it, with links. */
  readonly spelled: string;
}

interface CheckedCall extends ReadyCall, Pick<CallNature, "call" | "tier" | "network"> {
  /** The answer of the fetch by which a pull begins, if it failed: then git must not run. Else null. */
  readonly stopped: ExecCommandOutput | null;
}

/** Checks the words, then asks the owner, then looks at paths, the repository and files in the way. */
export async function checkCall(
  { subcommand, allowDestructive, wayOut, judge, confirm }: AskedCall,
  place: CallPlace,
): Promise<Result<CheckedCall, ToolRefusal>> {
  const { context, cwd, folder, spelled, ...options } = place;
  const { verdict, call } = judgeWithFacts(subcommand, place, judge);
  return safeTry(async function* () {
    const tier = yield* admitCall(verdict, { context, what: `git ${subcommand}`.trim(), wayOut });
    if (tier === "write" && confirm !== undefined && !(await confirm()))
      return err(deniedByPolicy("POLICY_DENIED", `git ${subcommand} was not confirmed.`));
    yield* confineCall(verdict, { context, cwd, folder, subcommand });
    const { network } = verdict;
    const { credentials } = context.gitExtras;
    const nature: CallNature = { subcommand, call, tier, network, allowDestructive, credentials };
    const gitPlace = { ...options, context, cwd: folder };
    const ready = yield* await prepareCall(nature, gitPlace);
    const { env, repository } = ready;
    const stopped = yield* await refuseOverwriting(nature, { ...gitPlace, env, repository });
    return ok({ ...ready, call, tier, network, stopped });
  });
}

/**
 * The names of remotes are read only if the call talks to one and is refused without them. They allow a name that
 * looks like a path. No process is started.
 */
function judgeWithFacts(
  subcommand: string,
  place: CallPlace,
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
function unguardedFiles({ context, folder, spelled }: CallPlace): readonly string[] {
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
