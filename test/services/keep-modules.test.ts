/** Puts repositories of submodules aside and back, with the data folder on another disk than the repository. */
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Attempt } from "../../src/domain/attempt/attempt.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { dataPaths } from "../../src/services/core/data-paths.ts";
import { backUpModules, restoreModules } from "../../src/services/worktrees/keep-modules.ts";
import { otherFileSystem, tempDir } from "../helpers/temp-dir.ts";

const other = otherFileSystem();

test.skipIf(other === null)(
  `on another disk, what was committed in a submodule after a first restore outlives a second cancel${
    other === null ? " (skipped: there is no other file system here)" : ""
  }`,
  async () => {
    await using home = await tempDir();
    const disk = mkdtempSync(join(String(other), "tazuna-test-"));
    try {
      const gitDir = join(disk, "registration");
      const file = join(gitDir, "modules", "lib", "commits");
      const paths = dataPaths(home.path);
      const context = { paths } as ServiceContext;
      const attempt = { id: "attempt-1", gitDir } as Attempt;
      await mkdir(join(gitDir, "modules", "lib"), { recursive: true });
      await writeFile(file, "first");
      const cameBack: string[] = [];
      for (const next of ["second", "third", "fourth"]) {
        await backUpModules(context, attempt);
        await rm(gitDir, { recursive: true });
        await mkdir(gitDir);
        await restoreModules(context, attempt.id, gitDir);
        cameBack.push(await readFile(file, "utf8"));
        await writeFile(file, next);
      }
      expect(cameBack).toEqual(["first", "second", "third"]);
      expect(await readdir(paths.attempt(attempt.id))).toEqual([]);
    } finally {
      await rm(disk, { recursive: true, force: true });
    }
  },
);

test("what was put aside of submodules before is kept beside the newer one", async () => {
  await using home = await tempDir();
  const paths = dataPaths(join(home.path, "data"));
  const context = { paths, newId: () => "parked" } as ServiceContext;
  const attempt = { id: "attempt-1", gitDir: join(home.path, "registration") } as Attempt;
  for (const [folder, text] of [
    [paths.attempt(attempt.id), "older"],
    [join(home.path, "registration"), "newer"],
  ] as const) {
    await mkdir(join(folder, "modules"), { recursive: true });
    await writeFile(join(folder, "modules", "commits"), text);
  }
  await backUpModules(context, attempt);
  const aside = (name: string) => readFile(join(paths.attempt(attempt.id), name, "commits"), "utf8");
  expect([await aside("modules"), await aside("modules-parked")]).toEqual(["newer", "older"]);
});
