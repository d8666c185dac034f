import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { watchFiles } from "../../src/utils/files/file-changes.ts";
import { tempDir } from "../helpers/temp-dir.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

const NEVER_MS = 3_600_000;

describe("watchFiles", () => {
  test("wakes when one of its files is made, and when it changed before the wait", async () => {
    await using dir = await tempDir();
    const changes = watchFiles({ folder: dir.path, files: ["a"], pollMs: NEVER_MS });
    const waiting = changes.next();
    await writeFile(join(dir.path, "a"), "1");
    await waiting;
    await writeFile(join(dir.path, "a"), "2");
    await changes.next();
    changes.close();
  });

  test("wakes after the poll time, also if the folder cannot be watched", async () => {
    await using dir = await tempDir();
    for (const folder of [dir.path, join(dir.path, "no such folder")]) {
      const changes = watchFiles({ folder, files: ["a"], pollMs: 10 });
      await changes.next();
      changes.close();
    }
  });

  test("wakes when a signal is aborted, and does not wait after that", async () => {
    await using dir = await tempDir();
    const stop = new AbortController();
    const changes = watchFiles({ folder: dir.path, files: [], pollMs: NEVER_MS, signals: [stop.signal] });
    const waiting = changes.next();
    stop.abort();
    await waiting;
    await changes.next();
    changes.close();
    expect(stop.signal.aborted).toBe(true);
  });

  test("ends every wait when it is closed", async () => {
    await using dir = await tempDir();
    const changes = watchFiles({ folder: dir.path, files: ["a"], pollMs: NEVER_MS });
    const waiting = changes.next();
    changes.close();
    await waiting;
  });
});
