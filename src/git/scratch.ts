/** Makes folders for the temporary files of one act, in a place where the next start removes what a crash left of them. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./run-git.ts";

/** Calls `act` with an empty folder (absolute) that goes when it is done. `name` says whose it is. */
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
