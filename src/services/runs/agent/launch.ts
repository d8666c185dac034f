/** Reads and writes the files of a run's folder that tell one start of its agent from the next. */
import { mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { usageTotalsSchema } from "../../../domain/agent/counters.ts";
import { runSchema } from "../../../domain/run/run.ts";
import { KEEPER_FILES } from "../../../keeper/files.ts";
import { LAUNCH_FILE } from "../../log-chunks/told-launch.ts";
import { readRecord, writeRecord } from "../../run-core/record-file.ts";

/** The decisions for the agent's start; written before the keeper starts, so that a restart knows them. */
const launchSchema = z.object({
  /** Counts from 1; grows when the agent is started again after a rate limit or without its session. */
  number: z.number().int().positive(),
  /** Byte offset in `out.jsonl` at which this start's stream begins. */
  outOffset: z.number().int().nonnegative(),
  /** The session that was resumed, or null if a new one began. */
  resumed: z.string().nullable(),
  /** The id that was chosen for a new session, if the agent allows that. */
  sessionId: z.string().nullable(),
  /** The run's `restarts` at that time: tells a start that was recorded from one that is due. */
  restarts: z.number().int().nonnegative(),
  /** Whether the prompt told the agent what happened before, because its session was lost. */
  primed: z.boolean(),
  /** What confined the agent. */
  isolation: runSchema.shape.isolation.unwrap().default("none"),
  /** Whether a person is asked what rules do not decide. Earlier versions asked nobody. */
  approvals: z.enum(["ask", "never"]).default("never"),
  /** Whether the agent got the tool `ask_person`. Earlier versions did not offer it. */
  asksPerson: z.boolean().default(false),
  /** Why it was no more than that; null if it was what was asked for. */
  isolationReason: runSchema.shape.isolationReason.default(null),
  /** The configuration that the agent's program reads, as it was before the start. The key keeps the stored name. */
  obeyed: z.record(z.string(), z.string().nullable()).default({}),
  /** The folder in which the agent's program keeps its sessions; null if it need not be read. */
  sessions: z.string().nullable().default(null),
  /** The counters of the resumed session when the run began, for a reader of the run's whole stream. */
  totalsBefore: usageTotalsSchema.nullable().default(null),
});
export type Launch = Readonly<z.infer<typeof launchSchema>>;

/**
 * The newest start of the run in `dir`, or null if its agent was never started. Throws if that cannot be read: else a
 * second agent would be started.
 */
export async function readLaunch(dir: string): Promise<Launch | null> {
  return readRecord(join(dir, LAUNCH_FILE), launchSchema);
}

/**
 * Takes an existing folder. Puts the files of the earlier start aside, and returns what to record of the new one. Its number
 * follows `after`, too: the starts of a run that moved here are known by what they asked, and not by files.
 */
export async function nextLaunch(
  dir: string,
  launch: Omit<Launch, "number" | "outOffset">,
  after: number,
): Promise<Launch> {
  const before = await readLaunch(dir);
  if (before !== null) await putAside(dir, before.number);
  const out = await stat(join(dir, KEEPER_FILES.out)).catch(() => null);
  return {
    ...launch,
    totalsBefore: launch.resumed === null ? null : (before ?? launch).totalsBefore,
    number: Math.max(before?.number ?? 0, after) + 1,
    outOffset: out?.size ?? 0,
  };
}

/** Must be on the disk before the agent's keeper gets its order. */
export async function recordLaunch(dir: string, launch: Launch): Promise<void> {
  await writeRecord(join(dir, LAUNCH_FILE), launch);
}

/** Files of one start that would be mistaken for those of the next. The stream itself goes on in one file. */
const OF_ONE_START = [
  KEEPER_FILES.spec,
  KEEPER_FILES.keeper,
  KEEPER_FILES.exit,
  KEEPER_FILES.stop,
  KEEPER_FILES.asks,
  KEEPER_FILES.in,
  KEEPER_FILES.inEnd,
  KEEPER_FILES.prompt,
  KEEPER_FILES.summary,
];

async function putAside(dir: string, number: number): Promise<void> {
  const aside = join(dir, `start-${number}`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of OF_ONE_START) {
    await rename(join(dir, name), join(aside, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}
