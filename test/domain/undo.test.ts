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

test("every kind says why it is not undone and what to do instead", () => {
  for (const kind of ["push", "merge", "worktree_add", "trash_purge", "nobody knows"]) {
    const { why, instead } = whyNoUndo(kind);
    expect([why.endsWith("."), instead.length > 10]).toEqual([true, true]);
  }
});
