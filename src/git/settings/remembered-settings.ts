/** Answers questions about git's configuration from one listing, which is made again once one of its files has changed. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
import { filesRead, type SettingsReader, usualFiles } from "./settings-files.ts";

/** Prints the scope, the origin and the setting, each with a NUL. */
export const LIST_CONFIG = ["config", "--list", "--includes", "--show-scope", "--show-origin", "--null"];

/** As git answers: 1 if nothing matches. */
interface SettingsAnswer {
  readonly exitCode: number;
  readonly stdout: string;
}

/** Runs `LIST_CONFIG` for the reader. */
type ListConfig = () => GitAnswer<{ readonly stdout: string }>;

type Answer = (listing: Pick<Listing, "stdout" | "settings">) => SettingsAnswer;

interface Listing {
  readonly files: readonly string[];
  /** Of these files before they were read. */
  readonly stamp: string;
  readonly stdout: string;
  /** KEY, line feed, VALUE; the key alone if it has none. */
  readonly settings: readonly string[];
}

/** Enough for all repositories of a machine; worktrees with settings of their own need one each. */
const MAX_LISTINGS = 256;
/** An included file may include others, of which only the next listing is sure. */
const MAX_TRIES = 4;

type RememberedSettings = (
  reader: SettingsReader,
  answer: Answer,
  list: ListConfig,
) => GitAnswer<SettingsAnswer>;

/**
 * Without a change, an answer costs a few `stat`. A listing is only kept if it depends on its files alone, and if their
 * places are known here.
 */
export function createRememberedSettings(): RememberedSettings {
  const listings = new Map<string, Listing>();
  const reading = new Map<string, GitAnswer<Listing>>();
  const readNow = async (reader: SettingsReader, known: Listing | null, list: ListConfig) => {
    const read = await readListing(reader, known?.files ?? usualFiles(reader), list);
    if (read.isErr()) return err(read.error);
    const { listing, isOfPlace } = read.value;
    const [own, shared] = keysOf(reader);
    if (isOfPlace !== null) keepNewest(listings, isOfPlace ? own : (shared ?? own), listing);
    return ok(listing);
  };
  const listed = async (reader: SettingsReader, list: ListConfig): GitAnswer<Listing> => {
    const [own, shared] = keysOf(reader);
    const known = listings.get(own) ?? (shared === null ? undefined : listings.get(shared));
    if (known === undefined) return readNow(reader, null, list);
    const stamp = stampOf(known.files);
    if (stamp === known.stamp) return ok(known);
    // Whoever finds the same files takes what another one reads of them, unless that one is stopped.
    const turn = `${own}\n${stamp}`;
    const other = reading.get(turn);
    const read = other === undefined ? null : await other.catch(() => null);
    if (read?.isOk()) return read;
    const mine = readNow(reader, known, list).finally(() => reading.delete(turn));
    reading.set(turn, mine);
    return mine;
  };
  return async (reader, answer, list) => (await listed(reader, list)).map(answer);
}

interface Read {
  readonly listing: Listing;
  /** Whether another worktree may read other files; null if the listing depends on more than files. */
  readonly isOfPlace: boolean | null;
}

/** The files that it names are stamped before git reads them. So a first listing may only say which these are. */
async function readListing(
  reader: SettingsReader,
  known: readonly string[],
  list: ListConfig,
): GitAnswer<Read> {
  let files = known;
  for (let tries = 1; ; tries++) {
    const stamp = stampOf(files);
    const answer = await list();
    if (answer.isErr()) return err(answer.error);
    const { stdout } = answer.value;
    const read = filesRead(reader, stdout);
    const missed = read?.files.filter((file) => !files.includes(file)) ?? [];
    if (missed.length === 0 || tries === MAX_TRIES)
      return ok({
        listing: { files, stamp, stdout, settings: fromNul(stdout).filter((_, at) => at % 3 === 2) },
        isOfPlace: missed.length > 0 ? null : (read?.isOfPlace ?? null),
      });
    files = [...files, ...missed];
  }
}

function keepNewest(listings: Map<string, Listing>, key: string, listing: Listing): void {
  listings.delete(key);
  listings.set(key, listing);
  const [oldest = key] = listings.keys();
  if (listings.size > MAX_LISTINGS) listings.delete(oldest);
}

/** How git would answer this question from a listing; null if it is no question about all settings. */
export function settingsQuestion(args: readonly string[]): Answer | null {
  if (args.length === LIST_CONFIG.length && LIST_CONFIG.every((word, at) => args[at] === word))
    return ({ stdout }) => ({ exitCode: 0, stdout });
  const [pattern = "", flag, ...more] = args.slice(1).toReversed();
  if (args[0] !== "config" || flag !== "--get-regexp") return null;
  const wanted = new RegExp(pattern);
  if (more.join() === "--null") return ({ settings }) => matching(settings, wanted, (setting) => setting);
  if (more.join() === "--name-only,--null") return ({ settings }) => matching(settings, wanted, keyOf);
  return null;
}

function matching(
  settings: readonly string[],
  wanted: RegExp,
  shown: (setting: string) => string,
): SettingsAnswer {
  const found = settings.filter((setting) => wanted.test(keyOf(setting)));
  return {
    exitCode: found.length === 0 ? 1 : 0,
    stdout: found.map((setting) => `${shown(setting)}\0`).join(""),
  };
}

function keyOf(setting: string): string {
  const [key = ""] = setting.split("\n", 1);
  return key;
}

/** The key of this place alone, and that of all worktrees; null if this one has settings of its own. */
function keysOf({ gitDir, commonDir, env }: SettingsReader): readonly [string, string | null] {
  const user = USER.map((name) => env[name] ?? "\0");
  const key = (place: string, dir: string) => [place, dir, ...user].join("\n");
  const isOwn = existsSync(join(gitDir, "config.worktree"));
  return [key("own", gitDir), isOwn ? null : key("all", commonDir)];
}

/** What of the environment says which files git reads. */
const USER = ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/** By device, inode, size and times; the change time of an inode cannot be set. */
function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join(" ");
}

/** A link is followed, as git does it. */
function stampOfFile(file: string): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return "-";
    return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
  } catch {
    // For example, a folder above is closed. Then no two stamps are equal.
    return crypto.randomUUID();
  }
}
