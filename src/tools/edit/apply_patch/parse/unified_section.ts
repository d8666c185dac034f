/** Collects what a unified diff states about one file, and decides what it asks for. */
import { err, ok, type Result } from "neverthrow";
import type { FileChange, Hunk, PatchFlaw } from "./change_list.ts";
import { NO_FILE, type PathPair, plainPath } from "./patch_paths.ts";

/** The known facts about one file so far. */
export interface Section {
  readonly patchLine: number;
  /** From `diff --git`; null for a plain diff, or if that line is ambiguous. */
  readonly named: PathPair | null;
  readonly isGit: boolean;
  paths: PathPair | null;
  moved: { kind: "rename" | "copy"; from: string | null; to: string | null } | null;
  isNew: boolean;
  isDeleted: boolean;
  executable: boolean | null;
  /** Whether it names two different contents. Only hunks can then say how they differ. */
  isChanged: boolean;
  readonly hunks: Hunk[];
  /** Whether a mail ends here or another one begins, so that the following lines are text. */
  isClosed: boolean;
}

/** `at` is the index of its first line. */
export function newSection(at: number, { named, isGit }: Pick<Section, "named" | "isGit">): Section {
  const facts = {
    paths: null,
    moved: null,
    isNew: false,
    isDeleted: false,
    executable: null,
    isChanged: false,
    isClosed: false,
  };
  return { patchLine: at + 1, named, isGit, ...facts, hunks: [] };
}

/** Whether `---` and `+++` lines belong to a `diff --git` line, with or without prefixes. */
export function speaksOf({ moved, named }: Section, raw: PathPair): boolean {
  const old = moved?.from ?? named?.old;
  const created = moved?.to ?? named?.new;
  const agrees = (path: string, name: string | undefined) =>
    name === undefined || path === NO_FILE || path === name || path.slice(2) === name;
  return agrees(raw.old, old) && agrees(raw.new, created);
}

const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;
/** The ids that git prints for a missing file, and for an empty file with each of its hashes. */
const EMPTY = [
  "0".repeat(64),
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];
const MODE =
  /^(?:(old mode|new mode|new file mode|deleted file mode) |index [0-9a-f]+\.\.[0-9a-f]+ )(\d+)\s*$/;
const MOVED = /^(rename|copy) (from|to) (.*)$/;

/** Reads one of the lines between `diff --git` and the first hunk. `at` is its index. */
export function readGitLine(line: string, at: number, section: Section): Result<number, PatchFlaw> {
  const [isMode, what, mode = ""] = MODE.exec(line) ?? [];
  if (isMode !== undefined && !/^100(?:644|755|664|600)$/.test(mode))
    return err(unsupported(at, `it changes ${SPECIAL[mode] ?? `a file of the mode ${mode}`}`));
  if (what === "new file mode") section.isNew = true;
  if (what === "deleted file mode") section.isDeleted = true;
  if (what === "new mode" || what === "new file mode") section.executable = mode === "100755";
  const [, old = "", created = ""] = INDEX.exec(line) ?? [];
  section.isChanged ||= old !== created && !(isEmpty(old) && isEmpty(created));
  const [, kind, end, path = ""] = MOVED.exec(line) ?? [];
  if (kind === "rename" || kind === "copy") {
    section.moved ??= { kind, from: null, to: null };
    section.moved[end === "from" ? "from" : "to"] = plainPath(path);
  }
  return ok(at + 1);
}

/** The first digits of an id are enough, because git shortens ids. */
function isEmpty(id: string): boolean {
  return EMPTY.some((name) => name.startsWith(id));
}

const SPECIAL: Readonly<Record<string, string>> = { 120000: "a symbolic link", 160000: "a submodule" };

export function changeOf(section: Section): Result<FileChange, PatchFlaw> {
  const { patchLine, moved, hunks, executable, isChanged } = section;
  if (isChanged && hunks.length === 0)
    return err(flaw(patchLine - 1, "its index line says that the content changes, and no hunk says how"));
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

/** `at` is the index of a line. */
export function flaw(at: number, why: string): PatchFlaw {
  return { code: "INVALID_PATCH", patchLine: at + 1, why };
}

export function unsupported(at: number, why: string): PatchFlaw {
  return { code: "UNSUPPORTED_CHANGE", patchLine: at + 1, why };
}
