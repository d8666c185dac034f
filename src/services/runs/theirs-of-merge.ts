/** Tells what the other side of a merge in progress holds, where it differs from ours. */
import { ok, type Result } from "neverthrow";
import { visitDiff } from "../../git/diff-records.ts";
import type { RemoteError } from "../../git/remote-error.ts";
import type { GitTarget } from "../../git/run-git.ts";
import type { ServiceContext } from "../context.ts";
import { readMergeHead } from "./record-start.ts";
import type { RunWorld } from "./step.ts";

/** Blobs by path; empty where nothing is being merged. What the proof let pass was begun by a person or by Tazuna. */
export async function theirsOfMerge(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<ReadonlyMap<string, string>, RemoteError>> {
  const { gitDir } = world.attempt;
  const merging = gitDir === null ? null : await readMergeHead(gitDir);
  if (merging === null) return ok(new Map());
  const theirs = new Map<string, string>();
  const visited = await visitDiff(context.git, target, { from: "HEAD", to: merging }, () => ({
    record: ({ path, sha }) => theirs.set(path, sha),
    lines: () => {},
  }));
  return visited.map(() => theirs);
}
