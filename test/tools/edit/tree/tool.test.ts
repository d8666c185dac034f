import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TreeOutput } from "../../../../src/tools/edit/tree/contract.ts";
import { swapForLink } from "../../swapping-racer.ts";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";

async function tree(bench: Bench, args: object = {}): Promise<TreeOutput> {
  const result = await bench.invoke("tree", args);
  if (result.status !== "success") throw new Error(result.message);
  return result.data as TreeOutput;
}

const paths = async (bench: Bench, args: object = {}) =>
  (await tree(bench, args)).entries.map(({ path }) => path);
const NOTHING = { over_limit: 0, too_deep: 0, hidden: 0, ignored: 0, git: 0, unreadable: 0 };

describe("tree", () => {
  test("seed 000 §9: tree lists folders before files, each by name, with sizes and where links point", async () => {
    await using bench = await toolkitIn({ "b.txt": "12", "B.txt": "", "a/z": "", "a/y/x": "1" });
    symlinkSync("../outside", join(bench.root, "link"));
    expect(await tree(bench)).toEqual({
      path: ".",
      entries: [
        { path: "a", kind: "directory", depth: 1, size: null, target: null },
        { path: "a/y", kind: "directory", depth: 2, size: null, target: null },
        { path: "a/y/x", kind: "file", depth: 3, size: 1, target: null },
        { path: "a/z", kind: "file", depth: 2, size: 0, target: null },
        { path: "B.txt", kind: "file", depth: 1, size: 0, target: null },
        { path: "b.txt", kind: "file", depth: 1, size: 2, target: null },
        { path: "link", kind: "symlink", depth: 1, size: null, target: "../outside" },
      ],
      truncated: false,
      left_out: NOTHING,
    });
  });

  test("leaves out ignored files, hidden files and git's own, and says so", async () => {
    await using bench = await toolkitIn({
      ".git/config": "",
      ".git/info/exclude": "local\n",
      ".gitignore": "*.log\n/dist/\n!keep.log\n",
      "a.log": "",
      "keep.log": "",
      "dist/x": "",
      "src/dist/y": "",
      "src/.gitignore": "!b.log\ngen\n",
      "src/b.log": "",
      "src/gen": "",
      local: "",
      ".env": "",
    });
    const shown = await tree(bench);
    expect(shown.entries.map(({ path }) => path)).toEqual([
      "src",
      "src/dist",
      "src/dist/y",
      "src/b.log",
      "keep.log",
    ]);
    expect(shown.left_out).toEqual({ ...NOTHING, hidden: 3, ignored: 4, git: 1 });
    expect(await paths(bench, { hidden: true, ignored: true, depth: 1 })).toEqual([
      "dist",
      "src",
      ".env",
      ".gitignore",
      "a.log",
      "keep.log",
      "local",
    ]);
    expect(await paths(bench, { path: "src" })).toEqual(["src/dist", "src/dist/y", "src/b.log"]);
  });

  test("agrees with git about what is ignored", async () => {
    const files = [
      "a.o",
      "b/a.o",
      "b/keep.o",
      "c/d/e",
      "x/y/z.txt",
      "doc/frotz",
      "a/doc/frotz",
      "sp ace ",
      "#x",
      "!y",
      "foo.bar",
    ];
    const lists = {
      ".gitignore": "*.o\n!keep.o\nc/\n**/y\ndoc/frotz\n\\#x\n\\!y\nfoo.[a-c]ar\nsp\\ ace\\ \n",
      "b/.gitignore": "!a.o\n",
    };
    await using bench = await toolkitIn({ ...Object.fromEntries(files.map((path) => [path, ""])), ...lists });
    const git = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: bench.root });
    expect(git.exitCode).not.toBe(0);
    Bun.spawnSync(["git", "init", "-q"], { cwd: bench.root });
    const said = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: bench.root });
    const { entries } = await tree(bench, { hidden: true, depth: 9 });
    const listed = entries.filter(({ kind }) => kind === "file").map(({ path }) => path);
    expect(listed.sort()).toEqual(said.stdout.toString().split("\0").filter(Boolean).sort());
  });

  test("a limit cuts what is deep first, and says how much it cut", async () => {
    await using bench = await toolkitIn({ "a/1": "", "a/2": "", "a/3/x": "", b: "", c: "" });
    expect(await tree(bench, { entries: 4 })).toMatchObject({
      entries: [{ path: "a" }, { path: "a/3" }, { path: "b" }, { path: "c" }],
      truncated: true,
      left_out: { over_limit: 3 },
    });
    expect(await tree(bench, { depth: 1 })).toMatchObject({ truncated: false, left_out: { too_deep: 1 } });
    expect(await paths(bench, { kind: "directory" })).toEqual(["a", "a/3"]);
  });

  test("lists 5,000 of 6,000 entries without delay", async () => {
    await using bench = await toolkitIn();
    for (let folder = 0; folder < 10; folder++) {
      mkdirSync(join(bench.root, `d${folder}`));
      for (let file = 0; file < 600; file++) writeFileSync(join(bench.root, `d${folder}/f${file}`), "");
    }
    const began = performance.now();
    expect((await tree(bench, { entries: 5000 })).entries).toHaveLength(5000);
    expect(performance.now() - began).toBeLessThan(5000);
  }, 60_000);

  test("never leaves the workspace, and wants a folder", async () => {
    await using bench = await toolkitIn({ file: "" });
    symlinkSync("../outside", join(bench.root, "out"));
    for (const [path, code] of [
      ["..", "OUTSIDE_WORKSPACE"],
      ["out", "OUTSIDE_WORKSPACE"],
      ["/", "OUTSIDE_WORKSPACE"],
      ["file", "NOT_DIRECTORY"],
      ["none", "NOT_DIRECTORY"],
    ] as const)
      expect([path, await codeOf(bench.invoke("tree", { path }))]).toEqual([path, code]);
  });

  test("each wrong argument is INVALID_ARGUMENT and is named", async () => {
    await using bench = await toolkitIn();
    for (const [name, value] of [
      ["path", ""],
      ["path", 1],
      ["path", "a\n"],
      ["depth", 0],
      ["depth", 21],
      ["depth", 1.5],
      ["entries", 0],
      ["entries", 5001],
      ["entries", "9"],
      ["kind", "file"],
      ["hidden", 1],
      ["ignored", null],
      ["entry_kind", "all"],
    ] as const) {
      const result = await bench.invoke("tree", { [name]: value });
      expect([name, value, result.status === "success" || result.error.code]).toEqual([
        name,
        value,
        "INVALID_ARGUMENT",
      ]);
      expect(result.status === "success" ? "" : result.message).toContain(name);
    }
  });

  test("a folder that is swapped for a link between look and use is not listed", async () => {
    await using bench = await toolkitIn({ "d/mine": "" });
    await using _ = await swapForLink(join(bench.root, "d"), bench.outside);
    const seen = new Set<string>();
    for (let round = 0; round < 1500 || !seen.has("d/mine"); round++)
      for (const path of await paths(bench)) seen.add(path);
    expect([...seen].filter((path) => path.includes("secret"))).toEqual([]);
    expect(seen.has("d/mine")).toBe(true);
  }, 60_000);
});
