/** Remembers since when this server fails to move old logs into object storage. So `doctor` says it, also after a restart. */
import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { type Finding, makeFinding } from "../../domain/doctor/finding.ts";
import { packsOfRemoved, seriesToPack } from "../../storage/team/log-packs.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import type { Uses } from "../core/context-parts.ts";

const schema = z.strictObject({
  /** The first failure after which none succeeded. */
  since: z.string(),
  /** Logs without a line since then should have been moved at the latest failure. */
  dueBefore: z.string(),
  /** Why the latest one failed. */
  why: z.string(),
});
type MoveTrouble = Readonly<z.infer<typeof schema>>;

export async function noteMoveTrouble(
  context: Uses<"paths" | "clock" | "timing">,
  why: string,
): Promise<void> {
  const now = context.clock.now().getTime();
  const trouble: MoveTrouble = {
    since: (await readTrouble(context))?.since ?? new Date(now).toISOString(),
    dueBefore: new Date(now - context.timing.logsKeptMs).toISOString(),
    why,
  };
  await writeFileAtomic(context.paths.logMoves, JSON.stringify(trouble), { mode: 0o600 });
}

export async function forgetMoveTrouble({ paths }: Uses<"paths">): Promise<void> {
  await rm(paths.logMoves, { force: true });
}

/** Nothing if another server has moved since then what this one could not. */
export async function moveFindings(context: Uses<"db" | "paths" | "clock">): Promise<readonly Finding[]> {
  const trouble = context.db.kind === "sqlite" ? null : await readTrouble(context);
  if (trouble === null || !(await isBehind(context, trouble))) return [];
  const { since, why } = trouble;
  return [
    makeFinding("warning", "old_logs", `Old logs were not moved to object storage since ${since}: ${why}`, {
      why: "They stay in the Postgres, which grows. Logs that were deleted stay in the storage. Nothing is lost.",
      remedy:
        "See that this server reaches the storage, and that its keys (`TAZUNA_LOGS_KEY_ID`, `TAZUNA_LOGS_SECRET_KEY`) may read, write and delete objects there. It is tried again each hour, and when `tazuna serve` starts.",
    }),
  ];
}

/** What was due by then is still there. */
async function isBehind({ db, clock }: Uses<"db" | "clock">, { dueBefore }: MoveTrouble): Promise<boolean> {
  const olderThanMs = Math.max(0, clock.now().getTime() - Date.parse(dueBefore));
  const [series] = await seriesToPack(db.reader, { olderThanMs, limit: 1 });
  return series !== undefined || (await packsOfRemoved(db.reader, 1)).length > 0;
}

/** Null if there was none, or if the file cannot be read. */
async function readTrouble({ paths }: Uses<"paths">): Promise<MoveTrouble | null> {
  const text = await readFile(paths.logMoves, "utf8").catch(() => "");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
