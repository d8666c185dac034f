/** Lists the watched settings of a repository, and reads them again only after a change. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { ok } from "neverthrow";
import { defaultOf, isWatched, type Setting } from "../../domain/repository/watched-settings.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { settingOf } from "../process/nul-list.ts";
import { redactUrl } from "../process/redact-url.ts";
import { commonDirByPlace } from "./redirected.ts";

export interface ListedSetting extends Setting {
  /** SHA-256 of key and value. */
  readonly hash: string;
  /** It is in the file that all worktrees share, so each worktree must find it. */
  readonly shared: boolean;
  /** The value without the repository's own one, if a single call can be given it; null if it cannot. */
  readonly instead: string | null;
}

export interface SettingsPlace {
  /** Absolute: the git directory of the call, and the shared one. */
  readonly gitDir: string;
  readonly commonDir: string;
}

/** The places of the settings that apply to a target. */
export function settingsPlace({ gitDir }: { readonly gitDir: string }): SettingsPlace {
  return { gitDir, commonDir: commonDirByPlace(gitDir) };
}

/** Runs `git config --list` for a git directory. */
type ListConfig = (place: SettingsPlace) => GitAnswer<string>;

export type ListSettings = (place: SettingsPlace) => GitAnswer<readonly ListedSetting[]>;

/** Files of the shared git directory that redirect git, set attributes for every file, or are hooks that may run. */
const FILES = [
  "objects/info/alternates",
  "objects/info/http-alternates",
  "info/attributes",
  "hooks/pre-commit",
  "hooks/commit-msg",
];
/** Longer files are compared by their times. */
const MAX_BYTES = 65_536;

/** Without changes, a call costs a few `lstat`. */
export function createListSettings(listConfig: ListConfig): ListSettings {
  const known = new Map<string, { readonly stamp: string; readonly settings: readonly ListedSetting[] }>();
  return async (place) => {
    const stamp = stampOf(place);
    const key = cacheKey(place);
    const before = known.get(key);
    if (before?.stamp === stamp) return ok(before.settings);
    const listed = await listConfig(place);
    return listed.map((text) => {
      const own = ownSettings(text, place);
      const settings = [...own.filter(isWatched), ...filesOf(place), ...submodulesOf(place)].map(withHash);
      // Included files can be anywhere, and may appear or vanish unnoticed.
      if (!own.some(({ key }) => /^include(if\..*)?\.path$/s.test(key))) known.set(key, { stamp, settings });
      return settings;
    });
  };
}

/** One answer serves all worktrees of a repository, unless one of them has its own settings. */
function cacheKey({ gitDir, commonDir }: SettingsPlace): string {
  const own = ["config.worktree", "modules"].some((name) =>
    [gitDir, commonDir].some((dir) => existsSync(join(dir, name))),
  );
  return own ? gitDir : commonDir;
}

/** By inode, size and times; the change time of an inode cannot be set. */
function stampOf({ gitDir, commonDir }: SettingsPlace): string {
  const configs = [
    join(commonDir, "config"),
    join(commonDir, "config.worktree"),
    join(gitDir, "config.worktree"),
  ];
  const files = FILES.map((file) => join(commonDir, file));
  return [...configs, ...files, ...submoduleConfigs(gitDir)].map(stampOfFile).join(" ");
}

function stampOfFile(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return "-";
  // The stamp of a link says nothing about its target.
  if (stats.isSymbolicLink()) return crypto.randomUUID();
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** Scope, origin, and the key with its value after a line feed: only settings of the repository itself. */
function ownSettings(text: string, { commonDir }: SettingsPlace): Found[] {
  const fields = text.split("\0");
  const settings: Found[] = [];
  const users = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    const shared = origin === `file:${join(commonDir, "config")}`;
    const { key, value } = settingOf(entry);
    if (scope === "system" || scope === "global") users.set(key, value);
    // The user's files come first.
    const instead = defaultOf(key) === null ? null : (users.get(key) ?? defaultOf(key));
    if (scope === "local" || scope === "worktree") settings.push({ key, value, shared, instead });
  }
  return settings;
}

type Found = Omit<ListedSetting, "hash">;

function filesOf({ commonDir }: SettingsPlace): Found[] {
  return FILES.flatMap((file) => {
    const stats = lstatSync(join(commonDir, file), { throwIfNoEntry: false });
    if (stats === undefined) return [];
    const value = readPlainFile(join(commonDir, file), MAX_BYTES) ?? `${stats.size} ${stats.ctimeMs}`;
    return value.trim() === "" ? [] : [{ key: file, value, shared: true, instead: null }];
  });
}

/** The configuration of each submodule that a worktree has filled, those inside of others too. */
function submoduleConfigs(gitDir: string): readonly string[] {
  const found: string[] = [];
  const open = [join(gitDir, "modules")];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const at = join(folder, entry.name);
      if (!entry.isDirectory()) continue;
      const isRepository = existsSync(join(at, "HEAD"));
      if (isRepository) found.push(join(at, "config"));
      open.push(isRepository ? join(at, "modules") : at);
    }
  }
  return found;
}

/** Git reads them when it looks into submodules. A freshly cloned one names no filter and includes nothing. */
function submodulesOf({ gitDir }: SettingsPlace): Found[] {
  return submoduleConfigs(gitDir).flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    const text = readPlainFile(path, MAX_BYTES);
    const value = text ?? `${stats.mode} ${stats.size} ${stats.ctimeMs}`;
    const harmless = text !== null && !/\[\s*(filter|include)/i.test(text);
    return harmless ? [] : [{ key: relative(gitDir, path), value, shared: false, instead: null }];
  });
}

function withHash(found: Found): ListedSetting {
  const { key, value } = found;
  // The name of a setting may contain an address. It is stored and shown.
  return {
    ...found,
    key: redactUrl(key),
    hash: createHash("sha256").update(`${key}\0${value}`).digest("hex"),
  };
}
