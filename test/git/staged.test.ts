import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { diffFiles } from "../../src/git/index/diff.ts";
import type { ChangedFile } from "../../src/git/index/diff-records.ts";
import { listStaged, type StagedEntry } from "../../src/git/index/list-staged.ts";
import { stageAll } from "../../src/git/index/stage.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** What can lie at a path. */
interface Thing {
  readonly kind: "file" | "executable" | "link";
  readonly content: string;
}

type Things = Readonly<Record<string, Thing>>;

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");

const file = (content: string): Thing => ({ kind: "file", content });

/** A worktree whose HEAD has `before` and nothing else, in which `after` lies, all of it staged. */
async function staged(before: Things, after: Things, config: Readonly<Record<string, string>> = {}) {
  const stack = new AsyncDisposableStack();
  const sandbox = stack.use(await gitSandbox());
  const repo = await sandbox.repository("repo");
  for (const [key, value] of Object.entries(config)) await sandbox.git(repo, ["config", key, value]);
  const git = productGit(sandbox);
  const { target } = await madeWorktree(sandbox, git, repo);
  await fill(target.workTree, before);
  await sandbox.commit(target.workTree, {}, "before").catch(() => "nothing to commit");
  await fill(target.workTree, after);
  (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
  const list = async () => {
    const { entries } = (await listStaged(git, target))._unsafeUnwrap();
    return { entries, files: (await diffFiles(git, target, "staged"))._unsafeUnwrap() };
  };
  return { sandbox, git, target, list, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Replaces everything in the worktree but `.git`. */
async function fill(root: string, things: Things): Promise<void> {
  for (const name of new Bun.Glob("*").scanSync({ cwd: root, dot: true, onlyFiles: false }))
    if (name !== ".git") await rm(join(root, name), { recursive: true });
  for (const [path, { kind, content }] of Object.entries(things)) {
    const at = join(root, path);
    await mkdir(dirname(at), { recursive: true });
    if (kind === "link") await symlink(content, at);
    else await writeFile(at, content);
    if (kind === "executable") await chmod(at, 0o755);
  }
}

type Leaf = Pick<StagedEntry, "mode" | "sha" | "size">;

/** Every file of a tree, as `git ls-tree` has it: an oracle that compares nothing. */
async function leaves(sandbox: GitSandbox, path: string, tree: string): Promise<ReadonlyMap<string, Leaf>> {
  const said = await sandbox.git(path, ["ls-tree", "-r", "-z", "-l", "--full-tree", tree]);
  const lines = said.split("\0").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [mode = "", , sha = "", size = ""] = line.slice(0, line.indexOf("\t")).split(/ +/);
      return [line.slice(line.indexOf("\t") + 1), { mode: mode as Leaf["mode"], sha, size: Number(size) }];
    }),
  );
}

/** What differs between HEAD and the index, by their trees alone. */
async function byTrees(sandbox: GitSandbox, path: string): Promise<readonly StagedEntry[]> {
  const before = await leaves(sandbox, path, "HEAD");
  const now = await leaves(sandbox, path, await sandbox.git(path, ["write-tree"]));
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort();
  return paths.flatMap((one) => {
    const [old, leaf] = [before.get(one), now.get(one)];
    if (old?.sha === leaf?.sha && old?.mode === leaf?.mode) return [];
    const previous = { previousMode: old?.mode ?? null, previousSha: old?.sha ?? null };
    if (leaf === undefined)
      return [{ path: one, status: "deleted", mode: null, sha: null, size: null, ...previous }];
    return [{ path: one, status: statusOf(old, leaf), ...previous, ...leaf }];
  });
}

function statusOf(old: Leaf | undefined, leaf: Leaf): StagedEntry["status"] {
  if (old === undefined) return "added";
  return (old.mode === "120000") === (leaf.mode === "120000") ? "modified" : "type_changed";
}

/** The same as git's own list for people has it, renames and all. */
async function byGit(sandbox: GitSandbox, path: string): Promise<readonly Partial<ChangedFile>[]> {
  const said = await sandbox.git(path, ["diff", "--cached", "-M", "--name-status", "-z"]);
  const fields = said.split("\0").slice(0, -1);
  const STATUS = { A: "added", D: "deleted", M: "modified", R: "renamed", T: "type_changed" } as const;
  const files: Partial<ChangedFile>[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const status = STATUS[fields[at]?.[0] as keyof typeof STATUS];
    if (status === "renamed") at += 1;
    const previousPath = status === "renamed" ? (fields[at] ?? "") : null;
    files.push({ path: fields[at + 1] ?? "", previousPath, status });
  }
  return files;
}

async function agrees(at: Awaited<ReturnType<typeof staged>>) {
  const { entries, files } = await at.list();
  expect(entries).toEqual(await byTrees(at.sandbox, at.target.workTree));
  const known = await byGit(at.sandbox, at.target.workTree);
  expect(files.map(({ path, previousPath, status }) => ({ path, previousPath, status }))).toEqual([
    ...known,
  ] as never);
  return { entries, files };
}

