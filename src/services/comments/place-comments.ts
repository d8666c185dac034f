/** Puts comments at their place in the patch as it is now, by the text of their lines. */
import { createRedactor } from "../../domain/agent/redact.ts";
import type { Comment, PlacedComment } from "../../domain/comment/comment.ts";
import { blobOf, changeAt, type FileChange, pathAfter } from "../../domain/comment/follow-file.ts";
import { linesOf, placeAgain } from "../../domain/comment/place-comment.ts";
import { REDACTED } from "../../domain/text/redacted.ts";
import { blobTexts } from "../../git/index/blob-texts.ts";
import { diffRecords } from "../../git/index/diff.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Sides, sidesOf } from "../diffs/compared-sides.ts";

/** A longer file has no lines to comment on. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** In the given order. If git cannot tell, they stay at the place that is stored. */
export async function placeComments(
  engine: Uses<"db" | "git" | "configuration" | "tokens">,
  attemptId: string,
  comments: readonly Comment[],
): Promise<readonly PlacedComment[]> {
  const anchored = comments.filter(({ tree }) => tree !== null);
  const sides = anchored.length === 0 ? null : (await sidesOf(engine, attemptId)).unwrapOr(null);
  const moved = anchored.filter(({ tree }) => sides !== null && tree !== sides.to);
  const places =
    sides === null || moved.length === 0 ? new Map() : await placesNow(sides, moved, engine.tokens);
  return comments.map((comment) => ({
    ...comment,
    outdated: false,
    addressedIn: null,
    ...places.get(comment.id),
  }));
}

type NewPlace = Pick<PlacedComment, "path" | "line" | "endLine" | "tree" | "outdated">;

/** By comment. */
async function placesNow(
  { context, target, from, to }: Sides,
  comments: readonly Comment[],
  tokens: readonly string[],
): Promise<ReadonlyMap<string, NewPlace>> {
  if (from === null || to === null) return new Map();
  const patch = await changesBetween(context, target, { from, to });
  if (patch === null) return new Map();
  const since = new Map<string, readonly FileChange[]>();
  for (const tree of new Set(comments.map((comment) => comment.tree ?? to)))
    since.set(tree, (await changesBetween(context, target, { from: tree, to })) ?? []);
  const files = comments.map((comment) => {
    const path = pathAfter(comment.path, since.get(comment.tree ?? to) ?? []);
    const change = path === null ? changeAt(comment.path, patch) : changeAt(path, patch);
    return { comment, change, sha: change === null ? null : blobOf(change, comment.side) };
  });
  const shas = files.flatMap(({ sha, comment }) => (sha === null || comment.line === null ? [] : [sha]));
  const texts = await linesOfBlobs(context, target, shas);
  const redact = createRedactor({ values: tokens }).text;
  return new Map(
    files.map(({ comment, change, sha }) => [
      comment.id,
      placeNow(comment, { to, change, lines: sha === null ? null : (texts.get(sha) ?? null), redact }),
    ]),
  );
}

interface FileNow {
  readonly to: string;
  /** Null if the patch does not have the file any more. */
  readonly change: FileChange | null;
  /** Null if there is no text on that side. */
  readonly lines: readonly string[] | null;
  /** Secrets are stored as this leaves them. */
  readonly redact: (text: string) => string;
}

function placeNow(comment: Comment, { to, change, lines, redact }: FileNow): NewPlace {
  const { path, line, endLine, tree, quoted } = comment;
  const outdated = { path, line, endLine, tree, outdated: true };
  if (change === null) return outdated;
  if (line === null || quoted === null)
    return { path: change.path, line, endLine, tree: to, outdated: false };
  const again = (among: readonly string[]) => placeAgain({ line, quoted }, among);
  const masked = quoted.includes(REDACTED) ? (lines?.map(redact) ?? []) : [];
  const found = again(lines ?? []) ?? again(masked);
  if (found === null) return outdated;
  const last = endLine === null ? null : found.endLine;
  return { path: change.path, line: found.line, endLine: last, tree: to, outdated: false };
}

/** Null if git cannot compare them. */
export async function changesBetween(
  { git }: Uses<"git">,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
): Promise<readonly FileChange[] | null> {
  return (await diffRecords(git, target, range)).unwrapOr(null);
}

/** By blob. One that is binary, too long or gone is left out. */
export async function linesOfBlobs(
  { git }: Uses<"git">,
  target: GitTarget,
  shas: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = await blobTexts(git, target, { shas, maxBytes: MAX_FILE_BYTES });
  return new Map([...texts.unwrapOr(new Map<string, string>())].map(([sha, text]) => [sha, linesOf(text)]));
}
