/** Makes ready what an allowed git call runs in: the repository is looked at, and the environment is built. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, deniedBySandbox, type ToolRefusal } from "../../core/result.ts";
import { type CallNature, callFlaw } from "../run/call-flaw.ts";
import { configuredLoss } from "../run/configured-loss.ts";
import { placeFrom, type RepositoryFlaw, realOrNull } from "../run/find-repository.ts";
import { guardedEnvironment, type Variables } from "../run/git-environment.ts";
import { REMOTE_PROTOCOLS, SUBMODULE_PROTOCOLS } from "../run/hardening.ts";
import {
  configSearch,
  type Inspected,
  inspectRepository,
  unsafeRepository,
} from "../run/inspect-repository.ts";
import { readModuleConfig } from "../run/module-config.ts";
import { outwardLink } from "../run/outward-links.ts";
import type { ConfigEntry } from "../run/parse-config.ts";
import { harmlessInstead } from "../run/planted-programs.ts";
import { stepFlaw } from "../run/planted-steps.ts";
import { pushFlaw } from "../run/push-flaw.ts";
import { stashLoss } from "../run/stash-loss.ts";
import { submoduleUpdates } from "../run/submodule-updates.ts";
import { wayToIndex } from "../run/unwritten-index.ts";

interface Place {
  readonly context: ToolContext;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
}

export interface ReadyCall {
  readonly env: Variables;
  /** Words that belong in front of the arguments. */
  readonly implied: readonly string[];
  /** Null where there is none. */
  readonly repository: Inspected | null;
}

/** What the call runs with, or why this repository must not be touched by it. */
export function prepareCall(
  words: Omit<CallNature, "credentials">,
  { context, cwd }: Place,
): Result<ReadyCall, ToolRefusal> {
  const { gitExtras: extras, workspaceRoot } = context;
  const call = { ...words, credentials: extras.credentials };
  const inspected = inspectRepository(cwd, { context, alternates: "refused" });
  if (inspected.isErr()) return err(inspected.error);
  const elsewhere = newRepositoryFlaw(call, { context, cwd });
  if (elsewhere !== null) return err(elsewhere);
  if (inspected.value === null && call.subcommand === "diff") {
    const file = call.args.find((arg) => /:|\.\./.test(arg));
    if (file !== undefined)
      return err(
        deniedBySandbox("OUTSIDE_WORKSPACE", `There is no repository here, so ${file} names no commit.`),
      );
  }
  const { topLevel = null, gitDir = null, commonDir = null, entries = [] } = inspected.value ?? {};
  const flaw =
    callFlaw(entries, call) ??
    otherSideFlaw(call, entries, { context, cwd: topLevel ?? cwd, commonDir }) ??
    (inspected.value === null ? null : repositoryFlaw(call, inspected.value, context));
  if (flaw !== null) return err(unsafeRepository(flaw));
  const updates = submoduleUpdates(call, {
    topLevel: topLevel ?? cwd,
    entries,
    files: configSearch(context).files,
  });
  const loss = call.allowDestructive
    ? null
    : (configuredLoss(entries, call) ?? updates.loss ?? stashLoss(call, { context, cwd }));
  if (loss !== null)
    return err(deniedByPolicy("DESTRUCTIVE_BLOCKED", loss.message, { details: { at: loss.at } }));
  const guarded = guardedEnvironment({
    workspaceRoot,
    extras,
    inherited: context.host.environment(),
    protocols: protocolsOf(call),
    ceiling: topLevel === null ? null : dirname(topLevel),
    config: call.allowDestructive
      ? harmlessInstead(entries)
      : { ...harmlessInstead(entries), ...updates.config },
  });
  const env = { ...guarded, ...(asksWhatIsMerged(call) ? REAL_HISTORY : {}) };
  const index = gitDir === null || !mustLeaveIndex(call) ? null : wayToIndex(gitDir);
  return ok({
    env: index === null ? env : { ...env, GIT_INDEX_FILE: index },
    implied: topLevel === null ? [] : impliedWords(call),
    repository: inspected.value,
  });
}

/** Replacements and grafts could make a branch look merged, or what a remote has look like a part of ours. */
const REAL_HISTORY: Variables = {
  GIT_NO_REPLACE_OBJECTS: "1",
  // A file that is there, be it empty, is warned of.
  GIT_GRAFT_FILE: "/dev/null/none",
};