describe("the list of staged files agrees with the trees", () => {
  test("with renames: within a folder, to another, with changes, in a circle", async () => {
    await using at = await staged(
      { "a.txt": file(LINES), "dir/b.txt": file(`${LINES}b\n`), x: file(`x${LINES}`), y: file(`${LINES}y`) },
      {
        "z.txt": file(LINES),
        "b.txt": file(`${LINES}b\nmore\n`),
        x: file(`${LINES}y`),
        y: file(`x${LINES}`),
      },
    );
    const { files } = await agrees(at);
    expect(files.filter(({ status }) => status === "renamed")).toEqual([
      { path: "b.txt", previousPath: "dir/b.txt", status: "renamed", additions: 1, deletions: 0 },
      { path: "z.txt", previousPath: "a.txt", status: "renamed", additions: 0, deletions: 0 },
    ]);
  });

  test("with copies, which are additions whatever the user's settings are", async () => {
    await using at = await staged(
      { "a.txt": file(LINES) },
      { "a.txt": file(`${LINES}more\n`), "b.txt": file(LINES), "c.txt": file(LINES) },
      { "diff.renames": "copies", "diff.renameLimit": "1" },
    );
    const { entries, files } = await agrees(at);
    expect(files.map(({ status }) => status)).toEqual(["modified", "added", "added"]);
    expect(entries.map(({ previousMode }) => previousMode)).toEqual(["100644", null, null]);
  });

  test("with renames although the user switched them off", async () => {
    await using at = await staged({ a: file(LINES) }, { b: file(LINES) }, { "diff.renames": "false" });
    await agrees(at);
    expect((await at.list()).files.map(({ status }) => status)).toEqual(["renamed"]);
  });

  test("with changes of type and mode: link to file, file to link, file to folder, executable or not", async () => {
    await using at = await staged(
      {
        link: { kind: "link", content: "target" },
        plain: file("plain\n"),
        folder: file("was a file\n"),
        "deep/one": file("1\n"),
        tool: file("#!/bin/sh\n"),
        script: { kind: "executable", content: "#!/bin/sh\necho\n" },
      },
      {
        link: file("target"),
        plain: { kind: "link", content: "plain\n" },
        "folder/inner": file("is a folder\n"),
        deep: file("was a folder\n"),
        tool: { kind: "executable", content: "#!/bin/sh\n" },
        script: file("#!/bin/sh\necho\n"),
      },
    );
    const { entries } = await agrees(at);
    expect(entries.map(({ path, status }) => `${status} ${path}`)).toEqual([
      "added deep",
      "deleted deep/one",
      "deleted folder",
      "added folder/inner",
      "type_changed link",
      "type_changed plain",
      "modified script",
      "modified tool",
    ]);
  });

  test("with empty and equal files, which share one object", async () => {
    await using at = await staged(
      { gone: file("") },
      { a: file(""), b: file(""), c: file("same"), d: file("same") },
    );
    const { entries } = await agrees(at);
    expect(entries.map(({ size }) => size)).toEqual([0, 0, 4, 4, null]);
  });

  test("with an unresolved conflict", async () => {
    await using at = await staged(
      { "same.txt": file("base\n") },
      { "same.txt": file("base\n"), "ours.txt": file("o\n") },
    );
    const { sandbox, target } = at;
    await sandbox.commit(target.workTree, {}, "ours");
    await sandbox.git(target.workTree, ["checkout", "-q", "-b", "side", "HEAD~1"]);
    await sandbox.commit(target.workTree, { "same.txt": "side\n", "new.txt": "new\n" });
    await sandbox.git(target.workTree, ["checkout", "-q", "-"]);
    await sandbox.commit(target.workTree, { "same.txt": "mine\n" });
    await sandbox.git(target.workTree, ["merge", "-q", "side"]).catch(() => "conflicts");
    const { entries, files } = await at.list();
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ["new.txt", "added"],
      ["same.txt", "unmerged"],
    ]);
    expect(entries).toMatchObject([
      { path: "new.txt", status: "added", size: 4 },
      { path: "same.txt", status: "unmerged", sha: null, size: null },
    ]);
  });

  test(deep("for any names and any changes"), async () => {
    await fc.assert(
      fc.asyncProperty(THINGS, THINGS, async (before, after) => {
        await using at = await staged(before, after);
        await agrees(at);
      }),
      { numRuns: 15 },
    );
  });
});

const NAME = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "c.txt",
    "new\nline",
    "\ttab",
    'quo"te',
    "back\\slash",
    ":(top)",
    ":100644",
    "-n",
    "1\t2\tx",
    "手綱",
    "é",
    "\u2028",
    "{a => b}",
    " ",
  ),
  fc.string({ unit: fc.constantFrom(..."ab:\t\n\"'\\ é手-*?[]{}=>"), minLength: 1, maxLength: 6 }),
);
const PATH = fc.array(NAME, { minLength: 1, maxLength: 2 }).map((parts) => parts.join("/"));
const CONTENT = fc.constantFrom(
  "",
  "one\n",
  LINES,
  `${LINES}more\n`,
  `first\n${LINES}`,
  "\0binary",
  "no end",
);
const THING: fc.Arbitrary<Thing> = fc.oneof(
  { weight: 6, arbitrary: CONTENT.map(file) },
  { weight: 2, arbitrary: CONTENT.map((content) => ({ kind: "executable" as const, content })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("a", "../x", "手").map((content) => ({ kind: "link" as const, content })),
  },
);
/** Paths of which none is a folder on the way to another. */
const THINGS: fc.Arbitrary<Things> = fc
  .uniqueArray(fc.tuple(PATH, THING), { selector: ([path]) => path, maxLength: 8 })
  .map((all) => all.filter(([path]) => !all.some(([other]) => path.startsWith(`${other}/`))))
  .map((all) => Object.fromEntries(all));
