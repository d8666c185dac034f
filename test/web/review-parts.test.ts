/** Holds the pure parts of a review: order of files, threads, suggestions, what is compared, where things stand. */
import { expect, test } from "bun:test";
import type { CommentDocument } from "../../src/contract/endpoints/comments.ts";
import { languageOf } from "../../web/src/features/diff/code/language-of.ts";
import { filesWithin, place, rowsWithin, topOfRow } from "../../web/src/features/diff/layout.ts";
import { partsOf, suggestionFor } from "../../web/src/features/review/comments/suggestions.ts";
import { placeWords, threadsOf } from "../../web/src/features/review/comments/threads.ts";
import { byFolder, treeRows } from "../../web/src/features/review/files/tree.ts";

const file = (path: string) => ({ path, status: "modified", additions: 1, deletions: 0, sizes: null });
const comment = (of: Partial<CommentDocument>): CommentDocument => ({
  id: "c",
  attempt: "a",
  run: null,
  author_kind: "person",
  author: null,
  actor: null,
  path: "b.ts",
  line: 1,
  end_line: null,
  side: "new",
  quoted: null,
  tree: null,
  severity: null,
  body: "",
  state: "draft",
  sent_with: null,
  at: "",
  outdated: false,
  addressed_in: null,
  ...of,
});

test("files of a folder come together, before those of the folders within it", () => {
  const files = byFolder(["src/a.ts", "src/in/b.ts", "src/z.ts", "top.md", "src-other/x.ts"].map(file));
  expect(files.map(({ path }) => path)).toEqual([
    "top.md",
    "src/a.ts",
    "src/z.ts",
    "src/in/b.ts",
    "src-other/x.ts",
  ]);
  const rows = treeRows(files, { folded: new Set(["src"]), filter: "" });
  expect(rows.map((row) => (row.kind === "folder" ? `${row.path}/` : row.name))).toEqual([
    "top.md",
    "src/",
    "src/in/",
    "b.ts",
    "src-other/",
    "x.ts",
  ]);
  expect(treeRows(files, { folded: new Set(), filter: "IN/" }).length).toBe(2);
});

test("drafts stand in the order of files and lines, sent ones by run, those of agents apart", () => {
  const threads = threadsOf(
    [
      comment({ id: "late", path: "b.ts", line: 9 }),
      comment({ id: "first", path: "a.ts", line: 50 }),
      comment({ id: "early", path: "b.ts", line: 2 }),
      comment({ id: "sent", state: "sent", sent_with: "r1" }),
      comment({ id: "agent", state: "open", author_kind: "agent", author: "codex" }),
    ],
    ["a.ts", "b.ts"],
  );
  expect(threads.drafts.map(({ id }) => id)).toEqual(["first", "early", "late"]);
  expect(threads.sent.map(({ run, comments }) => [run, comments.length])).toEqual([["r1", 1]]);
  expect(threads.open.map(({ id }) => id)).toEqual(["agent"]);
  expect(placeWords(comment({ path: "a.ts", line: 3, end_line: 5 }))).toBe("a.ts:3-5");
});

test("a suggestion is read back as it was begun, between the words around it", () => {
  expect(partsOf(`Better:\n${suggestionFor("  a\n  b")}Thanks.`)).toEqual([
    { kind: "words", text: "Better:" },
    { kind: "suggestion", lines: ["  a", "  b"] },
    { kind: "words", text: "Thanks." },
  ]);
  expect(partsOf("```suggestion\n```")).toEqual([{ kind: "suggestion", lines: [] }]);
});

test("only rows and files in sight are found, also below things of another height", () => {
  const rows = Array.from({ length: 100 }, () => ({ kind: "gap", lines: 1, hunk: 0, within: "" }) as const);
  const body = { rows, inserts: [{ key: "note", after: 9, height: 200 }], height: 2_212 };
  expect(topOfRow(9, body.inserts)).toBe(180);
  expect(topOfRow(10, body.inserts)).toBe(400);
  const [first, end] = rowsWithin(body, 400, 500);
  expect(first).toBe(10);
  expect(end).toBeLessThan(18);
  const { files, height } = place([body, body, body]);
  expect(height).toBe(3 * (2_212 + 32));
  expect(filesWithin(files, 2_300, 2_400).map(({ index }) => index)).toEqual([1]);
});

test("the language of a file is told by its name", () => {
  expect(["src/a.ts", "Dockerfile", "x/Makefile", "a.unknown", "LICENSE"].map(languageOf)).toEqual([
    "typescript",
    "docker",
    "make",
    null,
    null,
  ]);
});
