/** Walks through comments of a person: kept as drafts, sent as one run, followed as the patch changes. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { CommentDocument } from "../../src/contract/endpoints/comments.ts";
import { http } from "../helpers/http.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);

beforeAll(async () => {
  product = await startProduct();
  await product.sandbox.commit(product.repository, { "long.txt": `${LINES.join("\n")}\n` }, "Lines");
  await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE" 2>&1; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

interface Comments {
  readonly items: readonly CommentDocument[];
}

/** An attempt that changed the lines 3 and 9, and made a file. */
async function changed() {
  const words = "sed -i '3s/.*/three/;9d' long.txt; printf 'a\\nb\\nc\\n' > new.txt";
  return ask(product, ["run", words, "--agent", "doer"]);
}

const add = (attempt: string, comment: object) =>
  http<CommentDocument & { code?: string }>(product, `POST /attempts/${attempt}/comments`, comment);
const comments = async (attempt: string) =>
  (await http<Comments>(product, `GET /attempts/${attempt}/comments`)).body.items;
const places = async (attempt: string) =>
  (await comments(attempt)).map(({ path, line, end_line, outdated }) => [path, line, end_line, outdated]);

test(
  deep("drafts are kept, followed as the patch changes, sent as one run, and closed by a person"),
  async () => {
    const { attempt, run } = await changed();
    const { id } = attempt;
    const three = await add(id, { path: "long.txt", line: 3, body: "Why three?" });
    expect<unknown[]>([three.status, three.body]).toEqual([
      201,
      {
        id: expect.any(String),
        attempt: id,
        run: null,
        author_kind: "person",
        author: null,
        actor: expect.objectContaining({ kind: "owner" }),
        path: "long.txt",
        line: 3,
        end_line: null,
        side: "new",
        quoted: "three",
        tree: expect.any(String),
        severity: null,
        body: "Why three?",
        state: "draft",
        sent_with: null,
        at: expect.any(String),
        outdated: false,
        addressed_in: null,
      },
    ]);
    const old = await add(id, { path: "long.txt", side: "old", line: 9, body: "Keep it." });
    expect(old.body).toMatchObject({ quoted: "line 9", side: "old" });
    const more = await add(id, { path: "new.txt", line: 2, end_line: 3, body: "```suggestion\nB\nC\n```" });
    expect(more.body).toMatchObject({ quoted: "b\nc", line: 2, end_line: 3 });
    const whole = await add(id, { path: "new.txt", body: "Name it better." });

    const edited = await http<CommentDocument>(product, `PATCH /comments/${three.body.id}`, {
      body: "Why three here?",
    });
    expect(edited.body).toMatchObject({ body: "Why three here?", state: "draft" });
    expect((await http(product, `DELETE /comments/${whole.body.id}`)).status).toBe(200);

    await product.killEngine();
    await product.tazuna(["list"]);
    expect(await places(id)).toEqual([
      ["long.txt", 3, null, false],
      ["long.txt", 9, null, false],
      ["new.txt", 2, 3, false],
    ]);
    await ask(product, [
      "continue",
      id,
      "sed -i '1i zero' long.txt; sed -i 's/^a$/A/' new.txt; mv new.txt newer.txt",
    ]);
    expect(await places(id)).toEqual([
      ["long.txt", 4, null, false],
      ["long.txt", 9, null, false],
      ["newer.txt", 2, 3, false],
    ]);

    const ids = [three, old, more].map(({ body }) => body.id);
    const sent = await http<{ attempts: { runs: { id: string; instruction: string }[] }[] }>(
      product,
      `POST /attempts/${id}/runs`,
      { instruction: "sed -i 's/^three$/THREE/' long.txt; exit", comments: ids },
    );
    const last = sent.body.attempts.find(({ runs }) => runs.some((each) => each.id === run.id))?.runs.at(-1);
    expect(last?.instruction).toBe(
      [
        "sed -i 's/^three$/THREE/' long.txt; exit",
        "long.txt:4\n> three\nWhy three here?",
        "long.txt:9 (before the change)\n> line 9\nKeep it.",
        "newer.txt:2-3\n> b\n> c\n```suggestion\nB\nC\n```",
      ].join("\n\n"),
    );
    await product.tazuna(["wait", last?.id ?? ""]);
    const after = await comments(id);
    const done = last?.id ?? "";
    expect(
      after.map(({ state, sent_with, addressed_in, outdated }) => [state, sent_with, addressed_in, outdated]),
    ).toEqual([
      ["sent", done, done, true],
      ["sent", done, done, false],
      ["sent", done, null, false],
    ]);
    expect(after[0]).toMatchObject({ quoted: "three", line: 4 });
    const refused = await http(product, `PATCH /comments/${ids[0]}`, { body: "Other words" });
    expect([refused.status, refused.body.code]).toEqual([409, "comment_fixed"]);
    expect((await http(product, `DELETE /comments/${ids[0]}`)).body.code).toBe("comment_fixed");
    const closed = await http(product, `PATCH /comments/${ids[0]}`, { resolved: true });
    expect(closed.body).toMatchObject({ state: "resolved", addressed_in: done });
    const opened = await http(product, `PATCH /comments/${ids[0]}`, { resolved: false });
    expect(opened.body.state).toBe("sent");
    expect((await product.tazuna(["show", id])).stdout).toContain("Why three here?");
  },
);

