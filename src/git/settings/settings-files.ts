/** Says which files a listing of git's configuration depends on. */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fromNul, settingOf } from "../process/nul-list.ts";

/** Whose configuration it is: that of a user in a repository. */
export interface SettingsReader {
  /** Absolute: the git directory of the call, and the one that all worktrees share. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The files that git looks for, whether they are there or not; some may not be absolute. */
export function usualFiles({ gitDir, commonDir, env }: SettingsReader): readonly string[] {
  const { HOME: home, XDG_CONFIG_HOME: xdg, GIT_CONFIG_GLOBAL: global } = env;
  const config = xdg || (home === undefined ? undefined : join(home, ".config"));
  const ofUser = [
    ...(home === undefined ? [] : [join(home, ".gitconfig")]),
    ...(config === undefined ? [] : [join(config, "git", "config")]),
  ];
  return [
    join(commonDir, "config"),
    join(commonDir, "config.worktree"),
    join(gitDir, "config.worktree"),
    ...(global === undefined ? ofUser : [global]),
    env.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig",
  ];
}

interface FilesRead {
  readonly files: readonly string[];
  /** Whether another worktree may read other ones. */
  readonly isOfPlace: boolean;
}

/**
 * The files of a listing, and those that they name to be included. Null if the listing depends on more: on the branch
 * that is checked out, or on a place that only git knows.
 */
export function filesRead(reader: SettingsReader, listing: string): FilesRead | null {
  const fields = fromNul(listing);
  const files = new Set(usualFiles(reader));
  let isOfPlace = false;
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", setting = ""] = fields.slice(at, at + 3);
    if (scope === "command") continue;
    if (!origin.startsWith("file:")) return null;
    const file = origin.slice("file:".length);
    files.add(file);
    const { key, value } = settingOf(setting);
    if (!/^include(if\..*)?\.path$/s.test(key)) continue;
    if (key !== "include.path" && !CONDITION.test(key)) return null;
    if (key !== "include.path") isOfPlace = true;
    const included = includedFrom(file, value, reader.env.HOME);
    if (included === null) return null;
    files.add(included);
  }
  return [...files].every((file) => isAbsolute(file)) ? { files: [...files], isOfPlace } : null;
}

/** Conditions on the place of the repository, or on other settings. */
const CONDITION = /^includeif\.(gitdir|gitdir\/i|hasconfig:remote\.\*\.url):/;

function includedFrom(file: string, value: string, home: string | undefined): string | null {
  if (value.startsWith("~/")) return home === undefined ? null : join(home, value.slice(2));
  return /^(~|%\(prefix\))/.test(value) ? null : resolve(dirname(file), value);
}
