/** Shows a diff, its files in pages, or its whole patch: of an attempt, between two, or of a run. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { DiffFiles, DiffView } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { BAD_CURSOR, type Refusal, refuse } from "../core/refusal.ts";
import type { DiffOf, PageQuery } from "../core/request-shapes.ts";
import type { ComparedFile, ComparedFiles } from "./compared-files.ts";
import { comparedSides, gitRefusal } from "./compared-sides.ts";
import { readPatch, readPatchAt, streamPatch } from "./patch-file.ts";

/** The most bytes of a patch in one answer. */
const MAX_PATCH_BYTES = 32 * 1024 * 1024;

interface Listing {
  readonly filesOf: ComparedFiles;
}

/** Every file and the patch, or those of one file. A patch that is too long is cut after a line, and marked so. */
export async function showDiff(
  engine: Uses<"db" | "git" | "configuration">,
  of: DiffOf,
  options: Listing & { readonly path: string | null },
): Promise<Result<DiffView, Refusal>> {
  return safeTry(async function* () {
    const { context, target, range } = yield* await comparedSides(engine, of);
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
export async function diffFilesOf(
  engine: Uses<"db" | "git" | "configuration">,
  of: DiffOf,
  { cursor, limit, filesOf }: Listing & PageQuery,
): Promise<Result<DiffFiles, Refusal>> {
  const compared = await comparedSides(engine, of);
  if (compared.isErr()) return err(compared.error);
  const { context, target, range } = compared.value;
  const found = range === null ? ok([]) : await filesOf(context.git, target, range);
  if (found.isErr()) return err(gitRefusal(found.error));
  const after = cursor === null ? -1 : placeOfCursor(cursor);
  if (after === null) return err(BAD_CURSOR);
  if (cursor !== null && cursorAt(found.value, after) !== cursor) return err(CHANGED_MEANWHILE);
  const last = after + limit;
  const hasMore = last + 1 < found.value.length;
  return ok({
    files: found.value.slice(after + 1, last + 1).map(shownFile),
    next: hasMore ? cursorAt(found.value, last) : null,
  });
}

/** The whole patch, byte for byte. */
export async function wholePatch(
  engine: Uses<"db" | "git" | "configuration">,
  of: DiffOf,
): Promise<Result<ReadableStream<Uint8Array>, Refusal>> {
  const compared = await comparedSides(engine, of);
  if (compared.isErr()) return err(compared.error);
  const { context, target, range } = compared.value;
  return ok(range === null ? new Blob([]).stream() : streamPatch(context.git, { target, comparison: range }));
}

/** The position and the name: several names that are not UTF-8 may look the same. */
function cursorAt(files: readonly ComparedFile[], index: number): string {
  return Buffer.from(`${index} ${files[index]?.path}`).toString("base64url");
}

/** Null if no page named it. */
function placeOfCursor(cursor: string): number | null {
  const found = /^(\d{1,15}) ./s.exec(Buffer.from(cursor, "base64url").toString());
  return found === null ? null : Number(found[1]);
}

/** Git's output was read as UTF-8, and this name is not valid UTF-8. */
function hasOddName({ path, previousPath }: ComparedFile): boolean {
  return `${path}${previousPath ?? ""}`.includes("\ufffd");
}

/** Git shows a rename only if it gets the previous name too. */
function pathsOf({ path, previousPath }: ComparedFile): string[] {
  return previousPath === null ? [path] : [previousPath, path];
}

function shownFile({ path, status, additions, deletions, sizes }: ComparedFile): DiffView["files"][number] {
  return { path, status, additions, deletions, sizes };
}

export function unchanged(path: string): Refusal {
  return refuse("not_found", "file_not_changed", `${path} is not changed there.`, {
    remedy: "`?files=only` lists the files that are changed.",
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
