import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { diffRecords } from "../../src/git/index/diff.ts";
import { changeTree } from "../../src/git/merge/change-tree.ts";
import { writeBlob } from "../../src/git/merge/write-blob.ts";
import type { Git, GitTarget } from "../../src/git/runner/run-git.ts";
import { combineChanges } from "../../src/services/compose/combine-changes.ts";
import { type TakenChanges, takeChanges } from "../../src/services/compose/take-changes.ts";
import { discovered, productGit, TEST_TIMEOUT_MS, targetOf } from "../git/scene.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { anAttempt } from "../helpers/sample-documents.ts";
import { deep } from "../helpers/tier.ts";

let sandbox: GitSandbox;
let repository: string;
let git: Git;
let target: GitTarget;

beforeAll(async () => {
  sandbox = await gitSandbox();
  repository = await sandbox.repository("combine");
  git = productGit(sandbox);
  target = targetOf(await discovered(git, repository));
});

afterAll(() => sandbox[Symbol.asyncDispose]());

/** By path: the mode and the content. */
type Snapshot = ReadonlyMap<string, { readonly mode: string; readonly text: string }>;

const blobs = new Map<string, Promise<string>>();

function blobOf(text: string): Promise<string> {
  const made =
    blobs.get(text) ?? writeBlob(git, target, Buffer.from(text)).then((sha) => sha._unsafeUnwrap());
  blobs.set(text, made);
  return made;
}

async function treeOf(files: Snapshot): Promise<string> {
  const changes = await Promise.all(
    [...files].map(async ([path, { mode, text }]) => {
      return { path, after: { mode, sha: await blobOf(text) } };
    }),
  );
  return (await changeTree(git, target, { tree: null, changes }))._unsafeUnwrap();
}

/** Everything of an attempt that left these files, or what the paths name. */
async function taken(id: string, from: string, files: Snapshot, paths = ["."]): Promise<TakenChanges> {
  const to = await treeOf(files);
  const records = (await diffRecords(git, target, { from, to }))._unsafeUnwrap();
  const takes = paths.map((path) => ({ attempt: id, path, hunks: null, expect: null }));
  const source = { attempt: anAttempt({ id }), from, to, records };
  return (await takeChanges({ git }, source, { target, takes }))._unsafeUnwrap();
}

const combined = (first: TakenChanges, ...others: TakenChanges[]) =>
  combineChanges({ git }, target, [first, ...others]);

const lines = (name: string) => Array.from({ length: 20 }, (_, at) => `${name} ${at}\n`).join("");
const file = (text: string, mode = "100644") => ({ mode, text });
const BASE: Snapshot = new Map(
  Array.from({ length: 9 }, (_, at) => [`d${at % 3}/f${at}`, file(lines(`f${at}`))] as const),
);

/** What one attempt may do to a file of the base; each attempt has its own files. */
const ACTS = ["keep", "edit", "delete", "rename", "folder", "chmod", "link", "copy"] as const;

function acted(files: Map<string, { mode: string; text: string }>, path: string, act: (typeof ACTS)[number]) {
  const { mode, text } = files.get(path) ?? file("");
  const put = (at: string, content: string, as = mode) => files.set(at, file(content, as));
  if (act === "edit") put(path, `${text}more\n`);
  if (act === "delete" || act === "rename" || act === "folder") files.delete(path);
  if (act === "rename") put(`moved/${path}`, `${text}moved\n`);
  if (act === "folder") put(`${path}/inside`, text);
  if (act === "chmod") put(path, text, "100755");
  if (act === "link") put(path, "elsewhere", "120000");
  if (act === "copy") put(`${path}.copy`, text);
}

const plans = fc.array(fc.constantFrom(...ACTS), { minLength: BASE.size, maxLength: BASE.size });

async function holdsFor(runs: number): Promise<void> {
  const from = await treeOf(BASE);
  await fc.assert(
    fc.asyncProperty(plans, async (acts) => {
      const all = new Map(BASE);
      const own = [0, 1, 2].map(() => new Map(BASE));
      for (const [at, path] of [...BASE.keys()].entries())
        for (const files of [all, own[at % own.length] ?? all]) acted(files, path, acts[at] ?? "keep");
      const changed = own.filter((files) => !Bun.deepEquals(files, BASE));
      const sources = await Promise.all(changed.map((files, at) => taken(`attempt-${at}`, from, files)));
      const expected = await treeOf(all);
      for (const order of [sources, sources.toReversed(), [...sources.slice(1), ...sources.slice(0, 1)]]) {
        const [one, ...others] = order;
        if (one !== undefined) expect((await combined(one, ...others))._unsafeUnwrap().tree).toBe(expected);
      }
    }),
    { numRuns: runs },
  );
}

