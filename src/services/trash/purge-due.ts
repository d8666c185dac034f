/** Deletes entries of the trash automatically: those whose time is over, and the oldest if the disk is nearly full. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { diskFloor } from "../../domain/run/scheduling.ts";
import { dueInTrash, type TrashDecision, type TrashLooks } from "../../domain/trash/due.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { emptyTrash } from "./empty-trash.ts";
import { entriesInTrash } from "./trash-entries.ts";

/** The keeping time divided by this is the settling time: of 14 days, one day. */
const SETTLES_IN = 14;

export async function purgeDue(context: CleanUpContext): Promise<void> {
  const { old, forRoom, looks } = await decide(context);
  await writeFileAtomic(context.paths.trashLooks, JSON.stringify(looks), { mode: 0o600 });
  if (old.length > 0) await emptyTrash(context, { yes: true, only: new Set(old) });
  for (const id of forRoom) {
    if (context.engineStop.aborted || !(await isNearlyFull(context))) return;
    await emptyTrash(context, { yes: true, only: new Set([id]) });
  }
}

async function decide(context: Uses<"db" | "owner" | "paths" | "clock" | "timing">): Promise<TrashDecision> {
  const { trashKeepMs: keepMs } = context.timing;
  return dueInTrash({
    entries: await entriesInTrash(context),
    looks: await readLooks(context),
    now: context.clock.now(),
    settleMs: keepMs / SETTLES_IN,
    keepMs,
  });
}

const looksSchema = z.record(
  z.string(),
  z.object({ settled: z.string().optional(), old: z.string().optional() }),
);

/** If it cannot be read, nothing was seen yet: everything is looked at anew. */
async function readLooks({ paths }: Uses<"paths">): Promise<TrashLooks> {
  const text = await readFile(paths.trashLooks, "utf8").catch(() => "{}");
  try {
    return looksSchema.parse(JSON.parse(text)) as TrashLooks;
  } catch {
    return {};
  }
}

/** The same limit of free space below which no run begins. */
async function isNearlyFull({ paths }: Uses<"paths">): Promise<boolean> {
  const { free, total } = await freeSpace(paths.trash);
  return free < diskFloor(total);
}
