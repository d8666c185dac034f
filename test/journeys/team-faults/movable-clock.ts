/** Moves the time of day of programs by a text as `+10m`, also while they run. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fakeTime } from "../../helpers/fake-time.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

/** `env` is the environment of the programs whose clock `set` moves. */
export async function movableClock() {
  const folder = await tempDir();
  const file = join(folder.path, "clock");
  const set = (moved: string) => writeFile(file, moved);
  await set("+0");
  return {
    env: {
      ...{ LD_PRELOAD: fakeTime.library ?? "", FAKETIME_TIMESTAMP_FILE: file },
      ...{ FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1" },
    },
    set,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
