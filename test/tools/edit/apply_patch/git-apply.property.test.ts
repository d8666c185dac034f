import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { tempDir } from "../../../helpers/temp-dir.ts";
import { deep } from "../../../helpers/tier.ts";
import { toolkitIn } from "../../toolkit-in.ts";

/** Content and whether it may be run, by path. */
type Tree = Readonly<Record<string, readonly [string, boolean]>>;

const line = fc.oneof(
  { weight: 6, arbitrary: fc.nat(30).map((n) => `line ${n}`) },
  { weight: 3, arbitrary: fc.constantFrom("", "}", "- ", "-- a", "++ b", " x", "\r", "y\r", "\u3042\u00e0") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("@@ -1 +1 @@", "\\ No newline", "*** End Patch", "diff --git a/a b/a"),
  },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
  .map(([lines, ends]) => (lines.length === 0 ? "" : lines.join("\n") + (ends ? "\n" : "")));
/** Some of them cannot be there at the same time. */
const NAMES = ["a", "a/b", "a/b/c", "d", "d/e f", "\u00e0", 'q"t', "x.sh", "b/x.sh"];
const file = fc.tuple(text, fc.boolean());
const entry = fc.record({ name: fc.constantFrom(...NAMES), old: file, next: file, fate: fc.nat(5) });
/** Two trees that share files, parts of files, and files under other names. */
const trees = fc.array(entry, { maxLength: 6 }).map((entries): readonly [Tree, Tree] => {
  const [old, next]: [Record<string, Tree[string]>, Record<string, Tree[string]>] = [{}, {}];
  for (const { name, old: before, next: after, fate } of entries) {
    if (fate !== 0) old[name] = before;
    if (fate === 1) next[name] = after;
    if (fate === 2) next[name] = [`${before[0]}more\n`, before[1]];
    if (fate === 3) next[name] = [before[0].replace("line", "LINE"), after[1]];
    if (fate === 4) next[NAMES[(NAMES.indexOf(name) + 3) % NAMES.length] ?? name] = [before[0], before[1]];
    if (fate === 0) next[name] = after;
  }
  return [possible(old), possible(next)];
});
const OPTIONS = [
  [],
  ["-U0"],
  ["-U1"],
  ["--no-prefix"],
  ["--no-renames", "--minimal"],
  ["-C30%", "--find-copies-harder"],
  ["-M20%", "-B20%/20%"],
  ["--inter-hunk-context=4", "--patience"],
  ["--function-context", "--full-index"],
  ["--src-prefix=i/", "--dst-prefix=w/"],
  ["-R"],
] as const;

/** Without files that would have to lie below another file. */
function possible(tree: Tree): Tree {
  const names = Object.keys(tree);
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !names.some((other) => path.startsWith(`${other}/`))),
  );
}

function run(
  argv: readonly string[],
  cwd: string,
  stdin?: string,
): { readonly code: number; readonly out: string } {
  const result = Bun.spawnSync([...argv], {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
    ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
  });
  return { code: result.exitCode, out: result.stdout.toString() };
}

function fill(root: string, tree: Tree): void {
  for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
  for (const [path, [content, executable]] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), executable ? 0o755 : 0o644);
  }
}

function treeIn(root: string, below = ""): Tree {
  const found: Record<string, Tree[string]> = {};
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.name === ".git") continue;
    if (entry.isDirectory()) Object.assign(found, treeIn(root, path));
    else
      found[path] = [
        readFileSync(join(root, path), "latin1"),
        (statSync(join(root, path)).mode & 0o100) !== 0,
      ];
  }
  return found;
}

/** What git says of two trees. */
function diffOf(root: string, [old, next]: readonly [Tree, Tree], options: readonly string[]): string {
  const ids = [old, next].map((tree) => {
    fill(root, tree);
    run(["git", "add", "-A"], root);
    return run(["git", "write-tree"], root).out.trim();
  });
  return run(["git", "diff", "--text", ...options, ...ids], root).out;
}

/** What git makes of a tree; null if it refuses the patch. */
function appliedByGit(root: string, tree: Tree, patch: string, options: readonly string[]): Tree | null {
  fill(root, tree);
  const strip = options.includes("--no-prefix") ? ["-p0"] : [];
  const zero = options.includes("-U0") ? ["--unidiff-zero"] : [];
  const { code } = run(["git", "apply", "--whitespace=nowarn", ...strip, ...zero], root, patch);
  return code === 0 ? treeIn(root) : null;
}

describe("apply_patch beside git apply", () => {
  test(deep("what git diff says, by whatever options, comes to what git apply makes of it"), async () => {
    await using dir = await tempDir();
    run(["git", "init", "-q"], dir.path);
    await using bench = await toolkitIn();
    await fc.assert(
      fc.asyncProperty(trees, fc.constantFrom(...OPTIONS), async (pair, options) => {
        const patch = diffOf(dir.path, pair, options);
        fc.pre(patch !== "");
        const before = options.includes("-R" as never) ? pair[1] : pair[0];
        const expected = appliedByGit(dir.path, before, patch, options);
        fc.pre(expected !== null);
        fill(bench.root, before);
        const result = await bench.invoke("apply_patch", { patch });
        expect([patch, result]).toMatchObject([patch, { status: "success" }]);
        expect([patch, treeIn(bench.root)]).toEqual([patch, expected as Tree]);
      }),
      { numRuns: 80 },
    );
  }, 120_000);

  test(deep("a damaged patch changes nothing, or what git apply would"), async () => {
    await using dir = await tempDir();
    run(["git", "init", "-q"], dir.path);
    await using bench = await toolkitIn();
    const damage = fc.record({ kind: fc.nat(3), at: fc.nat(1000), other: fc.nat(1000) });
    await fc.assert(
      fc.asyncProperty(trees, damage, async (pair, { kind, at, other }) => {
        const lines = diffOf(dir.path, pair, []).split("\n");
        const place = at % lines.length;
        const line = lines[place] ?? "";
        // A hunk keeps its number of lines: git passes over what its counts leave out, the tool does not.
        const alike = lines.flatMap((text, index) => (text.charAt(0) === line.charAt(0) ? [index] : []));
        const twin = alike[other % alike.length] ?? place;
        const isHeader = /^[a-z]/.test(line);
        if (kind === 0 && isHeader) lines.splice(place, 1);
        if (kind === 1 && isHeader) lines.splice(place, 0, line);
        if (kind === 2) [lines[place], lines[twin]] = [lines[twin] ?? "", line];
        if (kind === 3) lines[place] = line.replace(/[1-9]/, (digit) => String((Number(digit) % 9) + 1));
        const patch = lines.join("\n");
        fc.pre(patch !== "");
        const [before] = pair;
        const expected = appliedByGit(dir.path, before, patch, []);
        // Of a deletion that does not call itself one, git makes a file of this name.
        fc.pre(expected === null || !("dev/null" in expected));
        fill(bench.root, before);
        const result = await bench.invoke("apply_patch", { patch });
        const after = treeIn(bench.root);
        fill(bench.root, before);
        if (result.status !== "success") expect([patch, after]).toEqual([patch, treeIn(bench.root)]);
        else if (expected !== null) expect([patch, after]).toEqual([patch, expected]);
      }),
      { numRuns: 120 },
    );
  }, 120_000);
});
