/** Writes Tazuna's own steps of a run next to the agent's stream, so that a person can read why. */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createRedactor } from "../../domain/agent/redact.ts";
import type { Uses } from "../core/context-parts.ts";

const entrySchema = z.object({
  at: z.string(),
  /** Such as `setup`, `check test`, `agent`. */
  step: z.string(),
  text: z.string(),
});
export type OwnLogEntry = Readonly<z.infer<typeof entrySchema>>;

export const OWN_LOG_FILE = "tazuna.jsonl";

/** Appends one entry to the run's own log. */
export async function writeOwnLog(
  context: Uses<"paths" | "clock" | "tokens">,
  runId: string,
  entry: { readonly step: string; readonly text: string },
): Promise<void> {
  const dir = context.paths.run(runId);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const text = createRedactor({ values: context.tokens }).text(entry.text);
  const line = JSON.stringify({ at: context.clock.iso(), ...entry, text } satisfies OwnLogEntry);
  await appendFile(join(dir, OWN_LOG_FILE), `${line}\n`, { mode: 0o600 });
}

/** Every entry of a run, oldest first. */
export async function readOwnLog(context: Uses<"paths">, runId: string): Promise<OwnLogEntry[]> {
  const text = await readFile(join(context.paths.run(runId), OWN_LOG_FILE), "utf8").catch(() => "");
  return text.split("\n").flatMap(ownLogEntries);
}

/** The entry of a line; none if a crash cut it. */
export function ownLogEntries(line: string): readonly OwnLogEntry[] {
  try {
    const parsed = entrySchema.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
