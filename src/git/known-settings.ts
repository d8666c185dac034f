/** Remembers which settings of a repository are the user's own, and tells which appeared while an agent worked. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import { isMissed } from "../domain/repository/watched-settings.ts";
import { writeFileAtomic } from "../utils/atomic-write.ts";
import { createKeyedLock } from "../utils/keyed-lock.ts";
import type { GitError } from "./git-error.ts";
import type { ListedSetting, ListSettings, SettingsPlace } from "./list-settings.ts";

/** A setting that nobody but an agent may have written, or taken away. */
export interface Planted extends ListedSetting {
  readonly change: "appeared" | "vanished";
}

export interface SettingsWatch {
  /** Absolute: where one small file for each repository is kept. */
  readonly folder: string;
  /** Whether no agent works in that repository, so that whatever changed there is the user's doing. */
  readonly isQuiet: (commonDir: string) => Promise<boolean>;
  /** What is learnt is forgotten with the process: for somebody who only looks. Absent: it is kept. */
  readonly forgets?: boolean;
}

export interface KnownSettings {
  /** What is not the user's; empty nearly always. */
  planted(place: SettingsPlace): Promise<Result<readonly Planted[], GitError>>;
  /** The same at the end of an agent's turn: it stays planted until it is gone or a person accepts it. */
  withhold(place: SettingsPlace): Promise<Result<readonly Planted[], GitError>>;
  /** A person has read these and says that they are right; unknown hashes are passed over. */
  accept(place: SettingsPlace, hashes: readonly string[]): Promise<Result<void, GitError>>;
}

type Entry = Pick<ListedSetting, "key" | "hash" | "shared">;

interface Memory {
  readonly known: readonly Entry[];
  /** Hashes that an agent may have planted. */
  readonly withheld: readonly string[];
  /** The settings could not be read at the end of a turn: until they are as they were, whatever is new is an agent's. */
  readonly unread?: boolean;
}

/** Knows nothing of a repository at first: what is there then is the user's. */
export function createKnownSettings(watch: SettingsWatch, list: ListSettings): KnownSettings {
  const lock = createKeyedLock();
  const { memories, memoryOf, store } = createMemories(watch);
  const noteUnread = async (commonDir: string) => {
    const memory = memoryOf(commonDir);
    if (memory !== null) await store(commonDir, { ...memory, unread: true });
  };
  const look: Look = async (place, act) => {
    const listed = await list(place);
    if (listed.isErr()) {
      if (act === "withhold") await lock.run(place.commonDir, () => noteUnread(place.commonDir));
      return listed.map(() => []);
    }
    const before = memories.get(place.commonDir);
    if (
      act === "ask" &&
      before !== undefined &&
      before.unread !== true &&
      difference(before, listed.value).length === 0
    )
      return ok([]);
    return ok(await lock.run(place.commonDir, () => judge(place.commonDir, listed.value, act)));
  };
  const judge = async (commonDir: string, settings: readonly ListedSetting[], act: Act) => {
    const memory = memoryOf(commonDir);
    const fresh = { known: settings.map(entryOf), withheld: [] };
    if (memory === null) {
      await store(commonDir, fresh);
      return [];
    }
    memories.set(commonDir, memory);
    const found = difference(memory, settings);
    const news = found.filter(({ hash }) => !memory.withheld.includes(hash));
    if (found.length === 0 && memory.unread) await store(commonDir, { ...memory, unread: false });
    if (news.length === 0) return found;
    if (act === "withhold")
      await store(commonDir, { ...memory, withheld: [...memory.withheld, ...news.map(({ hash }) => hash)] });
    else if (!memory.unread && (await watch.isQuiet(commonDir))) {
      await store(commonDir, adopted(memory, news));
      return found.filter(({ hash }) => memory.withheld.includes(hash));
    }
    return found;
  };
  return {
    planted: (place) => look(place, "ask"),
    withhold: (place) => look(place, "withhold"),
    accept: async (place, hashes) => {
      const found = await look(place, "withhold");
      if (found.isErr()) return found.map(() => undefined);
      const right = found.value.filter(({ hash }) => hashes.includes(hash));
      await lock.run(place.commonDir, async () => {
        const memory = memoryOf(place.commonDir);
        if (memory !== null && right.length > 0) await store(place.commonDir, adopted(memory, right));
      });
      return ok(undefined);
    },
  };
}

/** One file for each repository, read once. */
function createMemories({ folder, forgets = false }: SettingsWatch) {
  const memories = new Map<string, Memory>();
  const at = (commonDir: string) => join(folder, `${sha256(commonDir).slice(0, 32)}.json`);
  return {
    memories,
    memoryOf: (commonDir: string) => memories.get(commonDir) ?? readMemory(at(commonDir)),
    store: async (commonDir: string, memory: Memory) => {
      if (!forgets) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        await writeFileAtomic(at(commonDir), JSON.stringify(memory));
      }
      memories.set(commonDir, memory);
    },
  };
}

type Act = "ask" | "withhold";
type Look = (place: SettingsPlace, act: Act) => Promise<Result<readonly Planted[], GitError>>;

/** What appeared that is not known, and what vanished that must not. */
function difference({ known }: Memory, settings: readonly ListedSetting[]): Planted[] {
  const before = new Set(known.map(({ hash }) => hash));
  const now = new Set(settings.map(({ hash }) => hash));
  const appeared = settings
    .filter(({ hash }) => !before.has(hash))
    .map((setting) => ({
      ...setting,
      // The user's own value for this repository is not known any more: nothing can stand in for it.
      instead: known.some(({ key }) => key === setting.key) ? null : setting.instead,
      change: "appeared" as const,
    }));
  const vanished = known
    .filter(({ key, hash, shared }) => shared && isMissed(key) && !now.has(hash))
    .map((entry) => ({
      ...entry,
      value: "",
      instead: null,
      hash: goneHash(entry),
      change: "vanished" as const,
    }));
  return [...appeared, ...vanished];
}

/** The memory in which these changes are the user's own. */
function adopted(memory: Memory, changes: readonly Planted[]): Memory {
  const hashes = new Set(changes.map(({ hash }) => hash));
  const appeared = changes.filter(({ change }) => change === "appeared").map(entryOf);
  return {
    ...memory,
    known: [...memory.known.filter((entry) => !hashes.has(goneHash(entry))), ...appeared],
    withheld: memory.withheld.filter((hash) => !hashes.has(hash)),
  };
}

/** Null where there is none yet. One that cannot be read is no reason to take anything for the user's: it is thrown. */
function readMemory(path: string): Memory | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(ENOENT|ENOTDIR)$/.test(String(error.code)))
      return null;
    throw error;
  }
  try {
    return JSON.parse(text) as Memory;
  } catch {
    throw new Error(`${path} is damaged; without it all git settings of its repository count as the user's`);
  }
}

function entryOf({ key, hash, shared }: Entry): Entry {
  return { key, hash, shared };
}

/** Names that a setting is gone. */
function goneHash({ hash }: Pick<Entry, "hash">): string {
  return sha256(`gone\0${hash}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
