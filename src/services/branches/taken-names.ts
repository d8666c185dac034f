/** Lists the branches at the place to which an attempt will be pushed: it takes none of their names. */
import { ok, type Result } from "neverthrow";
import type { GitError } from "../../git/process/git-error.ts";
import { listRefs } from "../../git/refs/refs.ts";
import { pushedBranches } from "../../git/remote/ls-remote.ts";
import { type ChosenRemotes, fetchesAllBranches } from "../../git/remote/remote.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";
import { repositoryTarget } from "../run-core/targets.ts";

export interface TakenNames {
  /** The remote's name. */
  readonly remote: string;
  readonly names: ReadonlySet<string>;
}

/** In milliseconds. The names are asked for before the agent starts. If that fails, the first push finds out. */
const ASK_MS = 15_000;
const ASK_OFFLINE_MS = 5_000;

/**
 * Read from the remote-tracking references if a fetch has just brought all branches of the push address. Else that
 * address is asked. If it does not answer, what is known of it counts: the first push makes a branch and changes none.
 */
export async function takenNames(
  context: Uses<"git">,
  world: RunWorld,
  remotes: ChosenRemotes | null,
): Promise<Result<TakenNames, GitError>> {
  if (remotes === null) return ok({ remote: "", names: new Set() });
  const { fetch, push } = remotes;
  const remote = push.name;
  const tracked = await trackedBranches(context, world, remote);
  if (tracked.isErr()) return tracked.map((names) => ({ remote, names }));
  const isFresh = !world.run.offline && fetch.name === push.name && !push.pushesElsewhere;
  if (isFresh && fetchesAllBranches(fetch)) return ok({ remote, names: tracked.value });
  const asked = await pushedBranches(context.git, repositoryTarget(world.repository), {
    remote: push,
    timeoutMs: world.run.offline ? ASK_OFFLINE_MS : ASK_MS,
    signal: world.signal,
  });
  return ok({ remote, names: asked.unwrapOr(tracked.value) });
}

async function trackedBranches(
  context: Uses<"git">,
  { repository }: RunWorld,
  remote: string,
): Promise<Result<ReadonlySet<string>, GitError>> {
  const prefix = `refs/remotes/${remote}/`;
  const refs = await listRefs(context.git, repositoryTarget(repository), { prefixes: [prefix] });
  return refs.map(
    (all) =>
      new Set(all.filter(({ symref }) => symref === null).map(({ name }) => name.slice(prefix.length))),
  );
}