function asksWhatIsMerged({ subcommand, tier }: CallNature): boolean {
  return subcommand === "push" || (subcommand === "branch" && tier === "write");
}

/** Both write down what they learnt of files that only look changed; what reads changes nothing, and somebody else may want the index at that moment. */
function mustLeaveIndex({ subcommand, tier }: CallNature): boolean {
  return tier === "read" && (subcommand === "diff" || subcommand === "describe");
}

/** Without a terminal `git shortlog` would read a log from standard input, where nothing is. Git takes its default only where no commit is named. */
function impliedWords({ subcommand, args }: CallNature): readonly string[] {
  const asksForUsage = args.length === 1 && args[0] === "-h";
  return subcommand === "shortlog" && !asksForUsage ? ["--default", "HEAD"] : [];
}

/** What lies in the folders of the repository itself, beside its configuration. */
function repositoryFlaw(
  call: CallNature,
  repository: Inspected,
  context: ToolContext,
): RepositoryFlaw | null {
  const { gitDir, commonDir, topLevel } = repository;
  return (
    (context.gitExtras.hooks === "run" ? null : hookFlaw(call, commonDir)) ??
    stepFlaw(call, gitDir) ??
    moduleFlaw(call, repository, context) ??
    (call.tier === "write"
      ? outwardLink([gitDir, commonDir], [commonDir, topLevel, context.workspaceRoot])
      : null)
  );
}

/** Submodules that are checked out by the call come with what their repositories configure. */
function moduleFlaw(
  call: CallNature,
  { gitDir, commonDir }: Inspected,
  context: ToolContext,
): RepositoryFlaw | null {
  const { subcommand, args } = call;
  const recurses = args.some((arg) => arg.startsWith("--recurse-submodules"));
  if (subcommand !== "submodule" && !recurses) return null;
  const { entries, unread } = readModuleConfig([gitDir, commonDir], configSearch(context));
  const [message] = unread;
  if (message !== undefined) return { at: join(commonDir, "modules"), message };
  return callFlaw(entries, { ...call, subcommand: "submodule" });
}

/** `git init FOLDER` works on the repository that a file in that folder may name. */
function newRepositoryFlaw({ subcommand, args }: CallNature, { context, cwd }: Place): ToolRefusal | null {
  if (subcommand !== "init") return null;
  for (const arg of args) {
    const folder = arg.startsWith("-") ? null : realOrNull(placeFrom(cwd, arg));
    if (folder === null || !statSync(folder).isDirectory()) continue;
    const inspected = inspectRepository(folder, { context, alternates: "refused" });
    if (inspected.isErr()) return inspected.error;
  }
  return null;
}

/** Git takes relative addresses from the top of the working tree, whatever folder it is called in. */
function otherSideFlaw(
  { subcommand, args, network }: CallNature,
  entries: readonly ConfigEntry[],
  { context, ...place }: Place & { readonly commonDir: string | null },
): RepositoryFlaw | null {
  if (!network || subcommand === "clone") return null;
  const { workspaceRoot } = context;
  const { cwd, commonDir } = place;
  const old =
    commonDir === null
      ? undefined
      : ["remotes", "branches"].map((name) => join(commonDir, name)).find(holdsFiles);
  if (old !== undefined)
    return { at: old, message: `${old} names remotes in a form that git has given up. Use git remote add.` };
  return subcommand === "push"
    ? pushFlaw({ args, entries }, { ...configSearch(context), workspaceRoot, cwd })
    : null;
}

function holdsFiles(folder: string): boolean {
  return existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0);
}

/** `git bisect` moves references before it has read where hooks are looked for, so that setting does not hold there. */
function hookFlaw({ subcommand }: CallNature, commonDir: string): RepositoryFlaw | null {
  const at = join(commonDir, "hooks", "reference-transaction");
  if (subcommand !== "bisect" || !existsSync(at)) return null;
  return { at, message: `git bisect would run the hook ${at}. Bisect by hand with git checkout --detach.` };
}

/** What it may speak with remotes; null where it has none. */
function protocolsOf({ subcommand, args, network }: Omit<CallNature, "credentials">): string | null {
  if (!network) return null;
  const bringsSubmodules = args.some((arg) =>
    /^--(?:recurse-submodules|recursive|remote-submodules)/.test(arg),
  );
  return subcommand === "submodule" || bringsSubmodules ? SUBMODULE_PROTOCOLS : REMOTE_PROTOCOLS;
}
