import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { stageIntoPlace } from "../../../../src/tools/files/stage-into-place.ts";
import { pinFolder } from "../../../../src/utils/files/pinned-folder.ts";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";

const apply = (bench: Bench, patch: string, more: object = {}) =>
  bench.invoke("apply_patch", { patch, ...more });
const read = (bench: Bench, path: string) => readFileSync(join(bench.root, path), "utf8");
const codex = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const deleting = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`;
const adding = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

describe("apply_patch if files, folders and links take each other's places", () => {
  test("a file becomes a folder, and a folder becomes a file", async () => {
    await using bench = await toolkitIn({ x: "1\n", "y/a/b": "2\n", "y/c": "3\n" });
    const patch = [deleting("x", "1"), adding("x/z", "4"), adding("y", "5"), deleting("y/a/b", "2")];
    expect(await codeOf(apply(bench, [...patch, deleting("y/c", "3")].join("")))).toBe("success");
    expect([read(bench, "x/z"), read(bench, "y")]).toEqual(["4\n", "5\n"]);
  });

  test("a folder that would keep something stays, and nothing is written", async () => {
    await using bench = await toolkitIn({ "y/a": "2\n", "y/kept": "3\n" });
    const patch = adding("y", "5") + deleting("y/a", "2");
    expect(await codeOf(apply(bench, patch))).toBe("NOT_FILE");
    expect(readdirSync(join(bench.root, "y")).sort()).toEqual(["a", "kept"]);
  });

  test("a file below a file is NOT_DIRECTORY, in a dry run too", async () => {
    await using bench = await toolkitIn({ old: "1\n" });
    for (const path of ["old", "new"])
      for (const dry_run of [true, false]) {
        const first = path === "new" ? ["*** Add File: new", "+1"] : [];
        const patch = codex(...first, `*** Add File: ${path}/x`, "+1");
        expect([path, await codeOf(apply(bench, patch, { dry_run }))]).toEqual([path, "NOT_DIRECTORY"]);
      }
    expect(readdirSync(bench.root)).toEqual(["old"]);
  });

  test("a link is neither deleted nor moved, for that would take away the file that it leads to", async () => {
    await using bench = await toolkitIn({ real: "x\n", "d/f": "x\n" });
    symlinkSync("real", join(bench.root, "link"));
    symlinkSync("d", join(bench.root, "folder"));
    for (const patch of [
      codex("*** Delete File: link"),
      codex("*** Delete File: d/../link"),
      codex("*** Update File: link", "*** Move to: moved", "@@", "-x", "+y"),
      deleting("link", "x"),
      "diff --git a/link b/moved\nsimilarity index 100%\nrename from link\nrename to moved\n",
    ])
      expect([patch, await codeOf(apply(bench, patch))]).toEqual([patch, "UNSUPPORTED_CHANGE"]);
    expect([readlinkSync(join(bench.root, "link")), read(bench, "real")]).toEqual(["real", "x\n"]);
    expect(await codeOf(apply(bench, codex("*** Update File: link", "-x", "+y")))).toBe("success");
    expect(read(bench, "real")).toBe("y\n");
    expect(await codeOf(apply(bench, codex("*** Delete File: folder/f")))).toBe("success");
    expect(existsSync(join(bench.root, "d/f"))).toBe(false);
  });

  test("what git says of a changed link or submodule is no change of a file", async () => {
    await using bench = await toolkitIn({ "/etc/x": "x", real: "real" });
    symlinkSync("real", join(bench.root, "link"));
    const link =
      "diff --git a/link b/link\nindex 1111111..2222222 120000\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n-real\n\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n";
    expect(await codeOf(apply(bench, link))).toBe("UNSUPPORTED_CHANGE");
    expect(await codeOf(apply(bench, link.replace("120000", "160000")))).toBe("UNSUPPORTED_CHANGE");
    const made =
      "diff --git a/l b/l\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../outside\n\\ No newline at end of file\n";
    expect(await codeOf(apply(bench, made + adding("l/x", "1")))).toBe("UNSUPPORTED_CHANGE");
    expect([read(bench, "real"), readdirSync(bench.outside)]).toEqual(["real", ["secret"]]);
  });

  test("a deletion that shows no lines deletes an empty file only", async () => {
    await using bench = await toolkitIn({ empty: "", full: "1\n" });
    const patch = (path: string) =>
      `diff --git a/${path} b/${path}\ndeleted file mode 100644\nindex e69de29..0000000\n`;
    expect(await codeOf(apply(bench, patch("full")))).toBe("PATCH_FAILED");
    expect(await codeOf(apply(bench, patch("empty")))).toBe("success");
    expect(readdirSync(bench.root)).toEqual(["full"]);
    expect(await codeOf(apply(bench, codex("*** Delete File: full")))).toBe("success");
  });

  test("a file that the patch makes can be moved by it", async () => {
    await using bench = await toolkitIn();
    const patch = codex("*** Add File: a", "+1", "*** Update File: a", "*** Move to: b", "@@", "-1", "+2");
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect([readdirSync(bench.root), read(bench, "b")]).toEqual([["b"], "2\n"]);
  });

  test("the workspace itself never becomes a file, and nothing is made beside it", async () => {
    await using bench = await toolkitIn();
    const beside = readdirSync(join(bench.root, ".."));
    const path = bench.root;
    expect(await codeOf(apply(bench, codex(`*** Add File: ${path}`, "+1")))).toBe("NOT_FILE");
    expect(await codeOf(bench.invoke("write_file", { path, content: "1" }))).toBe("NOT_FILE");
    const place = { root: path, path };
    const staged = await stageIntoPlace(place, "1", { existing: "refuse" });
    expect(staged.isErr() && staged.error.error.code).toBe("NOT_FILE");
    expect(pinFolder(path, join(path, ".."), { missing: "refuse" })).toMatchObject({
      ok: false,
      reason: "moved",
    });
    expect(readdirSync(join(path, ".."))).toEqual(beside);
    expect(readdirSync(path)).toEqual([]);
  });

  test("never touches what belongs to git, however it is spelt, nor the workspace itself", async () => {
    await using bench = await toolkitIn({
      ".git/config": "mine\n",
      "sub/.git": "gitdir: ../.git/modules/sub\n",
    });
    mkdirSync(join(bench.root, ".git/hooks"));
    symlinkSync(".git", join(bench.root, "g"));
    for (const path of [
      ".git/hooks/x",
      ".GIT/hooks/x",
      ".git /x",
      ".git./x",
      "git~1/x",
      ".g\u200dit/x",
      "g/hooks/x",
      "sub/.git/x",
      "x/.git/hooks/x",
      ".git",
    ])
      expect([path, await codeOf(apply(bench, codex(`*** Add File: ${path}`, "+1")))]).toEqual([
        path,
        "GIT_DIRECTORY",
      ]);
    expect(await codeOf(apply(bench, codex("*** Delete File: sub/.git")))).toBe("GIT_DIRECTORY");
    expect(await codeOf(apply(bench, codex(`*** Delete File: ${bench.root}`)))).toBe("NOT_FILE");
    expect(readdirSync(join(bench.root, ".git")).sort()).toEqual(["config", "hooks"]);
  });
});
