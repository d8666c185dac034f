/** Moves what is kept of the trash, also out of folders that are closed to writing. */
import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { moveIgnored } from "../../src/services/trash/keep-ignored.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const root = process.getuid?.() === 0;

test.skipIf(root)(
  `ignored files and folders that are closed to writing are kept too${root ? " (skipped: root may write everywhere)" : ""}`,
  async () => {
    await using place = await tempDir();
    const [from, to] = [join(place.path, "from"), join(place.path, "to")];
    for (const folder of ["closed", "tracked/deep"]) {
      await mkdir(join(from, folder), { recursive: true });
      await writeFile(join(from, folder, "a.local"), "a");
      await chmod(join(from, folder), 0o555);
    }
    for (let times = 0; times < 2; times++)
      await moveIgnored(["closed/", "tracked/deep/a.local"], { from, to });
    expect(await readFile(join(to, "closed", "a.local"), "utf8")).toBe("a");
    expect(await readFile(join(to, "tracked", "deep", "a.local"), "utf8")).toBe("a");
    expect((await lstat(join(to, "closed"))).mode & 0o777).toBe(0o555);
    await chmod(join(to, "closed"), 0o700);
  },
);
