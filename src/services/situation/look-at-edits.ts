/** Finds what a person edited in an attempt's worktree since its last run, and all that is not committed there. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { judgePaths } from "../../domain/publish/gate.ts";
import { leftOutBy } from "../../domain/publish/left-out.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Known, OwnEdit } from "../../domain/situation/situation.ts";
import { listStaged } from "../../git/index/list-staged.ts";
import { readHead } from "../../git/refs/refs.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import { treeOfFiles } from "../../git/snapshot/tree-of-files.ts";
import { inTurns } from "../../utils/time/turns.ts";
import { atRest } from "../attempts/attempt-patch.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { gatePolicy } from "../runs/stage/gate-policy.ts";
import { pathFacts } from "../runs/stage/path-facts.ts";

interface Edited extends AttemptInRepository {
  readonly runs: readonly Run[];
  readonly configuration: LoadedConfiguration;
}

/** The worktree has to be there. What setup, checks and `copy` left, and new denied files, are nobody's edits. */
export function lookAtEdits(
  context: Uses<"db" | "git" | "paths">,
  edited: Edited,
): Promise<Known<readonly OwnEdit[]>> {
  return look(context, edited, () => lastLeft(context, edited));
}

/** The same for what no commit holds: a run that was stopped may have left it. */
export function lookAtUncommitted(
  context: Uses<"db" | "git" | "paths">,
  edited: Edited,
): Promise<Known<readonly OwnEdit[]>> {
  return look(context, edited, () => committed(context, edited));
}

type Before = () => Promise<Result<string, { readonly message: string }>>;

async function look(
  context: Uses<"db" | "git" | "paths">,
  edited: Edited,
  before: Before,
): Promise<Known<readonly OwnEdit[]>> {
  if (!edited.runs.every(atRest)) return { value: null, why: "A run works in it, or is about to." };
  const found = await editsSince(context, edited, before);
  return found.isErr() ? { value: null, why: found.error.message } : { value: found.value };
}

async function editsSince(
  context: Uses<"db" | "git" | "paths">,
  { attempt, runs, configuration }: Edited,
  before: Before,
): Promise<Result<readonly OwnEdit[], { readonly message: string }>> {
  return safeTry(async function* () {
    const target = worktreeTarget(attempt);
    const left = yield* await before();
    const now = yield* await treeOfFiles(context.git, target);
    const { entries } = yield* await listStaged(context.git, target, { from: left, to: now });
    const facts = await pathFacts(context, attempt.id, {
      ours: entries,
      submodules: [],
      closedFolders: [],
      setAside: leftOutBy(runs),
    });
    const { leftOut } = await inTurns(judgePaths(facts, gatePolicy(configuration)));
    const nobodys = new Set(leftOut);
    return ok(entries.flatMap(({ path, status }) => (nobodys.has(path) ? [] : [{ path, status }])));
  });
}

async function committed(
  { git }: Uses<"git">,
  { attempt }: Edited,
): Promise<Result<string, { readonly message: string }>> {
  const head = await readHead(git, worktreeTarget(attempt));
  return head.isErr() ? err(head.error) : head.value.sha === null ? err(NOT_KNOWN) : ok(head.value.sha);
}

/** The tree of the newest run that changes files; else the commit that the attempt began from. */
async function lastLeft(
  { git }: Uses<"git">,
  { attempt, runs }: Pick<Edited, "attempt" | "runs">,
): Promise<Result<string, { readonly message: string }>> {
  const last = workOf(runs).findLast(({ kind, startSha }) => kind !== "publish" && startSha !== null);
  if (last === undefined) return attempt.base.sha === null ? err(NOT_KNOWN) : ok(attempt.base.sha);
  const trees = await readRunTrees(git, worktreeTarget(attempt), last.id);
  if (trees.isErr()) return err(trees.error);
  const left = trees.value.after ?? last.commit;
  return left === null ? err(NOT_KNOWN) : ok(left);
}

/** Such as if the gate kept all of it back: what lies there may be the agent's. */
const NOT_KNOWN = { message: "It is not known what its last run left." };
