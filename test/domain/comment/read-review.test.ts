import { describe, expect, test } from "bun:test";
import { patchLines } from "../../../src/domain/comment/patch-lines.ts";
import { readReview } from "../../../src/domain/comment/read-review.ts";
import { sentText } from "../../../src/domain/comment/sent-text.ts";

const PATCH = `diff --git a/src/a.ts b/src/b.ts
similarity index 80%
rename from src/a.ts
rename to src/b.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/b.ts
@@ -1,3 +1,3 @@ head
 one
-two
+--- two again
 three
@@ -10 +10,0 @@
-ten
diff --git "a/a\\tb \\"c\\".txt" "b/a\\tb \\"c\\".txt"
new file mode 100644
--- /dev/null
+++ "b/a\\tb \\"c\\".txt"
@@ -0,0 +1 @@
+new
\\ No newline at end of file
diff --git a/image.png b/image.png
Binary files a/image.png and b/image.png differ
`;

const entry = (more: object = {}) => ({ path: "src/b.ts", line: 2, severity: "high", body: "Why?", ...more });
const block = (value: unknown) => `I looked.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const read = (words: string) => readReview(words, patchLines(PATCH));
const one = (more: object) => read(block([entry(more)]))._unsafeUnwrap().comments[0];

describe("the lines of a patch", () => {
  const files = patchLines(PATCH);

  test("are known by number on each side, under both names of a renamed file", () => {
    expect([...files.keys()]).toEqual(["src/a.ts", "src/b.ts", 'a\tb "c".txt']);
    expect([...(files.get("src/b.ts")?.new ?? [])]).toEqual([
      [1, "one"],
      [2, "--- two again"],
      [3, "three"],
    ]);
    expect([...(files.get("src/a.ts")?.old ?? [])]).toEqual([
      [1, "one"],
      [2, "two"],
      [3, "three"],
      [10, "ten"],
    ]);
    expect([...(files.get('a\tb "c".txt')?.new ?? [])]).toEqual([[1, "new"]]);
  });

  test("an empty patch has none", () => {
    expect(patchLines("").size).toBe(0);
  });
});

describe("a review", () => {
  test("is read from the last block of its words", () => {
    const comment = {
      path: "src/b.ts",
      line: 2,
      side: "new",
      quoted: "--- two again",
      severity: "high",
      body: "Why?",
    };
    for (const words of [
      block([entry()]),
      `${block([entry({ body: "Not this one" })])}\n${block([entry()])}\nThat is all.`,
      block({ comments: [entry()] }),
      `Here:\n${JSON.stringify([entry()], null, 2)}`,
      JSON.stringify([entry()]),
    ])
      expect(read(words)._unsafeUnwrap()).toEqual({ comments: [comment], left: 0 } as never);
    expect(read(block([]))._unsafeUnwrap()).toEqual({ comments: [], left: 0 });
  });

  test("takes what models write in the place of the asked-for words", () => {
    expect(one({ path: "./src/b.ts", severity: "CRITICAL", line: "3" })).toMatchObject({
      path: "src/b.ts",
      line: 3,
      severity: "critical",
      quoted: "three",
    });
    expect(one({ path: "b/src/b.ts", severity: "blocker" })).toMatchObject({
      path: "src/b.ts",
      severity: "medium",
    });
    expect(one({ path: "/work/tree/src/b.ts" })).toMatchObject({ path: "src/b.ts", line: 2 });
    expect(one({ path: "src/a.ts", line: 10, side: "old" })).toMatchObject({
      line: 10,
      side: "old",
      quoted: "ten",
    });
  });

  test("keeps a comment on a line that the patch does not show as one on its file", () => {
    for (const more of [{ line: 99 }, { line: 2.5 }, { line: null }, { line: -1 }, { path: "other.ts" }])
      expect(one(more)).toMatchObject({ line: null, quoted: null, body: "Why?" });
  });

  test("counts entries that cannot be read, and refuses words without any", () => {
    const { comments, left } = read(
      block([entry(), { path: "x" }, entry({ path: "../x" }), 7]),
    )._unsafeUnwrap();
    expect([comments.length, left]).toEqual([1, 3]);
    for (const words of ["", "Fine.", "```json\n[1, 2\n```", "```\n{}\n```", block([{ path: "x" }])])
      expect(read(words).isErr()).toBe(true);
    const many = read(block(Array.from({ length: 300 }, () => entry())))._unsafeUnwrap();
    expect([many.comments.length, many.left]).toEqual([200, 100]);
  });

  test("is sent on with the place, the quoted line and the words", () => {
    const [comment] = read(block([entry({ side: "old", path: "src/a.ts" })]))._unsafeUnwrap().comments;
    if (comment === undefined) throw new Error("no comment");
    const saved = {
      ...comment,
      id: "1",
      attemptId: "2",
      runId: null,
      author: null,
      actor: null,
      sentWith: null,
      at: "",
    };
    const placed = { endLine: null, tree: null, outdated: false, addressedIn: null };
    const all = [{ ...saved, ...placed, authorKind: "agent", state: "open" } as const];
    const sent = sentText(" Do it. ", all);
    expect(sent.instruction).toBe("Do it.\n\nsrc/a.ts:2 (before the change, high)\n> two\nWhy?");
    expect(sent.instruction.slice(0, sent.ownLength)).toBe("Do it.");
    expect(sentText("", all).instruction).toStartWith("Address these comments");
    const lines = { line: 2, endLine: 3, quoted: "two\nthree", outdated: true, severity: null };
    const own = all.map((one) => ({ ...one, ...lines, body: "```suggestion\n2\n```" }));
    expect(sentText("", own).instruction).toEndWith(
      "src/a.ts:2-3 (before the change, changed since)\n> two\n> three\n```suggestion\n2\n```",
    );
  });
});
