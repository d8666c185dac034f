/** Tells how a person's own agent steers Tazuna over MCP: from a task to a merged attempt, with every refusal in words. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { askingAgent } from "../helpers/asking-agent.ts";
import { forgeWorld } from "../helpers/forge-world.ts";
import { colleague } from "../helpers/github/colleague.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { dataOf, errorOf, type McpClient, mcpClient, textOf } from "../helpers/mcp.ts";
import { httpClient, mcpHttp } from "../helpers/mcp-http.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const TOOLS = [
  "create_task",
  "continue_attempt",
  "stop_run",
  "answer_run",
  "wait_for",
  "list_attempts",
  "get_attempt",
  "get_diff",
  "compare_task",
  "choose_attempt",
  "open_pull_request",
  "merge_attempt",
];

let product: Product;
let control: McpClient;

const controlOf = (of: Product, args: readonly string[] = []) =>
  mcpClient({ cwd: of.repository, env: of.env, args: ["--control", ...args] });

/** The task of an answer; throws the text of a refusal. */
async function taskOf(name: string, args: Record<string, unknown>): Promise<TaskDocument> {
  const result = await control.call(name, args);
  if (result.isError === true) throw new Error(textOf(result));
  return dataOf(result) as unknown as TaskDocument;
}

const waitFor = async (id: string) => dataOf(await control.call("wait_for", { id, timeout_s: 120 }));

beforeAll(async () => {
  product = await startProduct();
  await product.agent("careful", "echo careful > both.txt; echo a > a.txt; echo Done.");
  await product.agent("quick", "echo quick > both.txt; echo Done.");
  await product.agent("long", "seq 20000 > long.txt; echo Done.");
  control = await controlOf(product);
});

afterAll(async () => {
  await control?.[Symbol.asyncDispose]();
  await product?.[Symbol.asyncDispose]();
});