test("a comment is refused that has no place, or too many words", async () => {
  const { attempt } = await changed();
  const codes = async (comment: object) => {
    const { status, body } = await add(attempt.id, comment);
    return [status, body.code ?? null];
  };
  const body = "Why?";
  expect(await codes({ path: "README.md", line: 1, body })).toEqual([404, "file_not_changed"]);
  expect(await codes({ path: "long.txt", line: 12, body })).toEqual([400, "line_out_of_range"]);
  expect(await codes({ path: "long.txt", line: 12, side: "old", body })).toEqual([201, null]);
  expect(await codes({ path: "new.txt", line: 1, side: "old", body })).toEqual([400, "line_out_of_range"]);
  expect(await codes({ path: "new.txt", line: 3, end_line: 2, body })).toEqual([400, "bad_request"]);
  expect(await codes({ path: "new.txt", line: 1, body: "x".repeat(20_001) })).toEqual([400, "bad_request"]);
  expect(await codes({ path: "new.txt", line: 1, body: " " })).toEqual([400, "bad_request"]);
  expect((await add("x", { path: "new.txt", line: 1, body })).status).toBe(404);
  expect((await http(product, "PATCH /comments/x", { body })).status).toBe(404);
});

/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

test(
  deep("a credential in a comment or in its lines is not stored, and its place is found again"),
  async () => {
    await product.configure({ gate: { rules: { credential: "report" } } });
    await product.agent("writer", `echo 'key = ${TOKEN}' > key.txt`);
    const { attempt } = await ask(product, ["run", "Write", "--agent", "writer"]);
    const { body } = await add(attempt.id, { path: "key.txt", line: 1, body: `Take ${TOKEN} out.` });
    expect([body.quoted, body.body]).toEqual(["key = [redacted]", "Take [redacted] out."]);
    await product.agent("writer", "sed -i '1i first' key.txt");
    await ask(product, ["continue", attempt.id, "More"]);
    expect(await places(attempt.id)).toEqual([["key.txt", 2, null, false]]);
  },
);

/** A comment that waits in the queue with its follow-up, behind a run that goes on until `barrier` is opened. */
async function sentBehind(barrier: ReturnType<typeof gate>) {
  const { id } = (await changed()).attempt;
  const { body } = await add(id, { path: "new.txt", line: 1, body: "Why?" });
  await ask(product, ["continue", id, `${barrier.wait}`, "--detach"]);
  await barrier.reached();
  await http(product, `POST /attempts/${id}/runs`, { comments: [body.id] });
  return { id, body };
}

