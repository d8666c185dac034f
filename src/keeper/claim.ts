/** Makes a keeper the only one of its run, and records its identity. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { moveIntoPlace, overwriteDurably, writeFileAtomic } from "../utils/files/atomic-write.ts";
import { identify } from "../utils/programs/process-identity.ts";
import { sleep } from "../utils/time/waiting.ts";
import { KEEPER_FILES, type KeeperExit, type KeeperRecord } from "./files.ts";

/**
 * Writes `keeper.json`, durably. If it exists already, returns null. A folder has one keeper in its life, so a server
 * that starts twice never starts two agents.
 */
export async function claimRun(dir: string): Promise<KeeperRecord | null> {
  const self = await identify(process.pid);
  if (self === null) throw new Error("this process cannot be found in the list of processes");
  const record: KeeperRecord = { ...self, agentPid: null, agentStartTime: null };
  try {
    await writeFileAtomic(join(dir, KEEPER_FILES.keeper), asText(record), { existing: "refuse" });
    return record;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw error;
  }
}

/** Adds the agent to `keeper.json`. */
export async function recordAgent(dir: string, record: KeeperRecord, agentPid: number): Promise<void> {
  const agent = await identify(agentPid);
  const known: KeeperRecord = { ...record, agentPid, agentStartTime: agent?.startTime ?? null };
  await writeFileAtomic(join(dir, KEEPER_FILES.keeper), asText(known));
}

/** Enough for `exit.json`, its temporary copy and the file system's overhead. */
const RESERVE_BYTES = 64 * 1024;

/** Reserves disk space, which is freed when `exit.json` is written. */
export async function takeReserve(dir: string): Promise<void> {
  await writeFile(join(dir, KEEPER_FILES.reserve), Buffer.alloc(RESERVE_BYTES, "-"), {
    mode: 0o600,
  });
}

const EXIT_TRIES = 60;
const EXIT_PAUSE_MS = 1000;

/**
 * Writes `exit.json`, durably, into the space of the reserve. If that fails, the space is freed and the write is
 * retried for a minute. False if the folder is gone or the disk stays full.
 */
export async function writeExit(dir: string, exit: KeeperExit): Promise<boolean> {
  const text = asText(exit);
  if (await writeIntoReserve(dir, text)) return true;
  await rm(join(dir, KEEPER_FILES.reserve), { force: true });
  for (let attempt = 1; ; attempt++) {
    try {
      await writeFileAtomic(join(dir, KEEPER_FILES.exit), text);
      return true;
    } catch (error) {
      const gone = (error as NodeJS.ErrnoException).code === "ENOENT";
      if (gone || attempt === EXIT_TRIES) return false;
      await sleep(EXIT_PAUSE_MS);
    }
  }
}

/** Overwrites the reserve and renames it to `exit.json`: on most file systems that needs no new space at all. */
async function writeIntoReserve(dir: string, text: string): Promise<boolean> {
  const path = join(dir, KEEPER_FILES.reserve);
  try {
    await overwriteDurably(path, text);
    await moveIntoPlace(path, join(dir, KEEPER_FILES.exit));
    return true;
  } catch {
    return false;
  }
}

function asText(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
