/** Walks through reviews: another agent reads a patch, comments on it, and its comments are sent on. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommentDocument } from "../../src/contract/endpoints/comments.ts";
import type { ComparisonDocument } from "../../src/contract/endpoints/decisions.ts";
import type { AttemptAlone, RunDocument } from "../../src/contract/task-document.ts";
import { http } from "../helpers/http.ts";
import { ask, ending, gate, noteCodes, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

const COMMENTS = [
  { path: "./made.txt", line: 1, side: "new", severity: "HIGH", body: "Say what it is." },
  { path: "made.txt", line: 99, severity: "low", body: "No such line." },
  { path: "../outside", line: 1, severity: "critical", body: "Elsewhere." },
];

beforeAll(async () => {
  product = await startProduct();
  await product.agent("maker", 'cat "$TAZUNA_INSTRUCTION_FILE" > made.txt; echo Made.');
  const said = `I read it.\n\`\`\`json\n${JSON.stringify(COMMENTS, null, 1)}\n\`\`\``;
  await product.agent("critic", `cat > "$HOME/prompt.txt"\ncat <<'END'\n${said}\nEND`);
  await product.agent("vandal", `echo evil > made.txt; echo new > new.txt; echo '[]'`);
  await product.agent("mumbler", "echo Looks fine to me.");
  await product.agent("sleeper", "touch \"$HOME/asleep\"; sleep 600; echo '[]'");
});

afterAll(() => product[Symbol.asyncDispose]());

const show = async (attempt: string) =>
  (await product.tazuna(["show", attempt, "--json"])).json<AttemptAlone & { comments: CommentDocument[] }>();

/** What reviews must leave as it is. */
function asItWas({ state, commit, changes, usage, session }: AttemptAlone) {
  return { state, commit, changes, usage, session };
}

test(deep("a review by another agent leaves comments and nothing else, and some are sent on"), async () => {
  const made = await ask(product, ["run", "Write a line.", "--agent", "maker"]);
  const { id, worktree, branch } = made.attempt;
  const before = asItWas(await show(id));
  const outside = await usersSide(product, { ours: [branch] });
  const end = await product.tazuna(["review", id, "--agent", "critic", "--json"]);
  expect(end.code).toBe(0);
  const { comments } = end.json<{ comments: CommentDocument[] }>();
  expect(
    comments.map(({ path, line, severity, quoted, state }) => [path, line, severity, quoted, state]),
  ).toEqual([
    ["made.txt", null, "low", null, "open"],
    ["made.txt", 1, "high", "Write a line.", "open"],
  ]);
  const prompt = await readFile(join(product.env.HOME ?? "", "prompt.txt"), "utf8");
  expect(prompt).toContain("+Write a line.");
  const reviewed = await show(id);
  expect(asItWas(reviewed)).toEqual(before);
  const review = reviewed.runs.at(-1);
  if (review === undefined) throw new Error("no review");
  expect([review.kind, review.reviewer, ending(review)]).toEqual([
    "review",
    "critic",
    { status: "SUCCEEDED", outcome: "no_changes" },
  ]);
  expect(noteCodes(review)).toEqual(["comments_left_out"]);

  const bad = await ask(product, ["review", id, "--agent", "vandal"]);
  expect(noteCodes(bad.run)).toEqual(["review_put_back"]);
  expect(await readFile(join(worktree, "made.txt"), "utf8")).toBe("Write a line.");
  expect(await product.sandbox.git(worktree, ["status", "--porcelain"])).toBe("");
  const mumbled = await ask(product, ["review", id, "--agent", "mumbler"]);
  expect([mumbled.code, ending(mumbled.run), mumbled.run.summary]).toEqual([
    1,
    { status: "FAILED", outcome: null, failure: "agent_failed" },
    "Looks fine to me.",
  ]);
  expect(asItWas(await show(id))).toEqual(before);
  expect(await usersSide(product, { ours: [branch] })).toEqual(outside);

  const compared = await product.tazuna(["compare", id, "--json"]);
  expect(compared.json<ComparisonDocument>().attempts[0]?.comments).toEqual({
    critical: 0,
    high: 1,
    medium: 0,
    low: 1,
  });
  const high = comments[1]?.id ?? "";
  const sent = await ask(product, ["continue", id, "Please.", "--comment", high.slice(0, 8)]);
  expect(sent.run.instruction).toBe("Please.\n\nmade.txt:1 (high)\n> Write a line.\nSay what it is.");
  expect(await readFile(join(worktree, "made.txt"), "utf8")).toBe(sent.run.instruction);
  expect((await show(id)).comments.map(({ state, sent_with }) => [state, sent_with])).toEqual([
    ["open", null],
    ["sent", sent.run.id],
  ]);
  const other = await ask(product, ["run", "Another.", "--agent", "maker"]);
  const elsewhere = await refused(product, ["continue", other.attempt.id, "--comment", high]);
  expect([elsewhere.code, elsewhere.error.code]).toEqual([2, "bad_usage"]);
});

