/** Says which comments that were sent to the agent its run took up: it changed the file at their place. */
import type { Comment, PlacedComment } from "../../domain/comment/comment.ts";
import { blobOf, type FileChange, pathAfter } from "../../domain/comment/follow-file.ts";
import { isTouched, placeAgain, placeOf } from "../../domain/comment/place-comment.ts";
import { isEnded } from "../../domain/run/state.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { getRun } from "../../storage/tables/runs.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { changesBetween, linesOfBlobs } from "./place-comments.ts";

/** What ended runs did about comments; that never changes. */
export type KnownAddressed = Map<string, boolean>;

const MAX_KNOWN = 5_000;

export function createKnownAddressed(): KnownAddressed {
  return new Map();
}

/** `comments` are all of one attempt. */
export async function withAddressed(
  engine: Uses<"db" | "git" | "configuration">,
  comments: readonly PlacedComment[],
  { known, stored }: { readonly known: KnownAddressed; readonly stored: readonly Comment[] },
): Promise<readonly PlacedComment[]> {
  const sent = stored.filter(({ sentWith }) => sentWith !== null);
  for (const [runId, own] of Map.groupBy(sent, ({ sentWith }) => sentWith ?? "")) {
    const unknown = own.filter((comment) => !known.has(keyOf(comment)));
    if (unknown.length > 0) await lookAtRun(engine, runId, { comments: unknown, known });
  }
  for (const oldest of known.keys()) if (known.size > MAX_KNOWN) known.delete(oldest);
  const taken = new Set(sent.filter((comment) => known.get(keyOf(comment))).map(({ id }) => id));
  return comments.map((comment) =>
    taken.has(comment.id) ? { ...comment, addressedIn: comment.sentWith } : comment,
  );
}

function keyOf({ id, sentWith, tree }: Comment): string {
  return `${id} ${sentWith} ${tree}`;
}

async function lookAtRun(
  engine: Uses<"db" | "git" | "configuration">,
  runId: string,
  { comments, known }: { readonly comments: readonly Comment[]; readonly known: KnownAddressed },
): Promise<void> {
  const run = await getRun(engine.db.reader, runId);
  if (run === null || !isEnded(run.status)) return;
  const place = await findPlace(engine.db.reader, run.attemptId);
  if (place === null) return;
  const context = await loadRepositoryGit(engine, place);
  const target = repositoryTarget(place.repository);
  const trees = await readRunTrees(context.git, target, runId);
  if (trees.isErr()) return;
  const { before, after } = trees.value;
  // The gate may have kept all of it back.
  if (before === null || after === null) return;
  const changes = await changesBetween(context, target, { from: before, to: after });
  if (changes === null) return;
  for (const comment of comments)
    known.set(
      keyOf(comment),
      changes.length > 0 && (await isAddressed(context, target, { comment, before, changes })),
    );
}

interface Asked {
  readonly comment: Comment;
  /** The tree with which the run began. */
  readonly before: string;
  readonly changes: readonly FileChange[];
}

async function isAddressed(
  context: Uses<"git">,
  target: GitTarget,
  { comment, before, changes }: Asked,
): Promise<boolean> {
  const { tree, side, line, quoted } = comment;
  const earlier = tree === null ? [] : await changesBetween(context, target, { from: tree, to: before });
  const path = pathAfter(comment.path, earlier ?? []);
  const change = changes.find((one) => (one.previousPath ?? one.path) === path);
  if (change === undefined) return false;
  const [old, now] = [blobOf(change, "old"), blobOf(change, "new")];
  // A comment on a line that is gone is about the file: it has no line there any more.
  if (side === "old" || line === null || quoted === null || old === null || now === null) return old !== now;
  const texts = await linesOfBlobs(context, target, [old, now]);
  const [lines, after] = [texts.get(old), texts.get(now)];
  if (lines === undefined || after === undefined) return old !== now;
  const own = placeAgain({ line, quoted }, lines) ?? placeOf(comment);
  return own !== null && isTouched(own, lines, after);
}
