import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gitlinksOf } from "../../../../src/tools/git/repository/index-gitlinks.ts";
import { gitSandbox, writeFiles } from "../../../helpers/git-repo.ts";

const NAMES = ["a", "a b", "日本/ä", "deep/er/still", "zz"];
/** Longer than the index can say in the place that it has for it. */
const LONG = `long/${"n".repeat(200)}/`.repeat(21);

describe("nested repositories are found in every form of index", () => {
  for (const objectFormat of ["sha1", "sha256"] as const)
    for (const version of ["2", "3", "4"])
      for (const split of [false, true])
        test(`${objectFormat}, version ${version}${split ? ", split" : ""}`, async () => {
          await using sandbox = await gitSandbox();
          const repo = await sandbox.repository("work", { objectFormat });
          await writeFiles(repo, Object.fromEntries(NAMES.map((name) => [`files/${name}.txt`, name])));
          await sandbox.git(repo, ["add", "-A"]);
          const commit = await sandbox.git(repo, ["rev-parse", "HEAD"]);
          const links = [...NAMES, `${LONG}end`].map((name) => `links/${name}`);
          for (const path of links)
            await sandbox.git(repo, ["update-index", "--add", "--cacheinfo", `160000,${commit},${path}`]);
          // A file that is only intended makes a version 3 out of a version 2.
          if (version === "3") {
            await writeFiles(repo, { "intended.txt": "" });
            await sandbox.git(repo, ["add", "-N", "intended.txt"]);
          } else await sandbox.git(repo, ["update-index", `--index-version=${version}`]);
          if (split) await sandbox.git(repo, ["update-index", "--split-index"]);
          const found = new Set<string>();
          for (const name of await readdir(join(repo, ".git"))) {
            if (name !== "index" && !name.startsWith("sharedindex.")) continue;
            const bytes = await readFile(join(repo, ".git", name));
            for (const path of gitlinksOf(bytes, objectFormat === "sha1" ? 20 : 32) ?? ["?"]) found.add(path);
          }
          expect([...found].sort()).toEqual([...links].sort());
        });

  test("what is no index is not taken for an empty one", () => {
    const broken = Buffer.concat([
      Buffer.from("DIRC"),
      Buffer.from([0, 0, 0, 2, 0, 0, 0, 9]),
      Buffer.from([0, 0, 0xe0, 0]),
    ]);
    for (const bytes of [Buffer.alloc(0), Buffer.from("nonsense that is long enough"), broken])
      expect(gitlinksOf(bytes, 20)).toBeNull();
    expect(gitlinksOf(Buffer.from("DIRC\0\0\0\u0009\0\0\0\0"), 20)).toBeNull();
  });
});
