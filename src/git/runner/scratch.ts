/** Makes temporary folders for one action, in a place that the next start cleans after a crash. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./run-git.ts";

/** Calls `act` with an empty folder (absolute) that is deleted afterwards. `name` says whose it is. */
export async function withScratch<T>(
  { scratch }: Pick<Git, "scratch">,
  name: string,
  act: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, `${name}-`));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
