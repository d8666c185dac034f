/** Lists the files that a search looks into: those that ripgrep names, or all that a walk comes upon. */
import { join } from "node:path";
import { exec } from "../../../utils/exec.ts";
import type { Host } from "../../core/context.ts";
import { findProgram } from "../../exec/exec_command/find_program.ts";
import { isGitName } from "../../files/git-directory.ts";
import type { IgnoreRules } from "../../files/ignore-rules.ts";
import { listFolder } from "../../files/list-folder.ts";
import type { LineMatcher } from "./line_matcher.ts";
import type { Pause } from "./scan_file.ts";

export interface SearchedFolder {
  readonly root: string;
  /** Relative to it. */
  readonly folder: string;
  /** Null where what is ignored is searched too, since the folder itself is. */
  readonly rules: IgnoreRules | null;
}

export interface NamedFiles {
  /** Relative to the workspace, in the order of code units. */
  readonly files: readonly string[];
  /** Whether the list was cut by its size or the time. */
  readonly cut: boolean;
}

/** Bytes of a list of names; more than the names of half a million files. */
const LONGEST_LIST = 32 * 1024 * 1024;

export interface RipgrepOptions {
  readonly host: Host;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | null;
}

/** The files in which ripgrep finds a line; null where it is not installed, or not able to do it. */
export async function filesByRipgrep(
  { root, folder, rules }: SearchedFolder,
  matcher: LineMatcher,
  { host, timeoutMs, signal }: RipgrepOptions,
): Promise<NamedFiles | null> {
  const program = findProgram("rg", { cwd: root, platform: host.platform, env: safeSearchPath(root, host) });
  if (program === null) return null;
  const flags = [...FLAGS, matcher.foldsCase ? "--ignore-case" : "--case-sensitive"];
  if (matcher.rust.isLiteral) flags.push("--fixed-strings");
  if (rules === null) flags.push("--no-ignore");
  else if (folder !== ".") flags.push("--ignore-file=.gitignore");
  const argv = [program, ...flags, "--", matcher.rust.pattern, folder === "." ? "./" : `./${folder}`];
  const result = await exec(argv, {
    cwd: root,
    env: { PATH: "", LC_ALL: "C" },
    timeoutMs,
    graceMs: 200,
    maxOutputBytes: LONGEST_LIST,
    ...(signal === null ? {} : { signal }),
  });
  if (!result.started) return null;
  const cut = result.timedOut || result.stdoutTruncated;
  // 1 says that nothing was found. What else it could not do, such as a flag that an old one does not know, we do ourselves.
  if (!cut && result.code !== 0 && result.code !== 1) return null;
  const names = result.stdout
    .split("\0")
    .slice(0, -1)
    .map((name) => name.replaceAll("\\", "/").replace(/^\.\//, ""));
  const files = names.filter((path) => !path.split("/").some(isGitName) && !isIgnored(rules, path));
  return { files: files.sort(), cut };
}

/** Nothing of the user's configuration, no links, no guesses about encodings; ignore files as our own walk reads them. */
const FLAGS = [
  "--no-config",
  "--no-messages",
  "--color=never",
  "--files-with-matches",
  "--null",
  "--hidden",
  "--no-follow",
  "--text",
  "--encoding=utf-8",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--no-ignore-parent",
  "--no-ignore-dot",
  "--no-require-git",
  "--glob=!**/.git",
] as const;

/** Where programs are looked for: a folder of the workspace might hold one that somebody planted. */
function safeSearchPath(
  root: string,
  { platform, environment }: Host,
): Readonly<Record<string, string | undefined>> {
  const env = environment();
  const [name = "PATH"] = Object.keys(env).filter((key) => key.toUpperCase() === "PATH");
  const delimiter = platform === "win32" ? ";" : ":";
  const folders = (env[name] ?? "").split(delimiter);
  const safe = folders.filter(
    (folder) => /^(?:\/|[a-zA-Z]:[\\/])/.test(folder) && !`${folder}/`.startsWith(`${root}/`),
  );
  return { PATH: safe.length === 0 ? "/nowhere" : safe.join(delimiter), PATHEXT: ".EXE" };
}

function isIgnored(rules: IgnoreRules | null, path: string): boolean {
  if (rules === null) return false;
  const names = path.split("/");
  return names.some((_, at) => {
    const kind = at === names.length - 1 ? "file" : "directory";
    return rules.isIgnored(names.slice(0, at + 1).join("/"), kind);
  });
}

export interface WalkOptions {
  readonly pause: Pause;
  readonly onUnreadable: () => void;
}

/** All plain files below the folder that are not ignored. */
export async function filesByWalk(
  { root, folder, rules }: SearchedFolder,
  { pause, onUnreadable }: WalkOptions,
): Promise<NamedFiles> {
  const files: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (await pause()) return { files: files.sort(), cut: true };
    const current = next;
    const listed = listFolder(root, join(root, current), (entries) => {
      for (const { name, kind } of entries) {
        const path = current === "." ? name : `${current}/${name}`;
        if (isGitName(name) || (kind !== "directory" && kind !== "file")) continue;
        if (rules?.isIgnored(path, kind)) continue;
        if (kind === "directory") pending.push(path);
        else files.push(path);
      }
      return true;
    });
    if (listed === null) onUnreadable();
  }
  return { files: files.sort(), cut: false };
}
