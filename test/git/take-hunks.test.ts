import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { diffRecords } from "../../src/git/index/diff.ts";
import { changeTree } from "../../src/git/merge/change-tree.ts";
import { hunksOf, takeHunks } from "../../src/git/merge/take-hunks.ts";
import { writeBlob } from "../../src/git/merge/write-blob.ts";
import type { Git, GitTarget } from "../../src/git/runner/run-git.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { discovered, productGit, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

let sandbox: GitSandbox;
let repository: string;
let git: Git;
let target: GitTarget;

beforeAll(async () => {
  sandbox = await gitSandbox();
  repository = await sandbox.repository("hunks");
  git = productGit(sandbox);
  target = targetOf(await discovered(git, repository));
});

afterAll(() => sandbox[Symbol.asyncDispose]());

/** The two sides as trees with one file, and what git says of the change. */
async function changed(before: Uint8Array, after: Uint8Array) {
  const treeOf = async (bytes: Uint8Array) => {
    const sha = (await writeBlob(git, target, bytes))._unsafeUnwrap();
    const changes = [{ path: "a file", after: { mode: "100644", sha } }];
    return (await changeTree(git, target, { tree: null, changes }))._unsafeUnwrap();
  };
  const [from, to] = [await treeOf(before), await treeOf(after)];
  const [record] = (await diffRecords(git, target, { from, to }))._unsafeUnwrap();
  if (record === undefined) return null;
  const hunks = (await hunksOf(git, target, { ...record, from, to }))._unsafeUnwrap();
  return { from, to, record, hunks };
}

/** Numbered lines, some of them replaced, removed or followed by new ones; none is there twice. */
const editedLines = fc.array(fc.constantFrom("keep", "keep", "keep", "keep", "keep", "edit", "drop", "add"), {
  minLength: 1,
  maxLength: 60,
});

test(
  "some hunks are the file that git apply makes of these hunks alone",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        editedLines,
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        async (edits, coins, ends) => {
          const end = ends ? "\n" : "";
          const old = edits.map((_, at) => `line ${at}`);
          const now = edits.flatMap((edit, at) => {
            if (edit === "drop") return [];
            const line = edit === "edit" ? `edited ${at}` : `line ${at}`;
            return edit === "add" ? [line, `added ${at}`] : [line];
          });
          const before = Buffer.from(`${old.join("\n")}\n`);
          const after = Buffer.from(now.length === 0 ? "" : `${now.join("\n")}${end}`);
          const change = await changed(before, after);
          if (change === null) return;
          const { from, to, record, hunks } = change;
          const chosen = hunks.filter(() => coins.next().value);
          const taken = (
            await takeHunks(git, target, { before: record.previousSha, after: record.sha, hunks: chosen })
          )._unsafeUnwrap();
          const patch = await sandbox.git(repository, ["diff", from, to]);
          const [head = "", ...parts] = `${patch}\n`.split(/^(?=@@ -)/m);
          const file = join(sandbox.root, "some.patch");
          await writeFile(file, head + parts.filter((_, at) => chosen.includes(hunks[at] as never)).join(""));
          const env = { GIT_INDEX_FILE: join(sandbox.root, "index") };
          await sandbox.git(repository, ["read-tree", from], { env });
          if (chosen.length > 0) await sandbox.git(repository, ["apply", "--cached", file], { env });
          expect(await sandbox.git(repository, ["rev-parse", ":a file"], { env })).toBe(taken);
        },
      ),
      { numRuns: 6 },
    );
  },
  TEST_TIMEOUT_MS,
);

test("bytes that are no text stay as they are, in the hunk and around it", async () => {
  const line = (byte: number) => Buffer.from([byte, 0xff, 0x0d, 0x0a]);
  const old = Array.from({ length: 30 }, (_, at) => line(0x80 + at));
  const now = old.map((bytes, at) => (at === 2 || at === 25 ? line(0xf0) : bytes));
  const change = await changed(Buffer.concat(old), Buffer.concat(now));
  const [, second] = change?.hunks ?? [];
  if (change === null || second === undefined) throw new Error("two hunks");
  const { previousSha, sha } = change.record;
  const taken = await takeHunks(git, target, { before: previousSha, after: sha, hunks: [second] });
  const expected = Buffer.concat(old.map((bytes, at) => (at === 25 ? line(0xf0) : bytes)));
  expect(taken._unsafeUnwrap()).toBe((await writeBlob(git, target, expected))._unsafeUnwrap());
});

test("a binary file has no hunks", async () => {
  const change = await changed(Buffer.from("a\0b\n"), Buffer.from("a\0c\n"));
  expect(change?.hunks).toEqual([]);
});

test("a changed tree has a file in the place of a folder, and the other way round", async () => {
  const sha = (await writeBlob(git, target, Buffer.from("x\n")))._unsafeUnwrap();
  const file = (path: string) => ({ path, after: { mode: "100644", sha } });
  const made = async (tree: string | null, changes: Parameters<typeof changeTree>[2]["changes"]) =>
    (await changeTree(git, target, { tree, changes }))._unsafeUnwrap();
  const names = (tree: string) => sandbox.git(repository, ["ls-tree", "-r", "--name-only", tree]);
  const first = await made(null, [file("a"), file("b/c"), file("odd:\tname"), file("-x")]);
  const second = await made(first, [file("a/b"), file("b"), { path: "-x", after: null }]);
  expect([await names(first), await names(second)]).toEqual([
    '-x\na\nb/c\n"odd:\\tname"',
    'a/b\nb\n"odd:\\tname"',
  ]);
});

test("a repository with SHA-256 works too", async () => {
  const wide = await sandbox.repository("wide", { objectFormat: "sha256" });
  const there = targetOf(await discovered(git, wide));
  const head = await sandbox.git(wide, ["rev-parse", "HEAD"]);
  const changes = [{ path: "src/app.txt", after: null }];
  const tree = (await changeTree(git, there, { tree: head, changes }))._unsafeUnwrap();
  expect(await sandbox.git(wide, ["ls-tree", "-r", "--name-only", tree])).toBe("README.md");
});
