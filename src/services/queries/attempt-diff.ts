/** Shows what an attempt changed against its base, or how it differs from another attempt. */

import { err, ok, type Result, safeTry } from "neverthrow";
import type { ChangedFile } from "../../git/index/diff-records.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { withPatchNow } from "../attempts/attempt-patch.ts";
import type { DiffFiles, DiffView } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { notFound, type Refusal, refuse } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { PageQuery } from "../core/request-shapes.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import type { ComparedFiles } from "./compared-files.ts";
import { readPatch, readPatchAt, streamPatch } from "./patch-file.ts";

/** The most bytes of a patch in one answer. */
const MAX_PATCH_BYTES = 32 * 1024 * 1024;

interface Between {
  readonly other: string | null;
}

interface Listing extends Between {
  readonly filesOf: ComparedFiles;
}

/** Every file and the patch, or those of one file. A patch that is too long is cut after a line, and marked so. */
export async function attemptDiff(
  engine: Uses<"db" | "git" | "configuration">,
  attemptId: string,
  options: Listing & { readonly path: string | null },
): Promise<Result<DiffView, Refusal>> {
  return safeTry(async function* () {
    const { context, target, range } = yield* await comparisonOf(engine, attemptId, options);
    if (range === null) return options.path === null ? ok(NO_DIFF) : err(unchanged(options.path));
    const all = yield* (await options.filesOf(context.git, target, range)).mapErr(gitRefusal);
    const index = options.path === null ? -1 : all.findIndex(({ path }) => path === options.path);
    if (options.path !== null && index < 0) return err(unchanged(options.path));
    const own = all[index];
    const max = MAX_PATCH_BYTES;
    const read =
      own === undefined
        ? readPatch(context.git, { target, comparison: range }, { max })
        : hasOddName(own)
          ? readPatchAt(context.git, { target, comparison: range }, { files: all, index, max })
          : readPatch(context.git, { target, comparison: range, paths: pathsOf(own) }, { max });
    const { patch, shownBytes, bytes } = yield* (await read).mapErr(gitRefusal);
    const files = (own === undefined ? all : [own]).map(shownFile);
    const isCut = shownBytes < bytes;
    return ok({ files, patch, ...(isCut ? { truncated: { shown_bytes: shownBytes, bytes } } : {}) });
  });
}

const NO_DIFF: DiffView = { files: [], patch: "" };

/** The files alone, in pages. */
export async function attemptFiles(
  engine: Uses<"db" | "git" | "configuration">,
  attemptId: string,
  { other, cursor, limit, filesOf }: Listing & PageQuery,
): Promise<Result<DiffFiles, Refusal>> {
  const compared = await comparisonOf(engine, attemptId, { other });
  if (compared.isErr()) return err(compared.error);
  const { context, target, range } = compared.value;
  const found = range === null ? ok([]) : await filesOf(context.git, target, range);
  if (found.isErr()) return err(gitRefusal(found.error));
  const after = cursor === null ? -1 : placeOfCursor(found.value, cursor);
  if (after === null) return err(CHANGED_MEANWHILE);
  const last = after + limit;
  const hasMore = last + 1 < found.value.length;
  return ok({
    files: found.value.slice(after + 1, last + 1).map(shownFile),
    next: hasMore ? cursorAt(found.value, last) : null,
  });
}

/** The whole patch, byte for byte. */
export async function attemptPatch(
  engine: Uses<"db" | "git" | "configuration">,
  attemptId: string,
  options: Between,
): Promise<Result<ReadableStream<Uint8Array>, Refusal>> {
  const compared = await comparisonOf(engine, attemptId, options);
  if (compared.isErr()) return err(compared.error);
  const { context, target, range } = compared.value;
  return ok(range === null ? new Blob([]).stream() : streamPatch(context.git, { target, comparison: range }));
}

