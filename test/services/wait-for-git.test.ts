/** Tells which marked processes count as git calls of ours. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { gitMarker, gitWorks } from "../../src/services/core/wait-for-git.ts";
import { exec } from "../../src/utils/exec.ts";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { LINUX } from "../helpers/need.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

describe("a process that carries the mark of our git calls", () => {
  test("is one of ours if the system does not tell its command line, until it has ended", async () => {
    await using folder = await tempDir();
    const leave = new AbortController();
    const marker = gitMarker(folder.path);
    const sleeping = exec(["sleep", "600"], {
      cwd: "/",
      env: { PATH: process.env.PATH },
      marker,
      signal: leave.signal,
    });
    await waitFor("the process", async () => (await findMarked(marker)).length > 0);
    const nowhere = join(folder.path, "no-proc");
    expect(await gitWorks(folder.path, "/any/.git", nowhere)).toBe(true);
    leave.abort();
    await sleeping;
    expect(await gitWorks(folder.path, "/any/.git", nowhere)).toBe(false);
  });

  test.skipIf(LINUX.missing)(
    `is none of ours if its command line names no git directory${LINUX.why}`,
    async () => {
      await using folder = await tempDir();
      const leave = new AbortController();
      const marker = gitMarker(folder.path);
      const sleeping = exec(["sleep", "600"], {
        cwd: "/",
        env: { PATH: process.env.PATH },
        marker,
        signal: leave.signal,
      });
      await waitFor("the process", async () => (await findMarked(marker)).length > 0);
      expect(await gitWorks(folder.path, "/any/.git")).toBe(false);
      leave.abort();
      await sleeping;
    },
  );
});