test(deep("each change of comments is a fact, also if what they wait with leaves the queue"), async () => {
  await using barrier = gate(product, "comments");
  const { id, body } = await sentBehind(barrier);
  const sent = (await comments(id))[0];
  expect(sent).toMatchObject({ state: "sent" });
  await http(product, `DELETE /runs/${sent?.sent_with}`);
  expect((await comments(id))[0]).toMatchObject({ state: "draft", sent_with: null });
  await http(product, `DELETE /comments/${body.id}`);
  await barrier.open();
  const facts = storedRows<{ readonly data: string }>(product.home, {
    sql: "select data from facts where kind = 'comment.changed' and attempt_id = $1 order by seq",
    values: [id],
  });
  expect(facts.map(({ data }) => JSON.parse(data))).toEqual(
    ["draft", "sent", "draft", "deleted"].map((state) => ({ comments: [body.id], state })),
  );
});

test(
  deep("a comment that was sent again is as it was before, once the follow-ups leave the queue"),
  async () => {
    await using barrier = gate(product, "again");
    const { id } = (await changed()).attempt;
    const { body } = await add(id, { path: "new.txt", line: 2, body: "Why b?" });
    const send = async () => {
      await http(product, `POST /attempts/${id}/runs`, { comments: [body.id] });
      return (await comments(id))[0];
    };
    const first = await send();
    await product.tazuna(["wait", first?.sent_with ?? ""]);
    // Its place moves on before it is sent again.
    await ask(product, ["continue", id, "sed -i 1d new.txt"]);
    const before = (await comments(id))[0];
    await ask(product, ["continue", id, `${barrier.wait}`, "--detach"]);
    await barrier.reached();
    const [second, third] = [await send(), await send()];
    expect(new Set([first, second, third].map((each) => each?.sent_with)).size).toBe(3);
    for (const each of [second, third]) await http(product, `DELETE /runs/${each?.sent_with}`);
    expect((await comments(id))[0]).toMatchObject({ state: "sent", sent_with: first?.sent_with ?? "" });
    await barrier.open();
    expect((await comments(id))[0]).toEqual(before);
  },
);

test(deep("a thread that a person closed stays closed if its follow-up leaves the queue"), async () => {
  await using barrier = gate(product, "closed");
  const { id, body } = await sentBehind(barrier);
  const [sent] = await comments(id);
  await http(product, `PATCH /comments/${body.id}`, { resolved: true });
  await http(product, `DELETE /runs/${sent?.sent_with}`);
  expect((await comments(id))[0]).toMatchObject({ state: "resolved", sent_with: null });
  const opened = await http(product, `PATCH /comments/${body.id}`, { resolved: false });
  expect(opened.body).toMatchObject({ state: "draft" });
  await barrier.open();
});

interface Sent {
  readonly code?: string;
  readonly attempts?: readonly { readonly runs: readonly { id: string; instruction: string }[] }[];
}

test(deep("a draft that is changed while it is sent is sent as it is shown, or not at all"), async () => {
  await using barrier = gate(product, "changed");
  const { attempt } = await changed();
  const { id } = attempt;
  await ask(product, ["continue", id, `${barrier.wait}`, "--detach"]);
  await barrier.reached();
  const told = new Set<unknown>();
  for (let round = 0; round < 8; round++) {
    const { body } = await add(id, { path: "new.txt", line: 1, body: "Old words" });
    const send = http<Sent>(product, `POST /attempts/${id}/runs`, { comments: [body.id] });
    await Bun.sleep(round);
    const edited = await http(product, `PATCH /comments/${body.id}`, { body: "New words" });
    const sent = await send;
    told.add(sent.body.code ?? sent.status);
    const comment = (await comments(id)).find((each) => each.id === body.id);
    expect([comment?.state, comment?.body]).toEqual(
      sent.status === 201
        ? ["sent", edited.status === 200 ? "New words" : "Old words"]
        : ["draft", "New words"],
    );
    if (comment?.state !== "sent") continue;
    const runs = sent.body.attempts?.flatMap((each) => each.runs) ?? [];
    expect(runs.find((run) => run.id === comment.sent_with)?.instruction).toContain(comment.body);
    await http(product, `DELETE /runs/${comment.sent_with}`);
  }
  expect([...told].every((each) => each === 201 || each === "changed_meanwhile")).toBe(true);
  await barrier.open();
});
