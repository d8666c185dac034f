import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { tempDir } from "../../../helpers/temp-dir.ts";
import { deep } from "../../../helpers/tier.ts";
import { codeOf, toolkitIn } from "../../toolkit-in.ts";

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("a", "b", "}", "", "  x", "-- y", "++ z", "@@ -1 +1 @@", "--- a/f", "+++ b/f"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => text.replace(/[\0\n]/g, "")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\u3042\u{1f600}", "\r", "x\r", "\\ No newline at end of file", "\ufffd"),
  },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, ends]) => (lines.length === 0 ? "" : lines.join("\n") + (ends ? "\n" : "")));
/** A text, and another one that shares much of it. */
const pair = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.nat(60), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 5 }),
    fc.boolean(),
  )
  .map(([old, edits, ends]) => {
    const lines = old.split("\n");
    for (const [at, drop, add] of edits) lines.splice(at % (lines.length + 1), drop, ...add);
    return [old, lines.join("\n") + (ends ? "\n" : "")] as const;
  });

function run(argv: readonly string[], cwd: string): Buffer {
  const result = Bun.spawnSync([...argv], {
    cwd,
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  if (result.exitCode > 1) throw new Error(`${argv.join(" ")}: ${result.stderr.toString()}`);
  return Buffer.from(result.stdout);
}

describe("apply_patch against real diffs", () => {
  for (const [what, argv] of [
    ["git diff --no-index", ["git", "diff", "--no-index", "--text", "--no-color", "--", "file", "other"]],
    [
      "git diff --no-index -U0",
      ["git", "diff", "--no-index", "--text", "--no-color", "-U0", "--", "file", "other"],
    ],
    ["diff -u", ["diff", "-u", "--text", "file", "other"]],
  ] as const)
    test(`what ${what} says of two texts makes the second one of the first`, async () => {
      await using dir = await tempDir();
      await using bench = await toolkitIn();
      await fc.assert(
        fc.asyncProperty(pair, async ([old, next]) => {
          fc.pre(old !== next);
          writeFileSync(join(dir.path, "file"), old);
          writeFileSync(join(dir.path, "other"), next);
          const patch = run(argv, dir.path).toString("utf8");
          writeFileSync(join(bench.root, "file"), old);
          const result = await bench.invoke("apply_patch", { patch });
          expect([patch, result]).toMatchObject([patch, { status: "success" }]);
          expect(readFileSync(join(bench.root, "file"), "utf8")).toBe(next);
        }),
        { numRuns: 120 },
      );
    }, 120_000);

  test("what git says of two trees makes the second one of the first, with all kinds of changes and names", async () => {
    await using dir = await tempDir();
    const name = fc.constantFrom(
      "a",
      "b/c",
      "b/d e",
      "\u00e9",
      'q"uote',
      "tab\tname",
      "x.sh",
      "b/y",
      "deep/er/z",
    );
    const tree = fc.dictionary(name, fc.tuple(text, fc.boolean()), { maxKeys: 7 });
    const git = (...args: string[]) =>
      run(["git", "-c", "user.name=t", "-c", "user.email=t@t", ...args], dir.path);
    git("init", "-q");
    const fill = (root: string, files: Record<string, readonly [string, boolean]>) => {
      for (const entry of readdirSync(root))
        if (entry !== ".git") rmSync(join(root, entry), { recursive: true });
      for (const [path, [content, executable]] of Object.entries(files)) {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), content, { mode: executable ? 0o755 : 0o644 });
      }
    };
    await fc.assert(
      fc.asyncProperty(tree, tree, fc.boolean(), async (old, next, renames) => {
        // A control character in a name is refused by the confinement, for every caller.
        const legal = (files: typeof old) =>
          Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes("\t")));
        const [before, after] = [legal(old), legal(next)];
        fill(dir.path, before);
        git("add", "-A");
        const from = git("write-tree").toString().trim();
        fill(dir.path, after);
        git("add", "-A");
        const to = git("write-tree").toString().trim();
        fc.pre(from !== to);
        const patch = git("diff", "--text", renames ? "-C30%" : "--no-renames", from, to).toString("utf8");
        await using bench = await toolkitIn();
        fill(bench.root, before);
        const result = await bench.invoke("apply_patch", { patch });
        expect([patch, result]).toMatchObject([patch, { status: "success" }]);
        const files = Object.fromEntries(
          Object.keys(after).map((path) => {
            const full = join(bench.root, path);
            return [path, [readFileSync(full, "utf8"), (statSync(full).mode & 0o111) !== 0]];
          }),
        );
        expect(files).toEqual(after as typeof files);
        for (const path of Object.keys(before))
          if (!(path in after)) expect(existsSync(join(bench.root, path))).toBe(false);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  const home = join(import.meta.dir, "../../../..");
  const hasHistory =
    Bun.spawnSync(["git", "rev-parse", "--verify", "-q", "HEAD~3"], { cwd: home }).exitCode === 0;
  test.skipIf(!hasHistory)(
    `the last commits of this repository can be played again${hasHistory ? "" : " (skipped: there is no history here)"}`,
    async () => {
      await using before = await toolkitIn();
      await using after = await toolkitIn();
      // A patch of text cannot hold pictures.
      const paths = ["--", ".", ":(exclude)docs/images"];
      for (const [ref, bench] of [
        ["HEAD~3", before],
        ["HEAD", after],
      ] as const)
        Bun.spawnSync(["tar", "-x", "-C", bench.root], {
          stdin: run(["git", "archive", ref, ...paths], home),
        });
      const patch = run(["git", "diff", "-M", "HEAD~3", "HEAD", ...paths], home).toString("utf8");
      expect(await codeOf(before.invoke("apply_patch", { patch }))).toBe("success");
      // git has no empty folders, and a patch leaves the folder whose last file it moves.
      run(["find", before.root, "-type", "d", "-empty", "-delete"], home);
      expect(run(["diff", "-r", before.root, after.root], home).toString()).toBe("");
    },
    60_000,
  );

  test(deep("a broken patch changes everything or nothing, whatever is broken"), async () => {
    await using bench = await toolkitIn();
    await using dir = await tempDir();
    const damage = fc.array(
      fc.tuple(fc.nat(400), fc.constantFrom("drop", "double", "blank", "swap", "cut", "sign")),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    await fc.assert(
      fc.asyncProperty(pair, pair, damage, async (one, two, damages) => {
        const patches = [one, two].map(([old, next], index) => {
          writeFileSync(join(dir.path, "file"), old);
          writeFileSync(join(dir.path, "other"), next);
          writeFileSync(join(bench.root, `f${index}`), old);
          const diff = run(["diff", "-u", "--text", "file", "other"], dir.path).toString("utf8").split("\n");
          return [`--- a/f${index}`, `+++ b/f${index}`, ...diff.slice(2)].join("\n");
        });
        let lines = patches.join("").split("\n");
        for (const [at, how] of damages) {
          const index = at % lines.length;
          const there = lines[index] ?? "";
          if (how === "drop") lines.splice(index, 1);
          if (how === "double") lines.splice(index, 0, there);
          if (how === "blank") lines[index] = "";
          if (how === "swap") lines.splice(index, 1, lines[0] ?? "");
          if (how === "cut") lines = lines.slice(0, index);
          if (how === "sign") lines[index] = `${there.startsWith("+") ? "-" : "+"}${there.slice(1)}`;
        }
        const before = [one[0], two[0]];
        const code = await codeOf(bench.invoke("apply_patch", { patch: `${lines.join("\n")}\n` }));
        const after = ["f0", "f1"].map((path) =>
          existsSync(join(bench.root, path)) ? readFileSync(join(bench.root, path), "utf8") : null,
        );
        if (code !== "success") expect([code, after]).toEqual([code, before]);
        expect(["success", "INVALID_PATCH", "PATCH_FAILED", "ALREADY_EXISTS", "NOT_FOUND"]).toContain(code);
        expect(readdirSync(bench.root).filter((entry) => !/^f[01]$/.test(entry))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});
