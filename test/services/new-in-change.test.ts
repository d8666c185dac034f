import { expect, test } from "bun:test";
import { join } from "node:path";
import { conflictsOf } from "../../src/domain/publish/conflict-markers.ts";
import { newInChange } from "../../src/services/gate/new-in-change.ts";
import { productGit } from "../git/scene.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";

const CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main\n";

test("a conflict in a file that went excuses one that came with it, not one in every file", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await writeFiles(repo, { "old.md": `About conflicts:\n${CONFLICT}` });
  const gone = await sandbox.git(repo, ["hash-object", "-w", "old.md"]);
  const suspects = ["a.md", "b.md", "c.md"].map((path) => ({
    file: { path, sha: "0".repeat(40), size: 100, older: [] },
    credentials: [],
    conflicts: conflictsOf(CONFLICT),
  }));
  const target = { gitDir: join(repo, ".git"), workTree: repo };
  const found = (await newInChange(productGit(sandbox), target, { suspects, gone: [gone] }))._unsafeUnwrap();
  expect(found.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    "conflict_marker b.md",
    "conflict_marker c.md",
  ]);
});