/** The position and the name: several names that are not UTF-8 may look the same. */
function cursorAt(files: readonly ChangedFile[], index: number): string {
  return Buffer.from(`${index} ${files[index]?.path}`).toString("base64url");
}

/** Null if another file is at that position now. */
function placeOfCursor(files: readonly ChangedFile[], cursor: string): number | null {
  const index = Number.parseInt(Buffer.from(cursor, "base64url").toString(), 10);
  return files[index] !== undefined && cursorAt(files, index) === cursor ? index : null;
}

/** Git's output was read as UTF-8, and this name is not valid UTF-8. */
function hasOddName({ path, previousPath }: ChangedFile): boolean {
  return `${path}${previousPath ?? ""}`.includes("\ufffd");
}

/** Git shows a rename only if it gets the previous name too. */
function pathsOf({ path, previousPath }: ChangedFile): string[] {
  return previousPath === null ? [path] : [previousPath, path];
}

function shownFile({ path, status, additions, deletions }: ChangedFile): DiffView["files"][number] {
  return { path, status, additions, deletions };
}

interface Compared {
  readonly context: Uses<"git">;
  readonly target: GitTarget;
  readonly range: { readonly from: string; readonly to: string } | null;
}

async function comparisonOf(
  engine: Uses<"db" | "git" | "configuration">,
  attemptId: string,
  options: Between,
): Promise<Result<Compared, Refusal>> {
  const own = await sidesOf(engine, attemptId);
  if (own.isErr()) return err(own.error);
  const other = options.other === null ? null : await sidesOf(engine, options.other);
  if (other?.isErr()) return err(other.error);
  const { context, target } = own.value;
  if (other?.isOk() && other.value.target.gitDir !== target.gitDir)
    return err(elsewhere(attemptId, options.other));
  // Between two attempts from the first to the second, as git does.
  const { from, to } = other?.isOk() ? { from: own.value.to, to: other.value.to } : own.value;
  return ok({ context, target, range: from === null || to === null ? null : { from, to } });
}

interface Sides {
  readonly context: Uses<"git">;
  readonly target: GitTarget;
  /** The two sides that its diff compares; null before a run has made something. */
  readonly from: string | null;
  readonly to: string | null;
}

/** An attempt in which no run has left anything is at its base. */
async function sidesOf(
  engine: Uses<"db" | "git" | "configuration">,
  attemptId: string,
): Promise<Result<Sides, Refusal>> {
  const { reader } = engine.db;
  const place = await findPlace(reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const context = await loadRepositoryGit(engine, place);
  const { attempt, repository } = place;
  const target = repositoryTarget(repository);
  const runs = await runsOfAttempt(reader, attemptId);
  const branch = `refs/heads/${attempt.branch}^{commit}`;
  const tip = attempt.state === "open" ? (await readRef(context.git, target, branch)).unwrapOr(null) : null;
  const now = await withPatchNow(context, { ...place, runs, tip });
  return now
    .map(({ patch, base }) => ({ context, target, from: patch?.from ?? base.sha, to: patch?.to ?? base.sha }))
    .mapErr(gitRefusal);
}

function elsewhere(attempt: string, other: string | null): Refusal {
  const message = "The two attempts are in different repositories, so that git cannot compare them.";
  return refuse("conflict", "another_repository", message, {
    remedy: "Name two attempts of one repository; `tazuna list --all` shows which these are.",
    details: { attempt, other },
  });
}

function unchanged(path: string): Refusal {
  return refuse("not_found", "file_not_changed", `The attempt did not change ${path}.`, {
    remedy: "`?files=only` lists the files that it changed.",
    details: { path },
  });
}

const CHANGED_MEANWHILE = refuse(
  "conflict",
  "changed_meanwhile",
  "The file where the page begins is not changed any more.",
  {
    remedy: "Read the list from its beginning, without `cursor`.",
  },
);

function gitRefusal({ message }: { readonly message: string }): Refusal {
  return refuse("failed", "git_failed", message, { remedy: "Mend what git says, then ask again." });
}