test("attempts that touched other files are composed of all their changes, in any order", () => holdsFor(3), {
  timeout: TEST_TIMEOUT_MS,
});

test(deep("the same for many plans"), () => holdsFor(60), { timeout: 10 * TEST_TIMEOUT_MS });

/** The base with some files in another state; null deletes one. */
function left(changes: Readonly<Record<string, string | null>>, mode = "100644"): Snapshot {
  const files = new Map(BASE);
  for (const [path, text] of Object.entries(changes))
    if (text === null) files.delete(path);
    else files.set(path, file(text, mode));
  return files;
}

const edited = (at: number) => lines("f0").replace(`f0 ${at}\n`, `edited ${at}\n`);

test("other lines of one file are merged, the same lines are refused with the file", async () => {
  const from = await treeOf(BASE);
  const one = await taken("one", from, left({ "d0/f0": edited(1) }));
  const other = await taken("other", from, left({ "d0/f0": edited(15) }));
  const third = await taken("third", from, left({ "d0/f0": lines("f0").replace("f0 1\n", "else\n") }));
  const both = edited(1).replace("f0 15\n", "edited 15\n");
  const expected = await treeOf(left({ "d0/f0": both }));
  expect((await combined(one, other))._unsafeUnwrap().tree).toBe(expected);
  expect((await combined(other, one))._unsafeUnwrap().tree).toBe(expected);
  const refusal = (await combined(one, other, third))._unsafeUnwrapErr();
  expect([refusal.code, refusal.details]).toEqual([
    "does_not_fit",
    { files: ["d0/f0"], attempts: ["one", "other", "third"] },
  ]);
  const same = await taken("same", from, left({ "d0/f0": edited(1) }));
  expect((await combined(one, same))._unsafeUnwrap().tree).toBe(one.to);
});

test.each([
  ["a file that one deleted and another changed", { "d0/f0": null }, { "d0/f0": edited(1) }, ["d0/f0"]],
  ["a file and a folder of the same name", { new: "a file\n" }, { "new/in": "in it\n" }, ["new"]],
  [
    "a rename and a change under the old name",
    { "d0/f0": null, moved: lines("f0") },
    { "d0/f0": edited(1) },
    ["d0/f0"],
  ],
  ["two binary files", { bin: "a\0a" }, { bin: "a\0b" }, ["bin"]],
])("%s do not fit together", async (_, ours, theirs, files) => {
  const from = await treeOf(BASE);
  const one = await taken("one", from, left(ours));
  const other = await taken("other", from, left(theirs));
  for (const order of [
    [one, other],
    [other, one],
  ] as const) {
    const refusal = (await combined(...order))._unsafeUnwrapErr();
    expect([refusal.code, refusal.details.files]).toEqual(["does_not_fit", files]);
  }
});

test("an attempt on an older base is fitted to the newest one, also under a name that changed since", async () => {
  const commit = (tree: string, ...parents: string[]) =>
    sandbox.git(repository, ["commit-tree", tree, ...parents.flatMap((one) => ["-p", one]), "-m", "x"]);
  const old = await commit(await treeOf(BASE));
  const renamed = left({ "d0/f0": null, "d0/renamed": lines("f0"), "d1/f1": `${lines("f1")}since\n` });
  const now = await commit(await treeOf(renamed), old);
  const behind = await taken("behind", old, left({ "d0/f0": edited(4), extra: "extra\n" }));
  const ahead = new Map(renamed).set("ahead", file("ahead\n"));
  const newest = await taken("newest", now, ahead);
  const { onBaseOf, tree } = (await combined(behind, newest))._unsafeUnwrap();
  const expected = new Map(ahead).set("extra", file("extra\n")).set("d0/renamed", file(edited(4)));
  expect([onBaseOf.attempt.id, tree]).toEqual(["newest", await treeOf(expected)]);
  const stale = await taken("stale", old, left({ "d1/f1": `${lines("f1")}mine\n` }));
  const refusal = (await combined(newest, stale))._unsafeUnwrapErr();
  expect([refusal.code, refusal.details, refusal.remedy]).toEqual([
    "does_not_fit",
    { files: ["d1/f1"], attempts: ["stale"] },
    expect.stringContaining("tazuna continue stale --merge-base"),
  ]);
});

test("a part of an attempt is taken without the rest", async () => {
  const from = await treeOf(BASE);
  const changes = { "d0/f0": edited(1), "d0/f3": null, "d1/f1": edited(2), new: "new\n" };
  const part = await taken("one", from, left(changes), ["d0", "new", "d0/f0"]);
  const expected = await treeOf(left({ "d0/f0": edited(1), "d0/f3": null, new: "new\n" }));
  expect([part.files, (await combined(part))._unsafeUnwrap().tree]).toEqual([3, expected]);
});
