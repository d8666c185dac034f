/** Reads and writes a JSON file of a run or an attempt that must outlive this engine. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { readIfThere } from "../../utils/files/is-there.ts";

/** Null if it was never written. Throws if it cannot be read: to take it for missing could lose work. */
export async function readRecord<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await readIfThere(file);
  return text === null ? null : schema.parse(JSON.parse(text));
}

export async function writeRecord(file: string, record: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, JSON.stringify(record), { mode: 0o600 });
}