test(
  deep(
    "comments that wait with a follow-up keep their place behind edited words, and can be sent again if it is removed",
  ),
  async () => {
    await using barrier = gate(product, "comments");
    await product.agent("gated", `${barrier.wait}; cat "$TAZUNA_INSTRUCTION_FILE" > made.txt; echo Made.`);
    await barrier.open();
    const { attempt } = await ask(product, ["run", "Write a line.", "--agent", "gated"]);
    await ask(product, ["review", attempt.id, "--agent", "critic"]);
    const high = (await show(attempt.id)).comments.find(({ severity }) => severity === "high")?.id ?? "";
    await product.agent("gated", "sleep 600");
    const working = await ask(product, ["continue", attempt.id, "Sleep.", "--detach"]);
    const send = ["continue", attempt.id, "Please.", "--comment", high, "--detach"];
    const sent = (await ask(product, send)).attempt.runs.at(-1);
    const queue = async (...words: string[]) =>
      (await product.tazuna(["queue", attempt.id, ...words, "--json"])).json<{ queue: RunDocument[] }>()
        .queue;
    const states = async () =>
      (await show(attempt.id)).comments.flatMap((each) =>
        each.id === high ? [each.state, each.sent_with] : [],
      );
    expect(await states()).toEqual(["sent", sent?.id ?? ""]);
    const [edited] = await queue("edit", sent?.id ?? "", "At once!");
    expect(edited?.instruction).toBe("At once!\n\nmade.txt:1 (high)\n> Write a line.\nSay what it is.");
    expect(await queue("remove", sent?.id ?? "")).toEqual([]);
    expect(await states()).toEqual(["open", null]);
    const again = (await ask(product, send)).attempt.runs.find((run) => run.position === 1);
    expect(await states()).toEqual(["sent", again?.id ?? ""]);
    await ask(product, ["cancel", working.attempt.id]);
  },
);

test(
  deep("a review that is stopped, or whose engine dies, leaves the attempt and its queue alone"),
  async () => {
    const made = await ask(product, ["run", "Write it.", "--agent", "maker"]);
    const { id } = made.attempt;
    const before = asItWas(await show(id));
    const started = await ask(product, ["review", id, "--agent", "sleeper", "--detach"]);
    await waitFor("the reviewer to read", async () =>
      Bun.file(join(product.env.HOME ?? "", "asleep")).exists(),
    );
    expect(asItWas(await show(id))).toEqual(before);
    const queued = await ask(product, ["continue", id, "Then this.", "--detach"]);
    await product.killEngine();
    const waiting = (await show(id)).runs;
    expect(waiting.map(({ kind, status, held }) => [kind, status, held])).toEqual([
      ["agent", "SUCCEEDED", false],
      ["review", "RUNNING", false],
      ["agent", "PENDING", false],
    ]);
    await product.tazuna(["stop", started.run.id]);
    const end = await ask(product, ["wait", queued.run.id]);
    expect(end.attempt.runs.map(({ status }) => status)).toEqual(["SUCCEEDED", "CANCELED", "SUCCEEDED"]);
    expect(end.attempt.state).toBe("pushed");
  },
);

test("what cannot be reviewed is refused with a way on", async () => {
  const idle = await ask(product, ["run", "Nothing.", "--agent", "mumbler"]);
  const codes: unknown[] = [];
  for (const args of [
    ["review", idle.attempt.id, "--agent", "critic"],
    ["review", idle.attempt.id, "--agent", "nobody"],
    ["review", idle.attempt.id],
    ["review", "nothing", "--agent", "critic"],
  ]) {
    const { code, error } = await refused(product, args);
    codes.push([code, error.code]);
  }
  expect(codes).toEqual([
    [1, "nothing_to_review"],
    [1, "nothing_to_review"],
    [2, "bad_usage"],
    [1, "not_found"],
  ]);
});

test(deep("nothing changed since a review, or since a run that still works"), async () => {
  await using barrier = gate(product, "since");
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  const made = await ask(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  const { id } = made.attempt;
  await product.tazuna(["review", id, "--agent", "critic"]);
  const review = (await show(id)).runs.at(-1);
  expect(review?.kind).toBe("review");
  const since = async (run = "") =>
    (await http<{ files?: unknown[] }>(product, `GET /attempts/${id}/diff?since=${run}`)).body.files;
  expect(await since(review?.id)).toEqual([]);
  const working = await ask(product, ["continue", id, `echo two > two.txt; ${barrier.wait}`, "--detach"]);
  await barrier.reached();
  const run = working.attempt.runs.at(-1)?.id;
  expect(await since(run)).toEqual([]);
  await barrier.open();
  await product.tazuna(["wait", run ?? ""]);
  expect(await since(review?.id)).toMatchObject([{ path: "two.txt", status: "added" }]);
});
