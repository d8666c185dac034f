/** Prepares an allowed git call: inspects the repository, and builds the environment. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { allOperands, has } from "../../../domain/git-policy/table/command-table.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, deniedBySandbox, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { localContacts } from "../contacts/local-contacts.ts";
import {
  guardedEnvironment,
  LOCAL_PROTOCOLS,
  REMOTE_PROTOCOLS,
  type Variables,
} from "../hardening/git-environment.ts";
import { type CallNature, callFlaw } from "../repository/call-flaw.ts";
import { placeFrom, type RepositoryFlaw, realOrNull } from "../repository/find-repository.ts";
import {
  configSearch,
  type Inspected,
  inspectRepository,
  unsafeRepository,
} from "../repository/inspect-repository.ts";
import { readModuleConfig } from "../repository/module-config.ts";
import { outwardLink } from "../repository/outward-links.ts";
import { harmlessInstead } from "../repository/planted-programs.ts";
import { hiddenLoss } from "./hidden-loss.ts";
import { foreignWorktree } from "./named-worktree.ts";
import { stepFlaw } from "./planted-steps.ts";

interface Place {
  readonly context: ToolContext;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
}

interface ReadyCall {
  readonly env: Variables;
  /** Words to put before the arguments. */
  readonly implied: readonly string[];
  /** Null if there is no repository. */
  readonly repository: Inspected | null;
  /** The index that git must not write; null if the call may, or if there is no repository. */
  readonly unwrittenIndex: string | null;
}

/** The environment and words for the call, or why it must not touch this repository. */
export async function prepareCall(
  words: Omit<CallNature, "credentials">,
  place: Place & CallOptions,
): Promise<Result<ReadyCall, ToolRefusal>> {
  const { context } = place;
  const call = { ...words, credentials: context.gitExtras.credentials };
  const inspected = inspectFor(call, place);
  if (inspected.isErr()) return err(inspected.error);
  const repository = inspected.value;
  const { topLevel = null, entries = [] } = repository ?? {};
  const env = environmentFor(call, context, repository);
  const contacts = await localContacts(call, { ...place, repository, env });
  if (contacts.isErr()) return err(contacts.error);
  const loss = call.allowDestructive ? null : hiddenLoss(entries, call, place);
  if (loss !== null)
    return err(deniedByPolicy("DESTRUCTIVE_BLOCKED", loss.message, { details: { at: loss.at } }));
  return ok({
    env: { ...env, ...protocolsOf(call, contacts.value) },
    implied: topLevel === null ? [] : impliedWords(call),
    repository,
    unwrittenIndex: repository !== null && mustLeaveIndex(call) ? join(repository.gitDir, "index") : null,
  });
}

/**
 * Both commands save what they learn about files that only look changed. A reading call must change nothing, because
 * another process may need the index then.
 */
function mustLeaveIndex({ subcommand, tier }: CallNature): boolean {
  return tier === "read" && (subcommand === "diff" || subcommand === "describe");
}

/** Null if there is no repository. */
function inspectFor(call: CallNature, { context, cwd }: Place): Result<Inspected | null, ToolRefusal> {
  const inspected = inspectRepository(cwd, { context, alternates: "refused" });
  if (inspected.isErr()) return err(inspected.error);
  const elsewhere = newRepositoryFlaw(call, { context, cwd });
  if (elsewhere !== null) return err(elsewhere);
  if (inspected.value === null && call.subcommand === "diff") {
    const file = allOperands(call.call).find((word) => /:|\.\./.test(word));
    if (file !== undefined)
      return err(
        deniedBySandbox("OUTSIDE_WORKSPACE", `There is no repository here, so ${file} names no commit.`),
      );
  }
  const { commonDir = null, entries = [] } = inspected.value ?? {};
  const flaw =
    callFlaw(entries, call) ??
    oldRemotesFlaw(call, commonDir) ??
    (inspected.value === null ? null : repositoryFlaw(call, inspected.value, context));
  if (flaw !== null) return err(unsafeRepository(flaw));
  const foreign = inspected.value === null ? null : foreignWorktree(call, inspected.value, context);
  return foreign === null ? inspected : err(foreign);
}

