import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";

const apply = (bench: Bench, patch: string, more: object = {}) =>
  bench.invoke("apply_patch", { patch, ...more });
const read = (bench: Bench, path: string) => readFileSync(join(bench.root, path), "utf8");
const codex = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const CHANGES_A = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n";

describe("apply_patch passes nothing over in silence", () => {
  test("a second patch, or any text, behind *** End Patch is refused with its line", async () => {
    await using bench = await toolkitIn({ a: "1\n", b: "1\n" });
    const two = codex("*** Delete File: a") + codex("*** Delete File: b");
    expect(await apply(bench, two)).toMatchObject({
      error: { code: "INVALID_PATCH", details: { patch_line: 4 } },
    });
    expect(readdirSync(bench.root).sort()).toEqual(["a", "b"]);
  });

  test("a line of context that reads like an end of the patch or of the file is one", async () => {
    await using bench = await toolkitIn({ a: "1\n*** End Patch\n2\n*** End of File\n3\n" });
    const patch = codex(
      "*** Update File: a",
      "@@",
      "-1",
      "+one",
      " *** End Patch",
      "-2",
      "+two",
      " *** End of File",
      "-3",
      "+three",
    );
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect(read(bench, "a")).toBe("one\n*** End Patch\ntwo\n*** End of File\nthree\n");
  });

  test("a patch in one form below one in the other is refused", async () => {
    await using bench = await toolkitIn({ a: "1\n", b: "1\n" });
    expect(await apply(bench, CHANGES_A + codex("*** Delete File: b"))).toMatchObject({
      error: { code: "INVALID_PATCH", details: { patch_line: 6 } },
    });
    expect(read(bench, "a")).toBe("1\n");
  });

  test("a byte order mark in front hides no file", async () => {
    await using bench = await toolkitIn({ x: "1\n", a: "1\n" });
    const moved = "\ufeffdiff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    expect(await codeOf(apply(bench, moved + CHANGES_A))).toBe("success");
    expect(await codeOf(apply(bench, `\ufeff${codex("*** Delete File: a")}`))).toBe("success");
    expect(readdirSync(bench.root)).toEqual(["y"]);
  });

  test("a binary file that diff only mentions is refused, wherever it stands", async () => {
    await using bench = await toolkitIn({ a: "1\n" });
    const binary = "Binary files old/b and new/b differ\n";
    for (const patch of [binary + CHANGES_A, CHANGES_A + binary])
      expect(await codeOf(apply(bench, patch))).toBe("UNSUPPORTED_CHANGE");
    expect(read(bench, "a")).toBe("1\n");
  });

  test("a change of content without hunks, as a cut or a binary patch leaves it, is refused", async () => {
    await using bench = await toolkitIn({ a: "1\n", e: "" });
    const git = (name: string, ...lines: readonly string[]) =>
      [`diff --git a/${name} b/${name}`, ...lines, ""].join("\n");
    for (const patch of [
      git("a", "old mode 100644", "new mode 100755", "index d00491f..0cfbf08"),
      git("new", "new file mode 100644", "index 0000000..d00491f"),
      git("a", "deleted file mode 100644", "index d00491f..0000000"),
      git("a", "old mode 100644", "new mode 100755", "index d00491f..0cfbf08") +
        CHANGES_A.replaceAll("/a", "/e"),
    ])
      expect([patch, await codeOf(apply(bench, patch))]).toEqual([patch, "INVALID_PATCH"]);
    expect([statSync(join(bench.root, "a")).mode & 0o111, readdirSync(bench.root).sort()]).toEqual([
      0,
      ["a", "e"],
    ]);
    const made = git("new", "new file mode 100644", "index 0000000..e69de29");
    const gone = git("e", "deleted file mode 100644", "index e69de29bb2d1..000000000000");
    expect(await codeOf(apply(bench, made + gone))).toBe("success");
    expect(readdirSync(bench.root).sort()).toEqual(["a", "new"]);
  });

  test("a deleted dash is no end of a mail, if the counts of a hunk are wrong", async () => {
    await using bench = await toolkitIn({ a: "x\n- \ny\nz\n" });
    const hunk = "--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n x\n-- \n-y\n+Y\n z\n";
    expect(await codeOf(apply(bench, hunk))).toBe("success");
    expect(read(bench, "a")).toBe("x\nY\nz\n");
    const mailed = `From 1 Mon Sep 17 00:00:00 2001\nSubject: x\n---\n${CHANGES_A.replace("-1\n+2", "-x\n+1")}-- \n2.39.5\n\n`;
    expect(await codeOf(apply(bench, mailed))).toBe("success");
    expect(read(bench, "a")).toBe("1\nY\nz\n");
  });

  test("a hunk behind the end of a mail belongs to no file", async () => {
    await using bench = await toolkitIn({ a: "1\n", b: "2\n" });
    const patch = `${CHANGES_A}-- \n2.39.5\n\n@@ -1 +1 @@\n-2\n+3\n`;
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect([read(bench, "a"), read(bench, "b")]).toEqual(["2\n", "2\n"]);
  });

  test("a name that ends with the byte of a blank is kept whole", async () => {
    await using bench = await toolkitIn();
    expect(await codeOf(apply(bench, codex("*** Add File: voil\u00e0", "+1")))).toBe("success");
    const moved = codex("*** Update File: voil\u00e0", "*** Move to: l\u00e0", "@@", "-1", "+2");
    expect(await apply(bench, moved)).toMatchObject({ data: { files: [{ path: "l\u00e0" }] } });
    expect(readdirSync(bench.root)).toEqual(["l\u00e0"]);
  });

  test("a name that is no UTF-8 is refused, not replaced", async () => {
    await using bench = await toolkitIn();
    const patch = '--- /dev/null\n+++ "b/\\377"\n@@ -0,0 +1 @@\n+1\n';
    expect(await codeOf(apply(bench, patch))).toBe("INVALID_ARGUMENT");
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test("a name that can only be a folder's is INVALID_ARGUMENT", async () => {
    await using bench = await toolkitIn({ "d/x": "" });
    for (const path of ["new/", "d/", "d\\", "d/.", "d/..", ".", ".."])
      expect([path, await codeOf(apply(bench, codex(`*** Add File: ${path}`, "+1")))]).toEqual([
        path,
        "INVALID_ARGUMENT",
      ]);
    expect(existsSync(join(bench.root, "new"))).toBe(false);
  });
});

describe("apply_patch finds the right lines", () => {
  test("hunks in any order go where their numbers say, not to lines that look the same", async () => {
    await using bench = await toolkitIn({ a: "k\n1\n2\n3\nB\n4\nk\n" });
    const patch = "--- a/a\n+++ b/a\n@@ -5 +5 @@\n-B\n+b\n@@ -1 +1 @@\n-k\n+K\n";
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect(read(bench, "a")).toBe("K\n1\n2\n3\nb\n4\nk\n");
  });

  test("hunks that overlap are refused", async () => {
    await using bench = await toolkitIn({ a: "1\n2\n3\n" });
    const patch = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -2,2 +2,2 @@\n-2\n+two\n 3\n";
    expect(await codeOf(apply(bench, patch))).toBe("PATCH_FAILED");
    expect(read(bench, "a")).toBe("1\n2\n3\n");
  });

  test("a blank line of context in front of the end of the file counts", async () => {
    await using bench = await toolkitIn({ a: "x\ny\nx\n\n" });
    const patch = codex("*** Update File: a", "@@", "-x", "+z", " ", "*** End of File");
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect(read(bench, "a")).toBe("x\ny\nz\n\n");
  });

  test("takes no longer for patches that are made to take long", async () => {
    await using bench = await toolkitIn({ a: "x\n".repeat(200_000), b: `${"l\n".repeat(500_000)}end\n` });
    const hunks = Array.from({ length: 3000 }, (_, at) => `@@ -${at * 99 + 1} +${at * 99 + 1} @@\n-l\n+m\n`);
    const names = Array.from({ length: 20_000 }, () => "*** Delete File: ../x");
    const hard: readonly (readonly [string, string])[] = [
      [codex("*** Update File: a", "@@ x", "@@ never", "-y", "+z"), "PATCH_FAILED"],
      [codex("*** Update File: a", "@@ x", "-x", "+z"), "PATCH_FAILED"],
      [codex(`*** Add File: x${" ".repeat(200_000)}y`, "+1"), "INVALID_ARGUMENT"],
      [`diff --git ${"a ".repeat(200_000)}b\ndeleted file mode 100644\n`, "INVALID_PATCH"],
      [codex(...names), "OUTSIDE_WORKSPACE"],
      [
        codex("*** Update File: a", ...Array.from({ length: 500 }, () => "@@ x"), "-y", "+z"),
        "INVALID_PATCH",
      ],
      [`--- a/b\n+++ b/b\n${hunks.join("")}`, "success"],
    ];
    for (const [patch, code] of hard) {
      const began = performance.now();
      expect([patch.slice(0, 80), await codeOf(apply(bench, patch))]).toEqual([patch.slice(0, 80), code]);
      expect([patch.slice(0, 80), performance.now() - began < 5000]).toEqual([patch.slice(0, 80), true]);
    }
  }, 60_000);
});