describe("a person's own agent", () => {
  test("creates a task, waits, compares, reads, continues, chooses and merges", async () => {
    const listed = await control.client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(listed.tools.every(({ outputSchema }) => outputSchema?.type === "object")).toBe(true);

    const issue = "Write it.";
    const created = await taskOf("create_task", {
      issue,
      agents: ["careful", "quick"],
      idempotency_key: "k1",
    });
    expect([created.task.repository.path, created.attempts.length]).toEqual([product.repository, 2]);
    const again = await taskOf("create_task", { issue, agents: ["careful", "quick"], idempotency_key: "k1" });
    expect(again.task.id).toBe(created.task.id);

    const ended = await waitFor(created.task.id);
    expect(ended).toMatchObject({ state: "ended", task: { id: created.task.id } });
    const compared = dataOf(await control.call("compare_task", { task: created.task.id.slice(0, 10) }));
    expect(compared.attempts).toHaveLength(2);
    const [careful, quick] = created.attempts.map(({ id }) => id) as [string, string];

    const diff = dataOf(await control.call("get_diff", { attempt: careful }));
    expect(String(diff.patch)).toContain("+careful");
    const against = dataOf(
      await control.call("get_diff", { attempt: careful, other: quick, path: "both.txt" }),
    );
    expect(String(against.patch)).toContain("-careful\n+quick");

    const continued = await taskOf("continue_attempt", { attempt: careful, instruction: "Again." });
    expect(continued.attempts.map(({ id, runs }) => [id, runs.length])).toEqual([[careful, 2]]);
    expect(await waitFor(continued.attempts[0]?.runs[1]?.id ?? "")).toMatchObject({ state: "ended" });

    const chosen = dataOf(
      await control.call("choose_attempt", { attempt: careful, reason: "It has a test." }),
    );
    expect(chosen).toMatchObject({ decision: { attempt: careful, reason: "It has a test." } });
    const replaced = await control.call("choose_attempt", { attempt: quick, reason: "x", replaces: null });
    expect(errorOf(replaced)).toMatchObject({ code: "decision_changed" });

    const refused = await control.call("merge_attempt", { attempt: careful });
    expect(textOf(refused)).toStartWith("target_checked_out: ");
    const merged = dataOf(await control.call("merge_attempt", { attempt: careful, here: true }));
    expect(merged).toMatchObject({ merge: { target: "main", by: "tazuna" } });
    expect(await readFile(join(product.repository, "a.txt"), "utf8")).toBe("a\n");

    const shown = dataOf(await control.call("get_attempt", { attempt: careful }));
    expect(shown).toMatchObject({ state: "merged", chosen: true });
    const page = dataOf(await control.call("list_attempts", { limit: 1 }));
    expect([(page.items as unknown[]).length, typeof page.next]).toEqual([1, "string"]);
    // What the command line shows of it is the same record.
    const { operations } = (await product.tazuna(["activity", careful, "--json"])).json<{
      operations: readonly { kind: string }[];
    }>();
    expect(operations.map(({ kind }) => kind)).toContain("merge_attempt");
    const pull = await control.call("open_pull_request", { attempt: quick });
    expect(textOf(pull)).toStartWith("no_forge: ");
  });

  test("gets the beginning of a long patch, with how much of it that is", async () => {
    const { task, attempts } = await taskOf("create_task", { issue: "Write much.", agents: ["long"] });
    await waitFor(task.id);
    const attempt = attempts[0]?.id ?? "";
    const cut = dataOf(await control.call("get_diff", { attempt, max_bytes: 1_000 }));
    const patch = String(cut.patch);
    expect(cut.truncated).toEqual({ shown_bytes: Buffer.byteLength(patch), bytes: expect.any(Number) });
    expect([Buffer.byteLength(patch) <= 1_000, patch.endsWith("\n")]).toEqual([true, true]);
    expect((cut.truncated as { bytes: number }).bytes).toBeGreaterThan(100_000);
  });

  test("waits no longer than it said, is told what goes on, and stops what works", async () => {
    const barrier = gate(product, "control");
    await product.agent("waiter", `${barrier.wait}; echo Done.`);
    const { task } = await taskOf("create_task", { issue: "Wait.", agents: ["waiter"] });
    await barrier.reached();
    const told: string[] = [];
    const result = await control.client.callTool(
      { name: "wait_for", arguments: { id: task.id, timeout_s: 1 } },
      { onprogress: ({ message }) => void told.push(message ?? "") },
    );
    expect(dataOf(result)).toMatchObject({ state: "going" });
    expect(told[0]).toBe("1 going, 0 waiting for a person, 0 ended");
    await taskOf("stop_run", { run: task.id });
    const stopped = await waitFor(task.id);
    expect(stopped).toMatchObject({ state: "ended", attempts: [{ runs: [{ status: "CANCELED" }] }] });
    expect(dataOf(await control.call("wait_for", { id: task.id, timeout_s: 0 }))).toMatchObject({
      state: "ended",
    });
  });

  test.each([
    ["create_task", {}, "bad_request", '"issue"'],
    ["create_task", { issue: " " }, "bad_request", "must not be blank"],
    ["create_task", { isue: "x" }, "bad_request", 'Did you mean "issue"?'],
    ["create_task", { issue: "x", agents: ["nobody"] }, "unknown_agent", "nobody"],
    ["create_task", { issue: "x", agents: ["quick"], repository: "/" }, "not_a_repository", "/"],
    ["create_task", { issue: "x", idempotency_key: "a b" }, "bad_request", "visible ASCII"],
    ["continue_attempt", { instruction: "x" }, "bad_request", '"attempt"'],
    ["continue_attempt", { attempt: "ffffffff", instruction: "x" }, "not_found", "ffffffff"],
    ["stop_run", { run: "" }, "bad_request", "must not be blank"],
    ["stop_run", { run: "ffffffff" }, "not_found", "ffffffff"],
    ["answer_run", { run: "x", answer: "maybe", expect: "x" }, "bad_request", '"answer"'],
    ["wait_for", { id: "ffffffff" }, "not_found", "ffffffff"],
    ["wait_for", { id: "x", timeout_s: 601 }, "bad_request", '"timeout_s"'],
    ["list_attempts", { limit: 51 }, "bad_request", '"limit"'],
    ["list_attempts", { cursor: "nonsense" }, "bad_cursor", "cursor"],
    ["get_attempt", { attempt: 1 }, "bad_request", '"attempt"'],
    ["get_diff", { attempt: "ffffffff" }, "not_found", "ffffffff"],
    ["get_diff", { attempt: "x", max_bytes: 0 }, "bad_request", '"max_bytes"'],
    ["compare_task", { task: "ffffffff" }, "not_found", "ffffffff"],
    ["choose_attempt", { attempt: "ffffffff" }, "bad_request", '"reason"'],
    ["open_pull_request", { attempt: "ffffffff" }, "not_found", "ffffffff"],
    ["merge_attempt", { attempt: "ffffffff", there: true }, "bad_request", "Unknown key"],
  ])("is refused in words: %s %j", async (name, args, code, words) => {
    const result = await control.call(name, args);
    expect(result).toMatchObject({ isError: true, _meta: { error: { code, retriable: false } } });
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toStartWith(`${code}: `);
    expect(textOf(result)).toContain(words);
    const { remedy } = errorOf(result) as { remedy: string };
    expect(textOf(result)).toEndWith(remedy);
    expect(remedy.length).toBeGreaterThan(5);
  });

  test("is refused in the words of the command line", async () => {
    const typed = (await product.tazuna(["merge", "ffffffff", "--json"])).json<{
      error: Record<string, string>;
    }>();
    const { code, message, remedy } = typed.error;
    const asked = await control.call("merge_attempt", { attempt: "ffffffff" });
    expect(textOf(asked)).toBe(`${code}: ${message} ${remedy}`);
  });

  test("takes a wait back", async () => {
    const barrier = gate(product, "taken back");
    await product.agent("waiter", `${barrier.wait}; echo Done.`);
    const { task } = await taskOf("create_task", { issue: "Wait.", agents: ["waiter"] });
    await barrier.reached();
    const stop = new AbortController();
    const waiting = control.client.callTool(
      { name: "wait_for", arguments: { id: task.id, timeout_s: 600 } },
      { signal: stop.signal, onprogress: () => stop.abort() },
    );
    expect(await waiting.catch(() => "taken back")).toBe("taken back");
    await barrier.open();
    expect(await waitFor(task.id)).toMatchObject({ state: "ended" });
  });

  test("goes on with the next engine when one went away", async () => {
    await product.killEngine();
    expect(dataOf(await control.call("list_attempts", { limit: 1 })).items).toHaveLength(1);
  });

  test("steers by the port of this machine too", async () => {
    await using http = await mcpHttp({ cwd: product.repository, env: product.env, args: ["--control"] });
    await using client = await httpClient(http);
    expect((await client.client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(dataOf(await client.call("list_attempts", { limit: 1 })).items).toHaveLength(1);
    expect((await fetch(http.url, { method: "POST", body: "{}" })).status).toBe(401);
  });
});

test(deep("a question is answered as it was read, and not otherwise"), async () => {
  await using own = await startProduct();
  await askingAgent(own);
  await using agent = await controlOf(own);
  const install = "npm install left-pad";
  const created = dataOf(await agent.call("create_task", { issue: `ask ${install}`, agents: ["agent"] }));
  const { id } = created.task as { id: string };
  const asking = dataOf(await agent.call("wait_for", { id, timeout_s: 120 })) as unknown as TaskDocument;
  const run = asking.attempts[0]?.runs[0];
  expect(asking).toMatchObject({ state: "needs_person" });
  const wrong = await agent.call("answer_run", { run: id, answer: "allow", expect: "another" });
  expect(errorOf(wrong)).toMatchObject({ code: "question_changed" });
  const answer = { run: run?.id, answer: "allow", expect: run?.question?.expect };
  expect((await agent.call("answer_run", answer)).isError).toBeUndefined();
  expect(dataOf(await agent.call("wait_for", { id, timeout_s: 120 }))).toMatchObject({ state: "ended" });
});

test(
  deep("a pull request is opened, brought up to date and merged on the forge, after what a push needs"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    // The colour is missing until a follow-up asks for it.
    await product.agent("painter", 'echo "$TAZUNA_INSTRUCTION" >> paint.txt; echo Done.');
    await product.configure({ checks: [{ name: "colour", run: "grep -q blue paint.txt", required: true }] });
    await using agent = await controlOf(product);
    const { attempt } = await ask(product, ["run", "Paint it", "--agent", "painter"]);
    const open = (more: Record<string, unknown> = {}) =>
      agent.call("open_pull_request", { attempt: attempt.id, ...more });

    const red = await open();
    expect(errorOf(red)).toMatchObject({ code: "check_failed", retriable: false });
    expect(textOf(red)).toContain("colour");
    const left = [github.pulls, await world.headOf(attempt.branch), await world.pushes()];
    expect(left).toEqual([[], null, []]);

    await agent.call("continue_attempt", { attempt: attempt.id, instruction: "Paint it blue" });
    expect(dataOf(await agent.call("wait_for", { id: attempt.id, timeout_s: 120 }))).toMatchObject({
      state: "ended",
    });
    github.status = 403;
    expect(errorOf(await open())).toMatchObject({ code: "forge_forbidden" });
    github.status = null;
    const asked = { title: "Paint", body: "By an agent", draft: true, idempotency_key: "once" };
    const opened = dataOf(await open(asked));
    const head = await world.headOf(attempt.branch);
    expect(opened).toMatchObject({
      pull_request: { number: 1, state: "open", head: attempt.branch, base: "main", draft: true },
    });
    expect(github.pulls).toMatchObject([{ title: "Paint", body: "By an agent", head: attempt.branch }]);
    expect(dataOf(await open(asked))).toEqual(opened);
    // Without words of its own, those of a person stay; the draft is one no more.
    await colleague(world).edits(1, { title: "Paint it blue, please" });
    expect(dataOf(await open())).toMatchObject({ pull_request: { number: 1, draft: false } });
    expect(github.pulls).toMatchObject([{ number: 1, title: "Paint it blue, please", draft: false }]);

    const merged = dataOf(await agent.call("merge_attempt", { attempt: attempt.id }));
    expect(merged).toMatchObject({ merge: { target: "main", by: "forge" } });
    expect(github.pulls).toMatchObject([{ merged: true, state: "closed" }]);
    expect(await product.sandbox.git(world.bare, ["show", "main:paint.txt"])).toContain("blue");
    const ancestors = await product.sandbox.git(world.bare, ["rev-list", "main"]);
    expect(ancestors.split("\n")).toContain(head ?? "");
  },
);

test("the agent of an attempt cannot steer, and the toolkit's own limits do not go with it", async () => {
  await using own = await startProduct();
  const inside = await own.tazuna(["mcp", "--control", "--json"], { env: { TAZUNA_ATTEMPT: "x" } });
  expect([inside.code, inside.json<{ error: { code: string } }>().error.code]).toEqual([2, "inside_attempt"]);
  const nowhere = await own.tazuna(["mcp", "--control", "--json", "--workspace", "/nowhere"]);
  expect([nowhere.code, nowhere.json<{ error: { code: string } }>().error.code]).toEqual([
    2,
    "no_such_folder",
  ]);
  const narrowed = await own.tazuna(["mcp", "--control", "--json", "--read-only"]);
  expect(narrowed.code).toBe(2);
  expect(await own.enginePid()).toBe(null);
});
