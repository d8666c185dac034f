/** Remembers up to which fact people were notified, so that a restart neither forgets a need nor tells it again. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import type { Uses } from "../core/context-parts.ts";

const schema = z.strictObject({
  /** The number of the last fact of which all is told. */
  seq: z.number().int().nonnegative(),
  /** Why the latest notification could not be sent; null if it was. */
  failed: z.strictObject({ at: z.string(), why: z.string() }).nullable(),
});
export type Notified = Readonly<z.infer<typeof schema>>;

/** Null if nothing was told yet, or if the file cannot be read. */
export async function readNotified({ paths }: Uses<"paths">): Promise<Notified | null> {
  const text = await readFile(paths.notified, "utf8").catch(() => "");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function writeNotified({ paths }: Uses<"paths">, notified: Notified): Promise<void> {
  await writeFileAtomic(paths.notified, JSON.stringify(notified), { mode: 0o600 });
}
