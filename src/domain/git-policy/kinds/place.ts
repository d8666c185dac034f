/** Decides by spelling alone whether a path stays inside the workspace; links are for whoever runs the command. */
import { type Judgement, saying } from "../judgement.ts";
import { type Finding, never } from "../verdict.ts";

/** Both absolute, with `/` between names, without `.` and `..`. */
export interface Place {
  readonly root: string;
  readonly cwd: string;
  /** What git would delete without asking, absolute. */
  readonly unguarded: readonly string[];
}

/** Longer paths are refused, in UTF-16 units. */
const LONGEST = 4096;

/** Null where one of them is not absolute, or the folder lies outside the workspace. */
export function placeOf(workspaceRoot: string, cwd: string, unguarded: readonly string[] = []): Place | null {
  const root = absolute(workspaceRoot);
  if (root === null) return null;
  const here = resolvePath(root, cwd);
  if (!contains(root, here)) return null;
  return { root, cwd: here, unguarded: unguarded.map((path) => resolvePath(root, path)) };
}

/** What is wrong with `text` as the name of a file or folder; null where nothing is. */
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

/** Whether a pathspec without its magic may select what git would delete without asking: by name, by a folder above it, or by a pattern. */
export function maySelectUnguarded({ cwd, unguarded }: Place, text: string): boolean {
  if (unguarded.length === 0 || /[*?[\\]/.test(text)) return unguarded.length > 0;
  // Git can be told to compare without case.
  const selected = resolvePath(cwd, text).toLowerCase();
  return unguarded.some((path) => contains(selected, path.toLowerCase()));
}

/** A file or folder that git is to make: inside the workspace, and not in a repository's own folder. */
export function newPath(text: string, place: Place): Judgement {
  const said = saying(pathFinding(place, text, text), gitFolderFinding(text));
  return { ...said, paths: [text], newPaths: [text] };
}

/** Compared without case, as some file systems do, and with the short name of others. */
function gitFolderFinding(text: string): Finding | null {
  const names = text.replaceAll("\\", "/").split("/");
  if (!names.some((name) => /^\.git[. ]*$/i.test(name) || /^git~[0-9]+$/i.test(name))) return null;
  return never(text, {
    rule: "path.git-folder",
    because: "lies in a repository's own folder",
    instead: "Choose a folder among the files of the workspace.",
  });
}

function flawOf(text: string): string | null {
  if (text.trim() === "") return "needs a path, not a blank";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x1f\x7f]/.test(text)) return "holds a control character in its path";
  if (text.length > LONGEST) return `has a path of more than ${LONGEST} characters`;
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
