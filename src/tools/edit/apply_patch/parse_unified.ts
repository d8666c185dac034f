/** Reads a unified diff: of git, of diff, mailed, or written by hand; text around it is passed over. */
import { err, ok, type Result } from "neverthrow";
import type { FileChange, Hunk, PatchFlaw } from "./change_list.ts";
import { isSignature, parseHunk } from "./parse_hunk.ts";
import { gitHeaderPaths, headerPath, NO_FILE, type PathPair, pairOf, plainPath } from "./patch_paths.ts";

/** What is known of one file so far. */
interface Section {
  readonly patchLine: number;
  /** From `diff --git`; null for a plain diff, or where that line is ambiguous. */
  readonly named: PathPair | null;
  readonly isGit: boolean;
  paths: PathPair | null;
  moved: { kind: "rename" | "copy"; from: string | null; to: string | null } | null;
  isNew: boolean;
  isDeleted: boolean;
  executable: boolean | null;
  readonly hunks: Hunk[];
  /** Whether a mail ends here or another one begins, so that what follows is text. */
  isClosed: boolean;
}

export function parseUnified(lines: readonly string[]): Result<readonly FileChange[], PatchFlaw> {
  const sections: Section[] = [];
  for (let at = 0; at < lines.length; ) {
    const step = readOn(lines, at, sections);
    if (step.isErr()) return err(step.error);
    at = step.value;
  }
  const changes: FileChange[] = [];
  for (const section of sections) {
    const change = changeOf(section);
    if (change.isErr()) return err(change.error);
    changes.push(change.value);
  }
  if (changes.length === 0) return err(flaw(0, "it holds no header of a file (--- and +++, or diff --git)"));
  return ok(changes);
}

/** Reads what begins at a line into the sections, and answers with the index of the line behind it. */
function readOn(lines: readonly string[], at: number, sections: Section[]): Result<number, PatchFlaw> {
  const line = lines[at] ?? "";
  const section = sections.at(-1);
  if (line.startsWith("diff --git ")) {
    sections.push(newSection(at, { named: gitHeaderPaths(line.slice("diff --git ".length)), isGit: true }));
    return ok(at + 1);
  }
  const below = lines[at + 1] ?? "";
  if (line.startsWith("--- ") && below.startsWith("+++ ")) {
    const [old, created] = [headerPath(line.slice(4)), headerPath(below.slice(4))];
    const isOpen = section?.isGit && section.paths === null && speaksOf(section, { old, new: created });
    const target = isOpen ? section : newSection(at, { named: null, isGit: false });
    if (!isOpen) sections.push(target);
    target.paths = pairOf(old, created);
    return ok(at + 2);
  }
  if (line.startsWith("@@@")) return err(unsupported(at, "it is the diff of a merge"));
  if (line.startsWith("@@")) return readHunk(lines, at, section);
  if (section === undefined || section.hunks.length > 0) return readText(line, at, section);
  if (/^GIT binary patch$|^Binary files .* differ$/.test(line))
    return err(unsupported(at, "it changes a binary file"));
  return section.isGit ? readGitLine(line, at, section) : ok(at + 1);
}

function newSection(at: number, { named, isGit }: Pick<Section, "named" | "isGit">): Section {
  const facts = {
    paths: null,
    moved: null,
    isNew: false,
    isDeleted: false,
    executable: null,
    isClosed: false,
  };
  return { patchLine: at + 1, named, isGit, ...facts, hunks: [] };
}

function readHunk(
  lines: readonly string[],
  at: number,
  section: Section | undefined,
): Result<number, PatchFlaw> {
  if (section?.paths === null || section === undefined)
    return err(flaw(at, "a hunk has no file: --- and +++ lines must stand before it"));
  const read = parseHunk(lines, at);
  if (read === null) return err(flaw(at, "a hunk holds no lines"));
  section.hunks.push(read.hunk);
  return ok(read.next);
}

/** Text around the hunks; what looks like a line of one must not be passed over in silence. */
function readText(line: string, at: number, section: Section | undefined): Result<number, PatchFlaw> {
  if (section === undefined) return ok(at + 1);
  if (isSignature(line) || line.startsWith("From ")) section.isClosed = true;
  if (section.isClosed || !/^[+-]/.test(line) || line === "---") return ok(at + 1);
  return err(flaw(at, "a line that adds or deletes stands outside of any hunk"));
}

/** Whether `---` and `+++` lines belong to a `diff --git` line; with prefixes or without. */
function speaksOf({ moved, named }: Section, raw: PathPair): boolean {
  const old = moved?.from ?? named?.old;
  const created = moved?.to ?? named?.new;
  const agrees = (path: string, name: string | undefined) =>
    name === undefined || path === NO_FILE || path === name || path.slice(2) === name;
  return agrees(raw.old, old) && agrees(raw.new, created);
}

/** One of the lines between `diff --git` and the first hunk. */
function readGitLine(line: string, at: number, section: Section): Result<number, PatchFlaw> {
  const [, what = "", value = ""] =
    /^(old mode|new mode|new file mode|deleted file mode|(?:rename|copy) (?:from|to)) (.*)$/.exec(line) ?? [];
  if (what.endsWith("mode") && !/^100(?:644|755|664|600)$/.test(value))
    return err(
      unsupported(at, value === "120000" ? "it changes a symbolic link" : `it has the mode ${value}`),
    );
  if (what === "new file mode") section.isNew = true;
  if (what === "deleted file mode") section.isDeleted = true;
  if (what === "new mode" || what === "new file mode") section.executable = value === "100755";
  const [kind, end] = what.split(" ");
  if (kind === "rename" || kind === "copy") {
    section.moved ??= { kind, from: null, to: null };
    section.moved[end === "from" ? "from" : "to"] = plainPath(value);
  }
  return ok(at + 1);
}

function changeOf(section: Section): Result<FileChange, PatchFlaw> {
  const { patchLine, moved, hunks, executable } = section;
  const rest = { hunks, executable, patchLine };
  if (moved !== null) {
    if (moved.from === null || moved.to === null)
      return err(flaw(patchLine - 1, `a ${moved.kind} says only one of its two names`));
    return ok({ ...rest, kind: moved.kind, oldPath: moved.from, newPath: moved.to });
  }
  const paths = section.paths ?? section.named;
  if (paths === null)
    return err(flaw(patchLine - 1, "the names in the diff --git line cannot be told apart"));
  const isNew = section.isNew || paths.old === NO_FILE;
  const isDeleted = section.isDeleted || paths.new === NO_FILE;
  if (isNew && isDeleted) return err(flaw(patchLine - 1, "it makes and deletes the same file"));
  if (isNew) return ok({ ...rest, kind: "create", oldPath: null, newPath: section.named?.new ?? paths.new });
  if (isDeleted)
    return ok({ ...rest, kind: "delete", oldPath: section.named?.old ?? paths.old, newPath: null });
  if (hunks.length === 0 && executable === null)
    return err(flaw(patchLine - 1, "it names a file and changes nothing"));
  return ok({ ...rest, kind: "modify", oldPath: paths.old, newPath: paths.new });
}

function flaw(at: number, why: string): PatchFlaw {
  return { code: "INVALID_PATCH", patchLine: at + 1, why };
}

function unsupported(at: number, why: string): PatchFlaw {
  return { code: "UNSUPPORTED_CHANGE", patchLine: at + 1, why };
}
