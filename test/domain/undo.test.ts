/** Tells which reference an operation moved, and that every operation has an answer to undo. */
import { expect, test } from "bun:test";
import type { Operation } from "../../src/domain/operation.ts";
import { whyNoUndo } from "../../src/domain/undo/no-undo.ts";
import { refMoveOf } from "../../src/domain/undo/ref-move.ts";

const operation = (of: Partial<Operation>): Operation => ({
  id: "o1",
  kind: "undo",
  subject: { type: "run", id: "run-12345678" },
  before: null,
  after: null,
  status: "done",
  undoable: true,
  commands: null,
  actor: null,
  at: "2026-01-02T03:04:05.000Z",
  endedAt: null,
  ...of,
});

test.each<[string, Partial<Operation>, ReturnType<typeof refMoveOf>]>([
  [
    "a deleted branch",
    { kind: "branch_delete", before: { branch: "b", sha: "1" } },
    { ref: "refs/heads/b", before: "1", after: null },
  ],
  [
    "a branch that was made again",
    { kind: "branch_restored", before: { branch: "b", sha: null }, after: { branch: "b", sha: "1" } },
    { ref: "refs/heads/b", before: null, after: "1" },
  ],
  [
    "a commit",
    { kind: "commit", before: { branch: "b", sha: "1" }, after: { sha: "2" } },
    { ref: "refs/heads/b", before: "1", after: "2" },
  ],
  [
    "commits on the branch that were put back",
    {
      kind: "ref_restored",
      before: { branch: "b", head: "2", branchSha: "2" },
      after: { branch: "b", sha: "1" },
    },
    { ref: "refs/heads/b-by-agent-run-1234", before: "2", after: null },
  ],
  [
    "commits beside the branch that were put back",
    {
      kind: "ref_restored",
      before: { branch: "b", head: "3", branchSha: "1" },
      after: { branch: "b", sha: "1" },
    },
    { ref: "refs/heads/b-by-agent-run-1234", before: "3", after: null },
  ],
  [
    "a move of somebody else's",
    {
      kind: "foreign_ref_moved",
      before: { ref: "refs/tags/t", sha: null },
      after: { ref: "refs/tags/t", sha: "1" },
    },
    { ref: "refs/tags/t", before: null, after: "1" },
  ],
  ["a deletion of which the commit is not known", { kind: "branch_delete", before: { branch: "b" } }, null],
  ["a push", { kind: "push", before: { branch: "b", sha: "1" }, after: { sha: "2" } }, null],
])("%s", (_, of, move) => {
  expect(refMoveOf(operation(of))).toEqual(move);
});

const UNDONE_OTHERWISE = ["trash", "run_restore", "choose"];
const CALLS =
  /(?:(?<!function )\b(?:journaled(?:<[^>]*>)?|recordDeviation|insertOperation)\(|(?:deviation|undo) = \{)[\s\S]{0,250}?kind: "(\w+)"/g;

/** As they stand in the source. */
async function kindsOfOperations(): Promise<readonly string[]> {
  const files = await Array.fromAsync(new Bun.Glob("src/services/**/*.ts").scan("."));
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()));
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(CALLS)].map((match) => match[1] ?? ""))),
  ].sort();
}

test("every kind of operation can be undone, or says why not and what to do instead", async () => {
  const kinds = await kindsOfOperations();
  expect(kinds.length).toBeGreaterThan(20);
  const move = { ref: "refs/heads/b", branch: "b", sha: "1", head: "1", branchSha: "1" };
  const undone = kinds.filter(
    (kind) =>
      UNDONE_OTHERWISE.includes(kind) ||
      refMoveOf(operation({ kind, before: move, after: { ...move, sha: "2" } })) !== null ||
      refMoveOf(operation({ kind, before: { ...move, sha: null }, after: move })) !== null,
  );
  expect(undone).toEqual([
    "branch_delete",
    "branch_restored",
    "choose",
    "commit",
    "foreign_ref_moved",
    "merge_attempt",
    "ref_restored",
    "run_restore",
    "trash",
    "undo",
  ]);
  for (const kind of kinds.filter((each) => !undone.includes(each))) {
    const { why, instead } = whyNoUndo(kind);
    expect([kind, why.endsWith("."), instead.length > 10]).toEqual([kind, true, true]);
    expect(why).not.toContain("An operation of the kind");
  }
});

test("a kind of a later version has an answer too", () => {
  expect(whyNoUndo("nobody knows").why).toContain("nobody knows");
});
