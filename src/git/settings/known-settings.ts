/** Remembers a repository's settings that are the user's own, and finds those that appeared while an agent worked. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ok } from "neverthrow";
import { isMissed } from "../../domain/repository/watched-settings.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { createKeyedLock } from "../../utils/locks/keyed-lock.ts";
import type { GitAnswer } from "../process/git-error.ts";
import type { ListedSetting, ListSettings, SettingsPlace } from "./list-settings.ts";

/** A setting that an agent may have written or removed. */
export interface Planted extends ListedSetting {
  readonly change: "appeared" | "vanished";
}

export interface SettingsWatch {
  /** Absolute: the folder with one small file for each repository. */
  readonly folder: string;
  /** Whether no agent works in that repository. If so, every change there is the user's. */
  readonly isQuiet: (commonDir: string) => Promise<boolean>;
  /** If true, new knowledge is lost when the process ends: for a caller that only looks. Absent: it is kept. */
  readonly forgets?: boolean;
}

export interface KnownSettings {
  /** The settings that are not the user's; nearly always empty. */
  planted(place: SettingsPlace): GitAnswer<readonly Planted[]>;
  /** The same at the end of an agent's turn. A setting stays planted until it is gone or a person accepts it. */
  withhold(place: SettingsPlace): GitAnswer<readonly Planted[]>;
  /** A person has read these settings and accepts them; unknown hashes are skipped. */
  accept(place: SettingsPlace, hashes: readonly string[]): GitAnswer<void>;
}

type Entry = Pick<ListedSetting, "key" | "hash" | "shared">;

interface Memory {
  readonly known: readonly Entry[];
  /** Hashes that an agent may have planted. */
  readonly withheld: readonly string[];
  /**
   * The settings could not be read at the end of a turn. Until they are as before, every new one counts as an
   * agent's.
   */
  readonly unread?: boolean;
}

/** Knows nothing of a repository at first; its settings then count as the user's. */
export function createKnownSettings(watch: SettingsWatch, list: ListSettings): KnownSettings {
  const lock = createKeyedLock();
  const { memories, memoryOf, store } = createMemories(watch);
  const noteUnread = async (commonDir: string) => {
    const memory = memoryOf(commonDir);
    if (memory !== null) await store(commonDir, { ...memory, unread: true });
  };
  const compare: Compare = async (place, act) => {
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
    planted: (place) => compare(place, "ask"),
    withhold: (place) => compare(place, "withhold"),
    accept: async (place, hashes) => {
      const found = await compare(place, "withhold");
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
type Compare = (place: SettingsPlace, act: Act) => GitAnswer<readonly Planted[]>;

/** Unknown settings that appeared, and protected settings that vanished. */
function difference({ known }: Memory, settings: readonly ListedSetting[]): Planted[] {
  const before = new Set(known.map(({ hash }) => hash));
  const currentHashes = new Set(settings.map(({ hash }) => hash));
  const appeared = settings
    .filter(({ hash }) => !before.has(hash))
    .map((setting) => ({
      ...setting,
      // The user's own value for this repository is no longer known, so there is no replacement.
      instead: known.some(({ key }) => key === setting.key) ? null : setting.instead,
      change: "appeared" as const,
    }));
  const vanished = known
    .filter(({ key, hash, shared }) => shared && isMissed(key) && !currentHashes.has(hash))
    .map((entry) => ({
      ...entry,
      value: "",
      instead: null,
      hash: goneHash(entry),
      change: "vanished" as const,
    }));
  return [...appeared, ...vanished];
}

/** The memory after these changes are accepted as the user's own. */
function adopted(memory: Memory, changes: readonly Planted[]): Memory {
  const hashes = new Set(changes.map(({ hash }) => hash));
  const appeared = changes.filter(({ change }) => change === "appeared").map(entryOf);
  return {
    ...memory,
    known: [...memory.known.filter((entry) => !hashes.has(goneHash(entry))), ...appeared],
    withheld: memory.withheld.filter((hash) => !hashes.has(hash)),
  };
}

/** Null if there is none yet. An unreadable file throws: it must not make every setting the user's. */
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

/** A hash for a setting that is gone. */
function goneHash({ hash }: Pick<Entry, "hash">): string {
  return sha256(`gone\0${hash}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
