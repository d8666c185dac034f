import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { swapForLink } from "../../swapping-racer.ts";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";

const apply = (bench: Bench, patch: string, more: object = {}) =>
  bench.invoke("apply_patch", { patch, ...more });
const read = (bench: Bench, path: string) => readFileSync(join(bench.root, path), "utf8");
const codex = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

const NUMBERS = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);

describe("apply_patch with a unified diff", () => {
  test("seed 000 §9: apply_patch makes, changes, renames and deletes files, and says what it did to each", async () => {
    await using bench = await toolkitIn({ "src/a.txt": "one\ntwo\nthree\n", old: "o\n", gone: "x\ny\n" });
    const patch = `diff --git a/src/a.txt b/src/a.txt
index 1..2 100644
--- a/src/a.txt
+++ b/src/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/new/b.txt b/new/b.txt
new file mode 100755
--- /dev/null
+++ b/new/b.txt
@@ -0,0 +1,2 @@
+first
+second
\\ No newline at end of file
diff --git a/old b/renamed
similarity index 50%
rename from old
rename to renamed
--- a/old
+++ b/renamed
@@ -1 +1,2 @@
 o
+p
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
-x
-y
`;
    const file = { old_path: null, line_ends_adapted: false };
    expect(await apply(bench, patch)).toEqual({
      status: "success",
      data: {
        files: [
          {
            ...file,
            path: "src/a.txt",
            action: "modified",
            additions: 1,
            deletions: 1,
            hunks: [{ line: 1, offset: 0 }],
          },
          {
            ...file,
            path: "new/b.txt",
            action: "created",
            additions: 2,
            deletions: 0,
            hunks: [{ line: 1, offset: 0 }],
          },
          {
            ...file,
            path: "renamed",
            old_path: "old",
            action: "renamed",
            additions: 1,
            deletions: 0,
            hunks: [{ line: 1, offset: 0 }],
          },
          {
            ...file,
            path: "gone",
            action: "deleted",
            additions: 0,
            deletions: 2,
            hunks: [{ line: 1, offset: 0 }],
          },
        ],
        dry_run: false,
      },
    });
    expect(read(bench, "src/a.txt")).toBe("one\n2\nthree\n");
    expect(read(bench, "new/b.txt")).toBe("first\nsecond");
    expect(statSync(join(bench.root, "new/b.txt")).mode & 0o100).toBe(0o100);
    expect(read(bench, "renamed")).toBe("o\np\n");
    expect(readdirSync(bench.root).sort()).toEqual(["new", "renamed", "src"]);
  });

  test("a dry run says the same and writes nothing", async () => {
    await using bench = await toolkitIn({ a: "1\n" });
    const answer = await apply(bench, "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n", { dry_run: true });
    expect(answer).toMatchObject({ data: { dry_run: true, files: [{ path: "a", action: "modified" }] } });
    expect(read(bench, "a")).toBe("1\n");
  });

  test("finds a hunk whose line numbers are wrong, and says by how much", async () => {
    await using bench = await toolkitIn({ a: `${NUMBERS.join("\n")}\n` });
    const patch =
      "--- a/a\n+++ b/a\n@@ -3,3 +3,3 @@\n line 19\n-line 20\n+LINE 20\n line 21\n@@ -5 +5 @@\n-line 22\n+LINE 22\n";
    const answer = await apply(bench, patch);
    expect(answer).toMatchObject({
      data: {
        files: [
          {
            hunks: [
              { line: 19, offset: 16 },
              { line: 22, offset: 17 },
            ],
          },
        ],
      },
    });
    expect(read(bench, "a").split("\n").slice(18, 22)).toEqual(["line 19", "LINE 20", "line 21", "LINE 22"]);
  });

  test("takes hunks whose counts are wrong, or whose header has no numbers", async () => {
    for (const header of ["@@ -1,9 +1,1 @@", "@@ -1,1 +1,1 @@", "@@ -1,0 +1,0 @@", "@@", "@@ ... @@"]) {
      await using bench = await toolkitIn({ a: "x\n\ny\nz\n" });
      const answer = await apply(bench, `--- a/a\n+++ b/a\n${header}\n x\n\n-y\n+Y\n z\n`);
      expect([header, answer]).toMatchObject([header, { status: "success" }]);
      expect(read(bench, "a")).toBe("x\n\nY\nz\n");
    }
  });

  test("passes over text around the diff, as mails have it", async () => {
    await using bench = await toolkitIn({ a: "1\n" });
    const mail =
      "From: x\nSubject: y\n\n---\n a | 2 +-\n\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n-- \n2.39.5\n\n";
    expect(await apply(bench, mail)).toMatchObject({ data: { files: [{ additions: 1, deletions: 1 }] } });
    expect(read(bench, "a")).toBe("2\n");
  });

  test("refuses to guess between two places", async () => {
    await using bench = await toolkitIn({ a: "x\ny\nx\ny\n" });
    const answer = await apply(bench, "--- a/a\n+++ b/a\n@@ -9 +9 @@\n-y\n+z\n");
    expect(answer).toMatchObject({
      status: "failure",
      error: {
        code: "PATCH_FAILED",
        details: { path: "a", hunk: 1, patch_line: 3, reason: "ambiguous", lines: [2, 4] },
      },
    });
    expect(read(bench, "a")).toBe("x\ny\nx\ny\n");
  });

  test("seed 000 §9: of several files apply_patch writes nothing if one hunk fails, and says where and why", async () => {
    await using bench = await toolkitIn({ a: "1\n", b: "one\ntwo\nthree\n" });
    const patch =
      "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n--- a/b\n+++ b/b\n@@ -1,3 +1,2 @@\n one\n-zwei\n three\n";
    expect(await apply(bench, patch)).toEqual({
      status: "failure",
      reason: "runtime",
      message:
        'b: hunk 1 (line 12 of the patch) does not fit: line 2: the patch expects "zwei", the file has "two". Nothing was written.',
      error: {
        code: "PATCH_FAILED",
        message:
          'b: hunk 1 (line 12 of the patch) does not fit: line 2: the patch expects "zwei", the file has "two". Nothing was written.',
        retriable: false,
        details: { path: "b", hunk: 1, patch_line: 12, reason: "not-found", lines: [2] },
      },
    });
    expect([read(bench, "a"), existsSync(join(bench.root, "new"))]).toEqual(["1\n", false]);
  });

  test("keeps the line ends of the file if the patch has others", async () => {
    await using bench = await toolkitIn({ crlf: "a\r\nb\r\nc\r\n", lf: "a\nb\nc\n" });
    const hunk = (path: string, end: string) =>
      [`--- a/${path}`, `+++ b/${path}`, "@@ -1,3 +1,4 @@", " a", "-b", "+B", "+BB", " c", ""].join(end);
    expect(await apply(bench, hunk("crlf", "\n"))).toMatchObject({
      data: { files: [{ line_ends_adapted: true }] },
    });
    expect(read(bench, "crlf")).toBe("a\r\nB\r\nBB\r\nc\r\n");
    expect(await apply(bench, hunk("lf", "\r\n"))).toMatchObject({
      data: { files: [{ line_ends_adapted: false }] },
    });
    expect(read(bench, "lf")).toBe("a\nB\nBB\nc\n");
  });

  test("patches a file in another encoding byte for byte", async () => {
    const latin1 = Buffer.from("caf\u00e9\nx\n", "latin1");
    await using bench = await toolkitIn({ a: latin1 });
    expect(await codeOf(apply(bench, "--- a/a\n+++ b/a\n@@ -2 +2 @@\n-x\n+\u3042\n"))).toBe("success");
    expect(readFileSync(join(bench.root, "a"))).toEqual(
      Buffer.concat([latin1.subarray(0, 5), Buffer.from("\u3042\n")]),
    );
  });

  test("changes the mode of a file, keeps it otherwise, and understands diff -N", async () => {
    await using bench = await toolkitIn({ run: "1\n" });
    chmodSync(join(bench.root, "run"), 0o640);
    await apply(bench, "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n");
    expect(statSync(join(bench.root, "run")).mode & 0o777).toBe(0o750);
    await apply(bench, "--- a/run\n+++ b/run\n@@ -1 +1 @@\n-1\n+2\n");
    expect(statSync(join(bench.root, "run")).mode & 0o777).toBe(0o750);
    const created =
      "--- x/new\t1970-01-01 00:00:00.000000000 +0000\n+++ new\t2026-01-01 00:00:00.0 +0000\n@@ -0,0 +1 @@\n+n\n";
    expect(await apply(bench, created)).toMatchObject({
      data: { files: [{ path: "new", action: "created" }] },
    });
    const emptied =
      "--- new\t2026-01-01 00:00:00.0 +0000\n+++ x/new\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-n\n";
    expect(await apply(bench, emptied)).toMatchObject({
      data: { files: [{ path: "new", action: "deleted" }] },
    });
  });

  test("two files change places, and a file is changed twice in one patch", async () => {
    await using bench = await toolkitIn({ a: "A\n", b: "B\n", c: "1\n2\n" });
    const swap = ["a b", "b a"].map((pair) => {
      const [from, to] = pair.split(" ");
      return `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
    });
    const twice = ["1", "2"].map((n) => `--- a/c\n+++ b/c\n@@ -${n} +${n} @@\n-${n}\n+${n}${n}\n`);
    expect(await codeOf(apply(bench, [...swap, ...twice].join("")))).toBe("success");
    expect(["a", "b", "c"].map((path) => read(bench, path))).toEqual(["B\n", "A\n", "11\n22\n"]);
  });

  test("takes paths relative to cwd, and git's quoted names", async () => {
    await using bench = await toolkitIn({ "sub/\u3042 x": "1\n" });
    const patch = '--- "a/\\343\\201\\202 x"\n+++ "b/\\343\\201\\202 x"\n@@ -1 +1 @@\n-1\n+2\n';
    expect(await apply(bench, patch, { cwd: "sub" })).toMatchObject({
      data: { files: [{ path: "sub/\u3042 x" }] },
    });
    expect(read(bench, "sub/\u3042 x")).toBe("2\n");
    expect(await codeOf(apply(bench, patch, { cwd: "none" }))).toBe("NOT_DIRECTORY");
  });
});

describe("apply_patch between *** Begin Patch and *** End Patch", () => {
  test("adds, updates, moves and deletes files", async () => {
    await using bench = await toolkitIn({ a: "one\ntwo\nthree\n", b: "b\n", gone: "1\n2\n" });
    const patch = codex(
      "*** Add File: new/file.txt",
      "+hello",
      "+",
      "*** Update File: a",
      "@@",
      " one",
      "-two",
      "+2",
      "*** Update File: b",
      "*** Move to: c",
      "@@",
      "-b",
      "+c",
      "*** Delete File: gone",
    );
    expect(await apply(bench, patch)).toMatchObject({
      data: {
        files: [
          { path: "new/file.txt", action: "created", additions: 2 },
          { path: "a", action: "modified", additions: 1, deletions: 1 },
          { path: "c", old_path: "b", action: "renamed" },
          { path: "gone", action: "deleted", deletions: 2 },
        ],
      },
    });
    expect([read(bench, "new/file.txt"), read(bench, "a"), read(bench, "c")]).toEqual([
      "hello\n\n",
      "one\n2\nthree\n",
      "c\n",
    ]);
    expect(readdirSync(bench.root).sort()).toEqual(["a", "c", "new"]);
  });

  test("an anchor says which of several places is meant, and several anchors lead inwards", async () => {
    const text =
      "class A:\n  def f():\n    pass\n  def g():\n    pass\nclass B:\n  def f():\n    pass\n  def g():\n    pass\n";
    await using bench = await toolkitIn({ a: text });
    const update = (...lines: readonly string[]) => codex("*** Update File: a", ...lines);
    expect(await codeOf(apply(bench, update("@@", "-    pass", "+    return 1")))).toBe("PATCH_FAILED");
    expect(await codeOf(apply(bench, update("@@ def g():", "-    pass", "+    return 1")))).toBe(
      "PATCH_FAILED",
    );
    expect(
      await apply(bench, update("@@ class B:", "@@   def g():", "-    pass", "+    return 1")),
    ).toMatchObject({
      data: { files: [{ hunks: [{ line: 10, offset: 0 }] }] },
    });
    expect(read(bench, "a")).toBe(text.replace(/pass\n$/, "return 1\n"));
  });

  test("a hunk at the end of the file, and one that only adds", async () => {
    await using bench = await toolkitIn({ a: "x\ny\nx\n", b: "1\r\n2" });
    const patch = codex(
      "*** Update File: a",
      "@@",
      "-x",
      "+z",
      "*** End of File",
      "*** Update File: b",
      "@@",
      "+3",
    );
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect([read(bench, "a"), read(bench, "b")]).toEqual(["x\ny\nz\n", "1\r\n2\r\n3\r\n"]);
  });

  test("a file that is changed and then moved keeps both", async () => {
    await using bench = await toolkitIn({ a: "1\n2\n" });
    const patch = codex(
      "*** Update File: a",
      "@@",
      "-1",
      "+one",
      "*** Update File: a",
      "*** Move to: b",
      "@@",
      "-2",
      "+two",
    );
    expect(await codeOf(apply(bench, patch))).toBe("success");
    expect(read(bench, "b")).toBe("one\ntwo\n");
  });

  test("a patch that was cut off, and other flaws, are INVALID_PATCH with their line", async () => {
    await using bench = await toolkitIn({ a: "1\n" });
    const flawed: readonly (readonly [string, number])[] = [
      ["*** Begin Patch\n*** Add File: x\n+1\n", 3],
      ["*** Begin Patch\n*** End Patch\n", 1],
      [codex("hello"), 2],
      [codex("*** Add File: x", "no plus"), 3],
      [codex("*** Delete File: a", "-1"), 3],
      [codex("*** Update File: a"), 2],
      [codex("*** Update File: a", "@@"), 2],
      [codex("*** Update File: a", "@@ here"), 3],
      ["--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\ntext\n-3\n", 7],
      [codex("*** Update File: a", "@@", "-1", "nonsense"), 5],
      ["hello\n", 1],
      ["@@ -1 +1 @@\n-1\n+2\n", 1],
      ["--- a/a\n+++ b/a\n@@ -1 +1 @@\n", 3],
      ["--- a/a\n+++ b/a\n", 1],
      ["--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+2\n", 1],
      ["diff --git a/a b/b\nrename from a\n", 1],
      ["  \n\n", 1],
    ];
    for (const [patch, line] of flawed)
      expect([patch, await apply(bench, patch)]).toMatchObject([
        patch,
        { status: "failure", error: { code: "INVALID_PATCH", details: { patch_line: line } } },
      ]);
    expect(readdirSync(bench.root)).toEqual(["a"]);
  });
});

describe("apply_patch keeps to its workspace", () => {
  const adding = (path: string) => `--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+x\n`;

  test("refuses paths that leave it, by spelling or by link, and what belongs to git", async () => {
    await using bench = await toolkitIn({ ".git/config": "mine\n", "sub/a": "" });
    symlinkSync(bench.outside, join(bench.root, "out"));
    for (const [path, code] of [
      ["../outside/x", "OUTSIDE_WORKSPACE"],
      ["b/../outside/x", "OUTSIDE_WORKSPACE"],
      ["/etc/x", "OUTSIDE_WORKSPACE"],
      ["out/x", "OUTSIDE_WORKSPACE"],
      ["b/.git/hooks/pre-commit", "GIT_DIRECTORY"],
      ["sub/.git", "GIT_DIRECTORY"],
      ["C:\\x", "INVALID_ARGUMENT"],
      ["\t", "INVALID_ARGUMENT"],
    ] as const)
      expect([path, await codeOf(apply(bench, adding(path)))]).toEqual([path, code]);
    expect(await codeOf(apply(bench, adding("/etc/x"), { cwd: "sub" }))).toBe("OUTSIDE_WORKSPACE");
    expect(await codeOf(apply(bench, adding("../../x"), { cwd: "sub" }))).toBe("OUTSIDE_WORKSPACE");
    expect(await codeOf(apply(bench, adding("../x"), { cwd: "sub" }))).toBe("success");
    expect(await codeOf(apply(bench, "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-mine\n+x\n"))).toBe(
      "GIT_DIRECTORY",
    );
    expect(
      await codeOf(
        apply(
          bench,
          "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n",
        ),
      ),
    ).toBe("UNSUPPORTED_CHANGE");
    expect(await codeOf(apply(bench, "diff --git a/l b/l\nGIT binary patch\n"))).toBe("UNSUPPORTED_CHANGE");
    expect(readdirSync(bench.outside)).toEqual(["secret"]);
  });

  test("says what is missing, there already, or no file", async () => {
    await using bench = await toolkitIn({ a: "1\n" });
    mkdirSync(join(bench.root, "d"));
    expect(await codeOf(apply(bench, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"))).toBe("NOT_FOUND");
    expect(await codeOf(apply(bench, "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"))).toBe("NOT_FOUND");
    expect(await codeOf(apply(bench, adding("a")))).toBe("ALREADY_EXISTS");
    expect(
      await codeOf(apply(bench, codex("*** Update File: a", "*** Move to: a2", "*** Add File: a2", "+x"))),
    ).toBe("ALREADY_EXISTS");
    expect(await codeOf(apply(bench, "--- a/d\n+++ b/d\n@@ -1 +1 @@\n-1\n+2\n"))).toBe("NOT_FILE");
    expect(await codeOf(apply(bench, "--- a/a\n+++ /dev/null\n@@ -1,0 +0,0 @@\n-\n"))).toBe("PATCH_FAILED");
    writeFileSync(join(bench.root, "big"), Buffer.alloc(17 * 1024 * 1024, "x\n"));
    expect(await codeOf(apply(bench, "--- a/big\n+++ b/big\n@@ -1 +1 @@\n-1\n+2\n"))).toBe(
      "SIZE_LIMIT_EXCEEDED",
    );
    expect(readdirSync(bench.root).sort()).toEqual(["a", "big", "d"]);
  });

  test("read-only refuses it, each wrong argument is named", async () => {
    await using closed = await toolkitIn({}, { writeScope: "read-only" });
    expect(await codeOf(apply(closed, adding("a")))).toBe("READ_ONLY");
    await using bench = await toolkitIn();
    const wrong: readonly (readonly [object, string])[] = [
      [{}, "patch"],
      [{ patch: "" }, "patch"],
      [{ patch: 1 }, "patch"],
      [{ patch: "\ud83d" }, "patch"],
      [{ patch: "x".repeat(10_000_001) }, "patch"],
      [{ patch: adding("a"), cwd: "" }, "cwd"],
      [{ patch: adding("a"), cwd: null }, "cwd"],
      [{ patch: adding("a"), dry_run: "yes" }, "dry_run"],
      [{ patch: adding("a"), filePath: "a" }, "filePath"],
    ];
    for (const [args, named] of wrong) {
      const result = await bench.invoke("apply_patch", args);
      expect([named, result.status === "success" || result.error.code]).toEqual([named, "INVALID_ARGUMENT"]);
      expect(result.status === "success" ? "" : result.message).toContain(named);
    }
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test("many patches of one file at once are all applied", async () => {
    await using bench = await toolkitIn({ a: `${NUMBERS.join("\n")}\n` });
    const call = (line: string) =>
      codeOf(apply(bench, codex("*** Update File: a", `-${line}`, `+${line.toUpperCase()}`)));
    expect(new Set(await Promise.all(NUMBERS.map(call)))).toEqual(new Set(["success"]));
    expect(read(bench, "a")).toBe(`${NUMBERS.join("\n").toUpperCase()}\n`);
  });

  test("finds its place in a file of many equal lines in no time", async () => {
    await using bench = await toolkitIn({ a: "}\n".repeat(1_000_000) });
    const began = performance.now();
    const patch = `--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n${" }\n".repeat(20_000)}-x\n`;
    expect(await codeOf(apply(bench, patch))).toBe("PATCH_FAILED");
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("a folder that is swapped for a link between look and use leads no change outside", async () => {
    await using bench = await toolkitIn({ "d/secret": "mine\n" });
    const codes = new Set<string>();
    await using _ = await swapForLink(join(bench.root, "d"), bench.outside);
    // How often the folder is there is the scheduler's choice; it must be once.
    for (let round = 0; round < 400 || !codes.has("success"); round++) {
      codes.add(await codeOf(apply(bench, codex("*** Update File: d/secret", "-mine", "+mine2"))));
      codes.add(await codeOf(apply(bench, codex("*** Update File: d/secret", "-mine2", "+mine"))));
      codes.add(await codeOf(apply(bench, codex("*** Update File: d/secret", "-secret", "+stolen"))));
    }
    expect(readFileSync(join(bench.outside, "secret"), "utf8")).toBe("secret\n");
    expect(readdirSync(bench.outside)).toEqual(["secret"]);
    expect(codes.has("success")).toBe(true);
  }, 60_000);
});