/** In this environment git can reach no remote yet. */
function environmentFor(call: CallNature, context: ToolContext, repository: Inspected | null): Variables {
  const { gitExtras: extras, workspaceRoot, host } = context;
  const { topLevel = null, entries = [] } = repository ?? {};
  const guarded = guardedEnvironment({
    workspaceRoot,
    extras,
    inherited: host.environment(),
    ceiling: topLevel === null ? null : dirname(topLevel),
    config: harmlessInstead(entries),
  });
  return { ...guarded, ...(asksWhatIsMerged(call) ? REAL_HISTORY : {}) };
}

/** With replacements and grafts, a branch could look merged, or a remote's history could look like part of ours. */
const REAL_HISTORY: Variables = {
  GIT_NO_REPLACE_OBJECTS: "1",
  // Git warns about any existing file, even an empty one.
  GIT_GRAFT_FILE: "/dev/null/none",
};

function asksWhatIsMerged({ subcommand, tier }: CallNature): boolean {
  return subcommand === "push" || (subcommand === "branch" && tier === "write");
}

/**
 * Without a terminal, `git shortlog` would read a log from standard input, which is empty. The default applies only
 * if no commit is named.
 */
function impliedWords({ subcommand, call }: CallNature): readonly string[] {
  return subcommand === "shortlog" && !call.asksForUsage ? ["--default", "HEAD"] : [];
}

/** Flaws in the folders of the repository itself, beside its configuration. */
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

/** If the call checks out submodules, the configuration of their repositories applies. */
function moduleFlaw(
  nature: CallNature,
  { gitDir, commonDir }: Inspected,
  context: ToolContext,
): RepositoryFlaw | null {
  if (nature.subcommand !== "submodule" && !has(nature.call, "recurse-submodules")) return null;
  const { entries, unread } = readModuleConfig([gitDir, commonDir], configSearch(context));
  const [message] = unread;
  if (message !== undefined) return { at: join(commonDir, "modules"), message };
  return callFlaw(entries, { ...nature, subcommand: "submodule" });
}

/** `git init FOLDER` works on the repository that a file in that folder may name. */
function newRepositoryFlaw({ subcommand, call }: CallNature, { context, cwd }: Place): ToolRefusal | null {
  if (subcommand !== "init") return null;
  for (const named of allOperands(call)) {
    const folder = realOrNull(placeFrom(cwd, named));
    if (folder === null || !statSync(folder).isDirectory()) continue;
    const inspected = inspectRepository(folder, { context, alternates: "refused" });
    if (inspected.isErr()) return inspected.error;
  }
  return null;
}

function oldRemotesFlaw(
  { subcommand, network }: CallNature,
  commonDir: string | null,
): RepositoryFlaw | null {
  if (!network || subcommand === "clone" || commonDir === null) return null;
  const old = ["remotes", "branches"].map((name) => join(commonDir, name)).find(holdsFiles);
  if (old === undefined) return null;
  return { at: old, message: `${old} names remotes in a form that git has given up. Use git remote add.` };
}

function holdsFiles(folder: string): boolean {
  return existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0);
}

/** `git bisect` moves references before it reads the setting of the hooks folder, so that has no effect. */
function hookFlaw({ subcommand, tier }: CallNature, commonDir: string): RepositoryFlaw | null {
  const at = join(commonDir, "hooks", "reference-transaction");
  if (subcommand !== "bisect" || tier === "read" || !existsSync(at)) return null;
  return { at, message: `git bisect would run the hook ${at}. Bisect by hand with git checkout --detach.` };
}

/** The protocols for remotes. Without `file`, git does not open a repository that was planted meanwhile. */
function protocolsOf({ call, network }: CallNature, contacts: "none" | "local"): Variables {
  if (!network) return {};
  const bringsSubmodules = has(call, "recurse-submodules", "recursive", "remote-submodules");
  const isLocal = contacts === "local" && !bringsSubmodules;
  return { GIT_ALLOW_PROTOCOL: isLocal ? LOCAL_PROTOCOLS : REMOTE_PROTOCOLS };
}
