/** Reads the form of a patch that stands between `*** Begin Patch` and `*** End Patch`, as some models are trained to write it. */
import { err, ok, type Result } from "neverthrow";
import type { FileChange, Hunk, PatchFlaw } from "./change_list.ts";
import { hunkLines } from "./parse_hunk.ts";
import { plainPath } from "./patch_paths.ts";

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const MOVE = /^\*\*\* Move to: (.+?)\s*$/;
const END_OF_FILE = "*** End of File";
const END = "*** End Patch";

/** `begin` is the index of the first line. A patch without its last line may have been cut off, and is refused. */
export function parseBeginPatch(
  lines: readonly string[],
  begin: number,
): Result<readonly FileChange[], PatchFlaw> {
  const end = lines.findIndex((line, at) => at > begin && line.trim() === END);
  if (end === -1) return err(flaw(lines.length - 1, `it does not end with ${END}`));
  const changes: FileChange[] = [];
  for (let at = begin + 1; at < end; ) {
    const [, what, path = ""] = FILE.exec(lines[at] ?? "") ?? [];
    if (what === undefined && (lines[at] ?? "").trim() === "") at += 1;
    else if (what === undefined)
      return err(flaw(at, "here must stand *** Add File, *** Update File or *** Delete File"));
    else {
      const next = lines.findIndex((line, index) => index > at && index <= end && isSection(line));
      const change = changeOf(what, plainPath(path), { lines: lines.slice(at + 1, next), at });
      if (change.isErr()) return err(change.error);
      changes.push(change.value);
      at = next;
    }
  }
  if (changes.length === 0) return err(flaw(begin, "it names no file"));
  return ok(changes);
}

/** The lines below the header of a file, and the index of that header. */
interface Body {
  readonly lines: readonly string[];
  readonly at: number;
}

function isSection(line: string): boolean {
  return FILE.test(line) || line.trim() === END;
}

function changeOf(what: string, path: string, body: Body): Result<FileChange, PatchFlaw> {
  const base = { executable: null, patchLine: body.at + 1 };
  if (what === "Update") return updateOf(path, body);
  const trimmed = withoutBlankEnd(body.lines);
  if (what === "Delete") {
    if (trimmed.length > 0) return err(flaw(body.at + 1, "nothing may stand below *** Delete File"));
    return ok({ ...base, kind: "delete", oldPath: path, newPath: null, hunks: [] });
  }
  const odd = trimmed.findIndex((line) => !line.startsWith("+"));
  if (odd !== -1) return err(flaw(body.at + 1 + odd, "each line of an added file must begin with +"));
  const added = hunkLines(trimmed);
  const hunk = { patchLine: body.at + 1, start: 0, lines: added, anchors: [], atEnd: false };
  return ok({ ...base, kind: "create", oldPath: null, newPath: path, hunks: added.length > 0 ? [hunk] : [] });
}

function updateOf(path: string, { lines, at }: Body): Result<FileChange, PatchFlaw> {
  const moved = MOVE.exec(lines[0] ?? "")?.[1];
  const from = moved === undefined ? 0 : 1;
  const hunks = hunksOf({ lines: lines.slice(from), at: at + from });
  if (hunks.isErr()) return err(hunks.error);
  if (hunks.value.length === 0 && moved === undefined)
    return err(flaw(at, "it names a file and changes nothing"));
  const newPath = moved === undefined ? path : plainPath(moved);
  const kind = newPath === path ? "modify" : "rename";
  return ok({ kind, oldPath: path, newPath, hunks: hunks.value, executable: null, patchLine: at + 1 });
}

/** Each begins with one or more `@@` lines; the first one may do without. */
function hunksOf({ lines, at }: Body): Result<Hunk[], PatchFlaw> {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let body: string[] = [];
  let began = at + 2;
  const close = (atEnd: boolean) => {
    const found = hunkLines(withoutBlankEnd(body));
    if (found.length > 0) hunks.push({ patchLine: began, start: null, lines: found, anchors, atEnd });
    if (found.length > 0) anchors = [];
    body = [];
  };
  for (const [index, line] of lines.entries()) {
    const isHeader = line.startsWith("@@");
    if (isHeader || line.trim() === END_OF_FILE) close(!isHeader);
    if (isHeader) [anchors, began] = [withAnchor(anchors, line), index + at + 2];
    else if (line.trim() !== END_OF_FILE) {
      if (line !== "" && !/^[ +\-\\]/.test(line))
        return err(flaw(index + at + 1, "each line of a hunk must begin with a space, + or -"));
      body.push(line);
    }
  }
  close(false);
  if (anchors.length > 0) return err(flaw(began - 1, "a hunk holds no lines"));
  return ok(hunks);
}

/** Of `@@ -1,2 +1,2 @@ text` too only the text says where: numbers in this form are not to be relied on. */
function withAnchor(anchors: readonly string[], line: string): string[] {
  const anchor = line
    .replace(/^@@(?: -[\d,]+ \+[\d,]+ @@)?/, "")
    .replace(/ @@$/, "")
    .trim();
  return anchor === "" ? [...anchors] : [...anchors, anchor];
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "" || line.length > 1) + 1);
}

function flaw(at: number, why: string): PatchFlaw {
  return { code: "INVALID_PATCH", patchLine: at + 1, why };
}
