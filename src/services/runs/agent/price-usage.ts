/** Finds the model, and the usage of a stopped turn, in the file of an agent's session. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Usage, UsageTotals } from "../../../domain/agent/counters.ts";
import { estimateCost } from "../../../domain/agent/prices.ts";
import type { Executor, SessionFiles } from "../../../executors/shared/executor.ts";
import { readPlainFile } from "../../../utils/paths/read-plain-file.ts";
import type { Launch } from "./launch.ts";

/** The usage with its cost, if one can be found for that session. */
export type PriceUsage = (usage: Usage, session: string | null) => Promise<Usage>;

/** In bytes: a session of several days. */
const MAX_SESSION_BYTES = 64 * 1024 * 1024;

type SessionReader = readonly [executor: Pick<Executor, "sessions">, launch: Pick<Launch, "sessions">];

export function createPriceUsage(...reader: SessionReader): PriceUsage {
  return async (usage, session) => {
    if (usage.costUsd !== null) return usage;
    const costUsd = await inSession(reader, session, ({ model }, text) => estimateCost(model(text), usage));
    return { ...usage, costUsd, costEstimated: costUsd !== null };
  };
}

/** The counters of the whole session; null if its file has none. */
export function sessionTotals(reader: SessionReader, session: string | null): Promise<UsageTotals | null> {
  return inSession(reader, session, ({ totals }, text) => totals(text));
}

async function inSession<T>(
  [{ sessions }, { sessions: folder }]: SessionReader,
  session: string | null,
  read: (files: SessionFiles, text: string) => T | null,
): Promise<T | null> {
  if (!sessions || folder === null || session === null || !IS_ID.test(session)) return null;
  const file = await findFile(folder, (name) => sessions.isOf(name, session));
  const text = file === null ? null : readPlainFile(file, MAX_SESSION_BYTES);
  return text === null ? null : read(sessions, text);
}

/** The id comes from the agent's stream, and becomes part of a file name. */
const IS_ID = /^[\w-]{8,100}$/;
const MAX_FOLDERS = 2_000;

/** Tries the newest names first, since the folders are dates; does not follow links. */
async function findFile(folder: string, isMeant: (name: string) => boolean): Promise<string | null> {
  const folders = [folder];
  for (let looked = 0; looked < MAX_FOLDERS; looked += 1) {
    const at = folders.pop();
    if (at === undefined) return null;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const found = entries.find((entry) => entry.isFile() && isMeant(entry.name));
    if (found !== undefined) return join(at, found.name);
    const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    folders.push(...below.sort().map((name) => join(at, name)));
  }
  return null;
}
