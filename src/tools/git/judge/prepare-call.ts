/** Prepares an allowed git call: inspects the repository, and builds the environment. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { allOperands, has } from "../../../domain/git-policy/table/command-table.ts";
import { placeFrom } from "../../../utils/paths/pointer-files.ts";
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
import { realOrNull } from "../repository/find-repository.ts";
import { type Inspected, inspectRepository, unsafeRepository } from "../repository/inspect-repository.ts";
import { harmlessOverrides } from "../repository/planted-programs.ts";
import { hiddenLoss } from "./hidden-loss.ts";
import { plantedFile } from "./planted-files.ts";

interface Place {
  readonly context: ToolContext;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
}

export interface ReadyCall {
  readonly env: Variables;
  /** Options to put before the caller's arguments. */
  readonly impliedArgs: readonly string[];
  /** Null if there is no repository. */
  readonly repository: Inspected | null;
  /** The index that git must not write; null if the call may, or if there is no repository. */
  readonly protectedIndex: string | null;
}

/** The environment and implied options of the call, or why it must not touch this repository. */
export async function prepareCall(
  call: CallNature,
  place: Place & CallOptions,
): Promise<Result<ReadyCall, ToolRefusal>> {
  const { context } = place;
  const inspected = inspectFor(call, place);
  if (inspected.isErr()) return err(inspected.error);
  const repository = inspected.value;
  const { topLevel = null, entries = [] } = repository ?? {};
  const env = environmentFor(call, context, repository);
  const gitPlace = { ...place, repository, env };
  const contacts = call.network ? await localContacts(call, gitPlace) : ok("none" as const);
  if (contacts.isErr()) return err(contacts.error);
  const loss = call.allowDestructive ? null : hiddenLoss(entries, call, place);
  if (loss !== null)
    return err(deniedByPolicy("DESTRUCTIVE_BLOCKED", loss.message, { details: { at: loss.at } }));
  return ok({
    env: { ...env, ...protocolsOf(call, contacts.value) },
    impliedArgs: topLevel === null ? [] : impliedArgsOf(call),
    repository,
    protectedIndex: repository !== null && mustLeaveIndex(call) ? join(repository.gitDir, "index") : null,
  });
}

/**
 * `git diff` and `git describe` refresh the index as they read. A reading call must change nothing, because another
 * process may need the index then.
 */
function mustLeaveIndex({ subcommand, tier }: CallNature): boolean {
  return tier === "read" && (subcommand === "diff" || subcommand === "describe");
}

/** Null if there is no repository. */
function inspectFor(call: CallNature, { context, cwd }: Place): Result<Inspected | null, ToolRefusal> {
  const inspected = inspectRepository(cwd, { context, alternates: "refused" });
  if (inspected.isErr()) return err(inspected.error);
  const newFlaw = newRepositoryFlaw(call, { context, cwd });
  if (newFlaw !== null) return err(newFlaw);
  const repository = inspected.value;
  if (repository === null) {
    const file = call.subcommand === "diff" && allOperands(call.call).find((word) => /:|\.\./.test(word));
    if (!file) return ok(null);
    const message = `There is no repository here, so ${file} names no commit.`;
    return err(deniedBySandbox("OUTSIDE_WORKSPACE", message));
  }
  const flaw = callFlaw(repository.entries, call);
  const refused = flaw === null ? plantedFile(call, repository, context) : unsafeRepository(flaw);
  return refused === null ? inspected : err(refused);
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
    config: harmlessOverrides(entries),
  });
  return { ...guarded, ...(dependsOnHistory(call) ? REAL_HISTORY : {}) };
}

/** Without replacements and grafts, which could make an unmerged branch look merged. */
const REAL_HISTORY: Variables = {
  GIT_NO_REPLACE_OBJECTS: "1",
  // Git warns about any existing file, even an empty one.
  GIT_GRAFT_FILE: "/dev/null/none",
};

function dependsOnHistory({ subcommand, tier }: CallNature): boolean {
  return subcommand === "push" || (subcommand === "branch" && tier === "write");
}

/**
 * Without a terminal, `git shortlog` would read a log from standard input, which is empty. The default applies only
 * if no commit is named.
 */
function impliedArgsOf({ subcommand, call }: CallNature): readonly string[] {
  return subcommand === "shortlog" && !call.asksForUsage ? ["--default", "HEAD"] : [];
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

/** The protocols for remotes. Without `file`, git opens no repository that an agent made here in the meantime. */
function protocolsOf({ call, network }: CallNature, contacts: "none" | "local"): Variables {
  if (!network) return {};
  const bringsSubmodules = has(call, "recurse-submodules", "recursive", "remote-submodules");
  const isLocal = contacts === "local" && !bringsSubmodules;
  return { GIT_ALLOW_PROTOCOL: isLocal ? LOCAL_PROTOCOLS : REMOTE_PROTOCOLS };
}
