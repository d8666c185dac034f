/** Decides by spelling alone whether a path stays inside the workspace; the program that runs git resolves links. */
import { type Judgement, judgementOf } from "../verdicts/judgement.ts";
import { type Finding, never } from "../verdicts/verdict.ts";

/** Both absolute, with `/` between names, without `.` and `..`. */
export interface Place {
  readonly root: string;
  readonly cwd: string;
  /** Absolute paths of files that git would delete unchecked. */
  readonly unguarded: readonly string[];
  /** Known names of the configured remotes and their groups. */
  readonly remotes: readonly string[];
  /** Repositories on this machine that the host granted, absolute. */
  readonly localRepositories: readonly string[];
}

/** Known facts beside the root and the folder. */
interface PlaceFacts {
  readonly unguarded?: readonly string[];
  readonly remotes?: readonly string[];
  readonly localRepositories?: readonly string[];
}

/** In UTF-16 units. Longer paths are refused. */
const MAX_LENGTH = 4096;

/** Null if one of them is not absolute, or if the folder lies outside the workspace. */
export function placeOf(workspaceRoot: string, cwd: string, facts: PlaceFacts = {}): Place | null {
  const { unguarded = [], remotes = [], localRepositories = [] } = facts;
  const root = absolute(workspaceRoot);
  if (root === null) return null;
  const workingDirectory = resolvePath(root, cwd);
  if (!contains(root, workingDirectory)) return null;
  return {
    root,
    cwd: workingDirectory,
    unguarded: unguarded.map((path) => resolvePath(root, path)),
    remotes,
    localRepositories,
  };
}

/** The flaw of `text` as the name of a file or folder; null if there is none. */
export function pathFinding(place: Place, given: string, text: string): Finding | null {
  const flaw = flawOf(text);
  if (flaw !== null) return never(given, { rule: "path.invalid", because: flaw }, "INVALID_ARGUMENT");
  if (isForeign(place, text) || !contains(place.root, resolvePath(place.cwd, text)))
    return never(
      given,
      {
        rule: "path.outside",
        because: given === text ? "leads out of the workspace" : `leads out of the workspace: ${text}`,
        instead: "Name a path inside the workspace.",
      },
      "OUTSIDE_WORKSPACE",
    );
  return null;
}

/**
 * Whether a pathspec without its magic may select a file that git deletes unchecked. It may name the file, a folder
 * above it, or a pattern.
 */
export function maySelectUnguarded({ cwd, unguarded }: Place, text: string): boolean {
  if (unguarded.length === 0 || /[*?[\\]/.test(text)) return unguarded.length > 0;
  // Git can be configured to compare without case.
  const selected = resolvePath(cwd, text).toLowerCase();
  return unguarded.some((path) => contains(selected, path.toLowerCase()));
}

/** A file or folder that git will make: inside the workspace, and not in a repository's own folder. */
export function newPath(text: string, place: Place): Judgement {
  const finding = judgementOf(pathFinding(place, text, text), gitFolderFinding(text));
  return { ...finding, paths: [text], newPaths: [text] };
}

/** Compared without case, as some file systems do, and also with `.git`'s short name on other systems. */
function gitFolderFinding(text: string): Finding | null {
  const names = text.replaceAll("\\", "/").split("/");
  if (!names.some((name) => /^\.git[. ]*$/i.test(name) || /^git~[0-9]+$/i.test(name))) return null;
  return never(text, {
    rule: "path.git-folder",
    because: "lies in a repository's own folder",
    instead: "Choose a folder among the files of the workspace.",
  });
}

/** Whether an absolute path is the folder or lies in it, by spelling. */
export function isInFolder(folder: string, path: string): boolean {
  const [outer, inner] = [absolute(folder), absolute(path)];
  return outer !== null && inner !== null && contains(outer, inner);
}

function flawOf(text: string): string | null {
  if (text.trim() === "") return "needs a path, not a blank";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x1f\x7f]/.test(text)) return "holds a control character in its path";
  if (text.length > MAX_LENGTH) return `has a path of more than ${MAX_LENGTH} characters`;
  return null;
}

/** Another drive, another machine, or a prefix that newer versions of git read as more than a path. */
function isForeign({ root }: Place, text: string): boolean {
  if (/^[\\/]{2}/.test(text) || text.startsWith(":(")) return true;
  if (!/^[a-zA-Z]:/.test(text)) return false;
  return !/^[a-zA-Z]:[\\/]/.test(text) || !/^[a-zA-Z]:/.test(root);
}

function absolute(path: string): string | null {
  const slashed = path.replaceAll("\\", "/");
  if (!slashed.startsWith("/") && !/^[a-zA-Z]:\//.test(slashed)) return null;
  return resolvePath("/", slashed);
}

function resolvePath(base: string, path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const drive = /^[a-zA-Z]:(?=\/)/.exec(slashed)?.[0];
  const whole = slashed.startsWith("/") || drive !== undefined ? slashed : `${base}/${slashed}`;
  const names: string[] = [];
  for (const name of whole.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const joined = names.join("/");
  return /^[a-zA-Z]:$/.test(names[0] ?? "") ? joined : `/${joined}`;
}

function contains(root: string, path: string): boolean {
  const fold = /^[a-zA-Z]:/.test(root) ? (text: string) => text.toLowerCase() : (text: string) => text;
  const [outer, inner] = [fold(root), fold(path)];
  return outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
}
