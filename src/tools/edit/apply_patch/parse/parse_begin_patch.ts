/** Reads the form of a patch between `*** Begin Patch` and `*** End Patch`, as some models are trained to write it. */
import { err, ok, type Result } from "neverthrow";
import type { FileChange, Hunk, PatchFlaw } from "./change_list.ts";
import { hunkLines } from "./parse_hunk.ts";
import { plainPath } from "./patch_paths.ts";

const FILE = /^\*\*\* (Add|Update|Delete) File: (.*)$/;
const MOVE = /^\*\*\* Move to: (.*)$/;
const END_OF_FILE = "*** End of File";
const END = "*** End Patch";
/** More than any real nesting. Each anchor costs one search of the whole file. */
const MAX_ANCHORS = 20;

/** `begin` is the index of the first line. A patch without its last line may be cut off, so it is refused. */
export function parseBeginPatch(
  lines: readonly string[],
  begin: number,
): Result<readonly FileChange[], PatchFlaw> {
  const heads = lines.flatMap((line, at) => (at > begin && isHead(line) ? [at] : []));
  const end = heads.find((at) => isLine(lines[at], END));
  if (end === undefined) return err(flaw(lines.length - 1, `it does not end with ${END}`));
  const behind = filledLine(lines, end + 1);
  if (behind !== -1) return err(flaw(behind, `something stands behind ${END}`));
  const first = filledLine(lines, begin + 1);
  if (first === end) return err(flaw(begin, "it names no file"));
  if (first !== heads[0])
    return err(flaw(first, "here must stand *** Add File, *** Update File or *** Delete File"));
  const changes: FileChange[] = [];
  for (const [index, at] of heads.slice(0, heads.indexOf(end)).entries()) {
    const [, what = "", path = ""] = FILE.exec(withoutBlanks(lines[at])) ?? [];
    const change = changeOf(what, plainPath(path), { lines: lines.slice(at + 1, heads[index + 1]), at });
    if (change.isErr()) return err(change.error);
    changes.push(change.value);
  }
  return ok(changes);
}

/** The lines below the header of a file, and the index of that header. */
interface Body {
  readonly lines: readonly string[];
  readonly at: number;
}

function isHead(line: string): boolean {
  return FILE.test(withoutBlanks(line)) || isLine(line, END);
}

/** A line with blanks in front of it is a line of context. */
function isLine(line: string | undefined, wanted: string): boolean {
  return withoutBlanks(line) === wanted;
}

/** The index of the first line at or after `from` that is not blank, or -1. */
function filledLine(lines: readonly string[], from: number): number {
  return lines.findIndex((line, at) => at >= from && withoutBlanks(line) !== "");
}

/** Removes blanks at the end. `trimEnd` would remove the last byte of some characters; a regular expression is slow. */
function withoutBlanks(line = ""): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function changeOf(what: string, path: string, body: Body): Result<FileChange, PatchFlaw> {
  const base = { executable: null, patchLine: body.at + 1 };
  if (what === "Update") return updateOf(path, body);
  const trimmed = withoutBlankEnd(body.lines);
  if (what === "Delete") {
    if (trimmed.length > 0) return err(flaw(body.at + 1, "nothing may stand below *** Delete File"));
    return ok({ ...base, kind: "discard", oldPath: path, newPath: null, hunks: [] });
  }
  const odd = trimmed.findIndex((line) => !line.startsWith("+"));
  if (odd !== -1) return err(flaw(body.at + 1 + odd, "each line of an added file must begin with +"));
  const added = hunkLines(trimmed);
  const hunk = { patchLine: body.at + 1, start: 0, lines: added, anchors: [], atEnd: false };
  return ok({ ...base, kind: "create", oldPath: null, newPath: path, hunks: added.length > 0 ? [hunk] : [] });
}

function updateOf(path: string, { lines, at }: Body): Result<FileChange, PatchFlaw> {
  const moved = MOVE.exec(withoutBlanks(lines[0]))?.[1];
  const from = moved === undefined ? 0 : 1;
  const hunks = hunksOf({ lines: lines.slice(from), at: at + from });
  if (hunks.isErr()) return err(hunks.error);
  if (hunks.value.length === 0 && moved === undefined)
    return err(flaw(at, "it names a file and changes nothing"));
  const newPath = moved === undefined ? path : plainPath(moved);
  const kind = newPath === path ? "modify" : "rename";
  return ok({ kind, oldPath: path, newPath, hunks: hunks.value, executable: null, patchLine: at + 1 });
}

/** Each hunk begins with one or more `@@` lines. The first hunk may lack them. */
function hunksOf({ lines, at }: Body): Result<Hunk[], PatchFlaw> {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let body: string[] = [];
  let began = at + 2;
  const close = (atEnd: boolean) => {
    const found = hunkLines(atEnd ? body : withoutBlankEnd(body));
    if (found.length > 0) hunks.push({ patchLine: began, start: null, lines: found, anchors, atEnd });
    if (found.length > 0) anchors = [];
    body = [];
  };
  for (const [index, line] of lines.entries()) {
    const isHeader = line.startsWith("@@");
    const isEnd = isLine(line, END_OF_FILE);
    if (isHeader || isEnd) close(isEnd);
    if (isHeader) [anchors, began] = [withAnchor(anchors, line), index + at + 2];
    else if (!isEnd) {
      if (line !== "" && !/^[ +\-\\]/.test(line))
        return err(flaw(index + at + 1, "each line of a hunk must begin with a space, + or -"));
      body.push(line);
    }
    if (anchors.length > MAX_ANCHORS) return err(flaw(index + at + 1, "too many @@ lines stand in a row"));
  }
  close(false);
  if (anchors.length > 0) return err(flaw(began - 1, "a hunk holds no lines"));
  return ok(hunks);
}

/** In `@@ -1,2 +1,2 @@ text`, only the text counts as a position: numbers in this form are not reliable. */
function withAnchor(anchors: readonly string[], line: string): string[] {
  const anchor = line
    .replace(/^@@(?: -[\d,]+ \+[\d,]+ @@)?/, "")
    .replace(/ @@$/, "")
    .trim();
  return anchor === "" ? [...anchors] : [...anchors, anchor];
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "" && line !== "\r") + 1);
}

function flaw(at: number, why: string): PatchFlaw {
  return { code: "INVALID_PATCH", patchLine: at + 1, why };
}
