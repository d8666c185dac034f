/** Changes a setting for a caller of the API, and tells it. */
import { basename, isAbsolute } from "node:path";
import { err, ok } from "neverthrow";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import { createTurns } from "../../utils/locks/turns.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { Uses } from "../core/context-parts.ts";
import type { SettingChange } from "../core/request-shapes.ts";
import type { SettingSet } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import { namedHere } from "../repositories/named-repository.ts";
import { createSettingMemory, type SettingMemory, setConfiguration } from "./set-configuration.ts";

type SettingContext = NoteContext & Uses<"db" | "git" | "paths" | "newFacts" | "owner">;

/** One change after another, since each reads the file and writes it whole. What a page did, it may take back. */
export function createSettingChanger() {
  const inTurn = createTurns();
  const memory = createSettingMemory();
  return (context: SettingContext, change: SettingChange): Answer<SettingSet> =>
    inTurn(() => changeSetting(context, change, memory));
}

/** The repository by its id, its name or a folder in it. */
async function changeSetting(
  context: SettingContext,
  change: SettingChange,
  memory: SettingMemory,
): Answer<SettingSet> {
  const folder = await folderOf(context, change.repository);
  if (folder.isErr()) return err(folder.error);
  const set = await setConfiguration(context, { ...change, repository: folder.value }, memory);
  if (set.isErr()) return err(set.error);
  const { key } = change;
  const detail = folder.value === null ? null : basename(folder.value);
  await tellSettings(context, { key, file: set.value.file }, (trx) =>
    noteTeamAct(context, trx, { kind: "setting_changed", id: null, name: key, detail }),
  );
  return set;
}

/** `key` is null if it is not known what changed in the file. */
export async function tellSettings(
  context: Uses<"db" | "clock" | "newFacts">,
  data: { readonly key: string | null; readonly file: string },
  note = async (_: WriteTransaction) => {},
): Promise<void> {
  const ids = { taskId: null, attemptId: null, runId: null };
  const at = context.clock.iso();
  await transact(context.db, async (trx) => {
    await note(trx);
    await appendFact(trx, { at, kind: "settings.changed", ...ids, data });
  });
  context.newFacts.notify();
}

async function folderOf(context: Uses<"db" | "owner">, repository: string | null) {
  if (repository === null || isAbsolute(repository)) return ok(repository);
  return (await namedHere(context, repository)).map(({ path }) => path);
}
