/** Makes an attempt's worktree and branch, or finishes what a crash left half made (seed 003 Phase 1). */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { freeBranchName, nameInTheWay } from "../../domain/repository/branch-names.ts";
import { decideRecovery } from "../../domain/run/recovery.ts";
import { wasKilled } from "../../git/process/git-error.ts";
import { listRefs } from "../../git/refs/refs.ts";
import { overKilled } from "../../git/runner/ask-again.ts";
import {
  type AddWorktreeError,
  addWorktree,
  addWorktreeOnBranch,
  type WorktreeInfo,
} from "../../git/worktree/worktree-add.ts";
import { inspectWorktree, type WorktreePlace } from "../../git/worktree/worktree-list.ts";
import type { PruneError } from "../../git/worktree/worktree-prune.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { isThere } from "../../utils/files/is-there.ts";
import type { TakenNames } from "../branches/taken-names.ts";
import type { GitContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";
import { storeFacts, storeFactsIn } from "../run-core/move-run.ts";
import type { RunWorld } from "../run-core/step.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { putHalfMadeAside } from "./half-made.ts";

interface MadeWorktree {
  readonly gitDir: string;
  readonly branch: string;
  /** The commit of HEAD; null for a worktree that existed before. */
  readonly headSha: string | null;
  /** Whether its files are still to be written. */
  readonly needsCheckout: boolean;
}

export type MakeWorktreeError = AddWorktreeError | PruneError;

interface WorktreeRequest {
  /** The git directory of the user's checkout, from which sparse patterns are inherited. */
  readonly checkoutGitDir: string;
  /** The commit at which a new branch begins; null: the branch exists and the worktree is made on it. */
  readonly baseSha: string | null;
  /** Null if the base is a tag or a commit. */
  readonly baseBranch: string | null;
  /** Branches of the remote, whose names a new branch may not take; null if no new branch is made. */
  readonly taken: TakenNames | null;
}

/** Git works under the repository's lock, for which other runs wait; the checkout comes afterwards, outside it. */
export async function makeWorktree(
  context: WorktreeContext,
  world: RunWorld,
  request: WorktreeRequest,
): Promise<Result<MadeWorktree, MakeWorktreeError>> {
  const locked: Guard = (act) => context.locks.shared(world.repository.commonDir, act);
  let known = world;
  const blocked = blockedName(world, request);
  if (blocked !== null) return err(blocked);
  if (await isFirstTry(world, request)) {
    const first = { request, name: world.attempt.branch, isNew: true, guard: locked };
    const made = await addAndStore(context, world, first);
    if (made.isOk() || !(made.error.kind === "branch_taken" || wasKilled(made.error))) return made;
    // If git reports a branch of that name, it is not ours. After a kill, such a branch counts as ours, as
    // after a crash.
    if (wasKilled(made.error)) known = await asIntended(context, world);
  }
  return overKilled(async () => {
    const made = await locked(() => makeUnderFreeName(context, known, request));
    known = await asIntended(context, world);
    return made;
  });
}

/** How often others may take a name first: each time one more name is taken. */
const MAX_NAMES = 20;

/** Another engine may make branches of this repository at the same time: a name that it took is not ours. */
async function makeUnderFreeName(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  request: WorktreeRequest,
): Promise<Result<MadeWorktree, MakeWorktreeError>> {
  let known = world;
  for (let names = 1; ; names++) {
    const made = await makeLocked(context, known, request);
    if (made.isOk() || request.baseSha === null || !isAnothers(made.error)) return made;
    // Without its base, a branch of that name no longer counts as one that a crash left without a worktree.
    const { branch, base } = world.attempt;
    const unmade = { branch, base: { ...base, sha: null } };
    known = { ...world, attempt: { ...world.attempt, ...unmade } };
    if (names < MAX_NAMES) continue;
    await storeFacts(context, world, { attempt: unmade });
    return made;
  }
}

function isAnothers({ kind }: MakeWorktreeError): boolean {
  return kind === "branch_taken" || kind === "branch_checked_out";
}

/** The world with the branch and base that a try recorded before it began. */
async function asIntended(context: Uses<"db">, world: RunWorld): Promise<RunWorld> {
  const attempt = await getAttempt(context.db.reader, world.attempt.id);
  return attempt === null ? world : { ...world, attempt };
}

/** Looks at what is there and acts on it, all under the one lock. */
async function makeLocked(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  request: WorktreeRequest,
): Promise<Result<MadeWorktree, MakeWorktreeError>> {
  return safeTry(async function* () {
    const { attempt, repository } = world;
    const place = yield* await inspectWorktree(context.git, repositoryTarget(repository), {
      path: attempt.worktree,
      branch: attempt.branch,
    });
    const whole = wholeWorktree(place, attempt.branch);
    if (whole !== null) {
      await storeFacts(context, world, { attempt: { ...heldHere(context, world), gitDir: whole.gitDir } });
      return ok(whole);
    }
    const nothingThere = place.directory === "absent" && place.registered === null;
    const decision = decideRecovery(world.run, {
      of: "preparing",
      worktree: nothingThere ? "none" : "half_made",
    });
    if (decision.action === "remove_half_made") {
      yield* await putHalfMadeAside(context, world, place);
    }
    const branch = yield* await branchToMake(context, world, { request, place });
    return addAndStore(context, world, { ...branch, request, guard: (act) => act() });
  });
}

/** Nothing of this attempt can be there yet; if that is wrong, git reports it. */
async function isFirstTry(world: RunWorld, request: WorktreeRequest): Promise<boolean> {
  const { attempt } = world;
  if (request.baseSha === null || attempt.base.sha !== null || attempt.gitDir !== null) return false;
  if (isTaken(request, attempt.branch)) return false;
  return !(await isThere(attempt.worktree));
}

function isTaken({ taken }: WorktreeRequest, name: string): boolean {
  return freeBranchName(name, taken?.names ?? []) !== name;
}

/** The error if a branch of the remote makes the new one's name impossible there. */
function blockedName({ attempt }: RunWorld, { taken }: WorktreeRequest): AddWorktreeError | null {
  const { branch } = attempt;
  const blockedBy = taken === null ? null : nameInTheWay(branch, taken.names);
  if (taken === null || blockedBy === null) return null;
  const message = `the branch ${branch} cannot be pushed beside the branch ${blockedBy} of ${taken.remote}`;
  return { kind: "branch_name_blocked", branch, blockedBy, remote: taken.remote, message };
}

interface BranchRequest {
  readonly request: WorktreeRequest;
  readonly name: string;
  readonly isNew: boolean;
  readonly guard: Guard;
}

/** How to run git: under the repository's lock, or directly if that is held already. */
type Guard = <T>(act: () => Promise<T>) => Promise<T>;

async function addAndStore(
  context: GitContext,
  world: RunWorld,
  branch: BranchRequest,
): Promise<Result<MadeWorktree, AddWorktreeError>> {
  const made = await add(context, world, branch);
  return made.map(({ gitDir, headSha }) => ({ gitDir, headSha, branch: branch.name, needsCheckout: true }));
}

/** The worktree, if it was registered, linked both ways and on its branch before: only its files may be missing. */
export function wholeWorktree(place: WorktreePlace, branch: string): MadeWorktree | null {
  if (place.registered === null || place.registered.branch !== branch || place.gitDir === null) return null;
  if (place.branchSha === null) return null;
  return { gitDir: place.gitDir, branch, headSha: null, needsCheckout: !place.hasIndex };
}

/**
 * A new name, or an existing branch: the person's own, a lost worktree's, or one that a crash left.
 */
async function branchToMake(
  context: Uses<"git">,
  world: RunWorld,
  wanted: { readonly request: WorktreeRequest; readonly place: WorktreePlace },
): Promise<Result<{ name: string; isNew: boolean }, AddWorktreeError>> {
  const { attempt, repository } = world;
  const { place, request } = wanted;
  const leftByCrash =
    place.branchSha !== null && place.branchSha === attempt.base.sha && !attempt.branchExisted;
  if (request.baseSha === null || leftByCrash) return ok({ name: attempt.branch, isNew: false });
  if (place.branchSha === null && !isTaken(request, attempt.branch))
    return ok({ name: attempt.branch, isNew: true });
  const refs = await listRefs(context.git, repositoryTarget(repository), { prefixes: ["refs/heads"] });
  if (refs.isErr()) return err(refs.error);
  const branches = refs.value.map((ref) => ref.name.replace(/^refs\/heads\//, ""));
  const taken = [...branches, ...(request.taken?.names ?? [])];
  return ok({ name: freeBranchName(attempt.branch, taken), isNew: true });
}

/** From its intention on, the worktree is this data folder's. Another one may have held the attempt before. */
function heldHere({ owner }: Uses<"owner">, { attempt: { worktree, gitDir } }: RunWorld) {
  return { workerId: owner, worktree, gitDir };
}

/** Stores the names with the intention, before git uses them, and the git directory with the result. */
async function add(
  context: GitContext,
  world: RunWorld,
  branch: BranchRequest,
): Promise<Result<WorktreeInfo, AddWorktreeError>> {
  const { attempt } = world;
  await mkdir(dirname(attempt.worktree), { recursive: true, mode: 0o700 });
  // A branch that a crash left without a worktree keeps its base, even if a newer one exists.
  const base = {
    branch: branch.request.baseBranch,
    sha: branch.isNew ? branch.request.baseSha : attempt.base.sha,
  };
  const baseBranch = branch.request.baseBranch ?? branch.request.baseSha ?? "";
  const common = { path: attempt.worktree, branch: branch.name, baseBranch };
  const { baseSha, checkoutGitDir } = branch.request;
  const target = { gitDir: checkoutGitDir, workTree: null };
  return journaled(
    context,
    {
      kind: "worktree_add",
      subject: { type: "attempt", id: attempt.id },
      before: { ...common, baseSha },
      intend: async (trx) =>
        void (await storeFactsIn(trx, world, {
          attempt: { ...heldHere(context, world), branch: branch.name, base },
        })),
    },
    () =>
      branch.guard(() =>
        branch.isNew && baseSha !== null
          ? addWorktree(context.git, target, { ...common, baseSha })
          : addWorktreeOnBranch(context.git, target, common),
      ),
    (info) => ({ path: info.path, branch: info.branchName, gitDir: info.gitDir, sha: info.headSha }),
    async (trx, { gitDir }) => void (await storeFactsIn(trx, world, { attempt: { gitDir } })),
  );
}
