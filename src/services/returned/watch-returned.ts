/** Looks for worktrees of attempts that went on elsewhere while this worker was lost, and offers them (ADR 0097). */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type LeftWorktree, leftRef, strangeFolders } from "../../domain/worker/left-worktree.ts";
import { pushCopies } from "../../git/depot/push-copies.ts";
import { leftOfWorker, offerKept, worktreesByHolder } from "../../storage/team/left-worktrees.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { depotOf } from "../depot/depot-of.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { keepOne, placeOf, type ReturnContext, tell } from "./keep-left.ts";

/** So often within the length of a lease. */
const LOOKS = 2;
/** The first push of a repository takes its whole history along. */
const PUSH_MS = 30 * 60_000;

/** Looks at once, and then again: a worker that was only held finds out later that it was lost. */
export function watchReturned(context: ReturnContext): { stop(): void } {
  if (ownWorker(context) === null) return { stop: () => undefined };
  let isLooking = false;
  const look = () => {
    if (isLooking) return;
    isLooking = true;
    keepLeft(context)
      .catch((error) => context.reportFault("keeping what goes on elsewhere", error))
      .finally(() => {
        isLooking = false;
      });
  };
  const timer = setInterval(look, context.timing.leaseMs / LOOKS);
  timer.unref();
  look();
  return { stop: () => clearInterval(timer) };
}

/** What cannot be kept is told of, and tried again at the next look. */
async function keepLeft(context: ReturnContext): Promise<void> {
  const { db, owner, paths } = context;
  const known = await leftOfWorker(db.reader, owner);
  const own = await worktreesByHolder(db.reader, { is: owner });
  const names = new Set(
    strangeFolders({
      names: await readdir(paths.worktrees).catch(() => []),
      own: own.map(({ worktree }) => worktree),
      known: known.map(({ path }) => path),
    }),
  );
  const others = names.size === 0 ? [] : await worktreesByHolder(db.reader, { isNot: owner });
  const found = others.filter(({ worktree }) => names.has(basename(worktree)));
  for (const { id, worktree } of found)
    await one(context, id, () => keepOne(context, id, join(paths.worktrees, basename(worktree))));
  for (const left of await leftOfWorker(db.reader, owner))
    if (left.state === "kept") await one(context, left.attemptId, () => offer(context, left));
}

/** One that fails does not keep the others from being tried. */
async function one(
  context: ReturnContext,
  attempt: string,
  act: () => Promise<string | null>,
): Promise<void> {
  if (context.engineStop.aborted) return;
  const what = `keeping what is here of the attempt ${attempt}`;
  const why = await act().catch((error: unknown) => error);
  if (why !== null) context.reportFault(what, why);
}

/** Null if the depot has it; else why not. */
async function offer(engine: ReturnContext, left: LeftWorktree): Promise<string | null> {
  const here = await placeOf(engine, left.attemptId, left.path);
  const depot = here && (await depotOf(engine, here.repository));
  if (here === null || depot === null) return "there is no depot for it";
  const context = await loadRepositoryGit(engine, here);
  const ref = leftRef(left);
  const pushed = await pushCopies(context.git, repositoryTarget(here.repository), {
    depot,
    refspecs: [`${left.sha}:${ref}`],
    timeoutMs: PUSH_MS,
    signal: context.engineStop,
  });
  const refused = pushed.isOk() ? pushed.value.get(ref) : pushed.error.message;
  if (refused !== undefined) return refused;
  await tell(context, here, (trx) => offerKept(trx, left));
  return null;
}
