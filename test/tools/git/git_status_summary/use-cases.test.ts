import { expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { gitWorld } from "../git-world.ts";

const PATCH = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Scratch\n+# Patched\n";

/** The paths of a raw status, as an author of tools would read them. */
function pathsIn(raw: string): readonly string[] {
  return raw
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("##"))
    .map((line) => line.slice(3));
}

test("seed 000 §1, §2 and §9: after apply_patch raw says that something changed, git_diff takes its targets from raw", async () => {
  await using world = await gitWorld();
  const raw = async () => {
    const summary = await world.toolkit.gitStatusSummary();
    return summary.status === "success" ? summary.data.raw : summary.message;
  };
  expect(await raw()).toBe("## main\n");
  expect((await world.toolkit.applyPatch({ patch: PATCH })).status).toBe("success");
  const after = await raw();
  expect(after).toBe("## main\n M README.md\n");
  const difference = await world.toolkit.gitDiff({ paths: [...pathsIn(after)] });
  expect(difference).toMatchObject({
    data: { files: [{ path: "README.md", status: "modified", additions: 1, deletions: 1 }] },
  });
});

test("seed 000 §2: a log of raw can be read, counted and grouped later, and branch tells a wrong branch", async () => {
  await using world = await gitWorld();
  await world.git(["checkout", "-q", "-b", "feature/one"]);
  await writeFiles(world.repo, { "README.md": "changed\n", "日本.txt": "", "new.txt": "" });
  const summary = await world.toolkit.gitStatusSummary();
  const { branch, raw } = summary.status === "success" ? summary.data : { branch: null, raw: "" };
  expect(branch).toBe("feature/one");
  const log = join(world.sandbox.root, "status.log");
  await Bun.write(log, raw);
  const read = await Bun.file(log).text();
  expect(read).toBe(raw);
  expect(pathsIn(read)).toEqual(["README.md", "new.txt", "日本.txt"]);
});

test("seed 000 §9: git_log begins at branch, and tree shows the files of raw", async () => {
  await using world = await gitWorld();
  await writeFiles(world.repo, { "new.txt": "new\n" });
  const summary = await world.toolkit.gitStatusSummary();
  const { branch, raw } = summary.status === "success" ? summary.data : { branch: null, raw: "" };
  const log = await world.toolkit.gitLog({ range: branch ?? "" });
  expect(log).toMatchObject({ data: { commits: [{ subject: "first" }] } });
  const tree = await world.toolkit.tree({});
  expect(JSON.stringify(tree)).toContain(pathsIn(raw)[0] ?? "missing");
});
