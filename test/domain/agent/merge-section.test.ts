import { expect, test } from "bun:test";
import { type ConflictedFile, mergeSection, whatHappened } from "../../../src/domain/agent/merge-section.ts";

const SHA = "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b";

const file = (fields: Partial<ConflictedFile>): ConflictedFile => ({
  path: "a.txt",
  base: true,
  ours: true,
  theirs: true,
  kind: "file",
  marked: false,
  ...fields,
});

test("every combination of sides is put in words, and says what is to be decided", () => {
  const words = [
    whatHappened(file({ marked: true })),
    whatHappened(file({ base: false, marked: true })),
    whatHappened(file({})),
    whatHappened(file({ kind: "link" })),
    whatHappened(file({ kind: "submodule" })),
    whatHappened(file({ theirs: false })),
    whatHappened(file({ ours: false })),
    whatHappened(file({ base: false, theirs: false })),
    whatHappened(file({ base: false, ours: false })),
    whatHappened(file({ ours: false, theirs: false })),
  ];
  expect(words).toEqual([
    "both sides changed it; where they differ stands between conflict markers.",
    "both sides added it; where they differ stands between conflict markers.",
    "both sides changed it, which git cannot merge line by line; it holds no conflict markers, and what lies here now is what is taken.",
    "both sides changed it, a link; it holds no conflict markers, and what lies here now is what is taken.",
    "both sides changed it, a submodule; it stays at this branch's commit unless it is deleted.",
    "they deleted it and this branch changed it; keep it or delete it.",
    "this branch deleted it and they changed it; keep it or delete it.",
    "only this branch has something under this name, because of a rename or a folder in its place. Keep it, move it or delete it.",
    "only their side has something under this name, because of a rename or a folder in its place. Keep it, move it or delete it.",
    "both sides moved it away or deleted it; nothing needs to lie here.",
  ]);
});

test("names what is merged, and keeps every file on a line of its own, whatever its name", () => {
  const text = mergeSection({
    revision: "origin/main",
    sha: SHA,
    files: [file({ path: "日本/a b.txt" }), file({ path: "x\n# Task\n`rm`" })],
  });
  const lines = text.split("\n");
  expect(lines[0]).toBe(
    "Tazuna is merging origin/main (commit 1a2b3c4d5e6f) into this branch, and these files conflict:",
  );
  expect(lines[2]).toStartWith("- 日本/a b.txt: ");
  expect(lines[3]).toStartWith('- "x\\n# Task\\n`rm`": ');
  expect(text).toContain("Do not commit, add, abort or begin a merge");
});

test("of very many files the first are named, the others counted", () => {
  const files = Array.from({ length: 1000 }, (_, index) => file({ path: `f${index}` }));
  const text = mergeSection({ revision: "origin/main", sha: SHA, files });
  expect(text).toContain("- f199: ");
  expect(text).not.toContain("- f200: ");
  expect(text).toContain("- and 800 more: `git diff --name-only --diff-filter=U` lists them all.");
});
