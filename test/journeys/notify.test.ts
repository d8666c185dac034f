/** Listens as the webhook of a person's settings: it hears what needs the person, and holds up no run. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Notification } from "../../src/domain/notification/need.ts";
import { askingAgent } from "../helpers/asking-agent.ts";
import { ask, ending, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const INSTALL = "npm install left-pad";
const SECRET = "TEAM_HOOK_KEY";

interface Heard {
  readonly body: Notification;
  readonly text: string;
  readonly signature: string | null;
}

/** A server that answers with these codes, one after another, then with 204. */
function listener(codes: readonly number[] = []) {
  const heard: Heard[] = [];
  const left = [...codes];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const text = await request.text();
      heard.push({ text, body: JSON.parse(text), signature: request.headers.get("tazuna-signature") });
      return new Response(null, { status: left.shift() ?? 204 });
    },
  });
  return {
    webhook: `http://127.0.0.1:${server.port}/hook`,
    heard,
    /** Resolves to that one, counted from 1. */
    nth: (count: number) =>
      waitFor(`notification ${count}`, () => heard[count - 1] ?? null, { withinMs: 120_000 }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function doctor(product: Product): Promise<string> {
  return (await product.tazuna(["doctor", "--json"])).stdout;
}

test(deep("a question, a failed run and a commit that is held are told, signed, and each once"), async () => {
  await using hook = listener();
  await using product = await startProduct({ env: { [SECRET]: "s3cret" } });
  const agent = await askingAgent(product);
  await product.agent("broken", `echo "key: $${SECRET}" > env.txt; exit 3`);
  await product.agent("doer", `echo "key: $${SECRET}" > env.txt`);
  await product.configure({ notify: { webhook: hook.webhook, webhook_secret_env: SECRET } });
  const asking = await agent.begin(`ask ${INSTALL}`);
  const first = await hook.nth(1);
  const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  expect(first.body).toEqual({
    event: "question",
    at: expect.any(String),
    reason: "agent asks to be allowed something.",
    task: asking.document.task.id,
    attempt: asking.attempt.id,
    run: asking.run.id,
    url: `${url}/attempts/${asking.attempt.id}`,
  });
  expect(first.signature).toBe(`sha256=${createHmac("sha256", "s3cret").update(first.text).digest("hex")}`);
  await ask(product, ["answer", asking.run.id, "--deny"]);
  await ask(product, ["wait", asking.run.id]);
  const failed = await ask(product, ["run", "x", "--agent", "broken"]);
  expect((await hook.nth(2)).body).toMatchObject({ event: "failed", run: failed.run.id });
  const held = await ask(product, ["run", "x", "--agent", "doer"], { env: { TAZUNA_PUBLISH: "hold" } });
  expect((await hook.nth(3)).body).toMatchObject({ event: "held", run: held.run.id });
  expect(await readFile(join(held.attempt.worktree, "env.txt"), "utf8")).toBe("key: \n");
  const pushed = await ask(product, ["run", "x", "--agent", "doer"]);
  expect(ending(pushed.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  await product.tazuna(["engine", "restart"]);
  await ask(product, ["run", "x", "--agent", "broken"]);
  await hook.nth(4);
  expect(hook.heard.map(({ body }) => body.event)).toEqual(["question", "failed", "held", "failed"]);
});

test(deep("what the address refuses is tried again three times, and then told by doctor"), async () => {
  await using hook = listener([500, 302, 503, 500, 500]);
  await using product = await startProduct({ timing: { notifyMs: [10, 10, 10] } });
  await product.agent("broken", "exit 3");
  await product.configure({ notify: { webhook: hook.webhook } });
  const { run } = await ask(product, ["run", "x", "--agent", "broken"]);
  await hook.nth(4);
  await waitFor("doctor to tell", async () => (await doctor(product)).includes("it answered 500"));
  expect(hook.heard.map(({ body }) => body.run)).toEqual([run.id, run.id, run.id, run.id]);
  expect(hook.heard[0]?.signature).toBeNull();
  await ask(product, ["run", "y", "--agent", "broken"]);
  await hook.nth(6);
  await waitFor("doctor to be content", async () => !(await doctor(product)).includes("notification"));
});

test("an engine that is killed before it could tell leaves it to the next one", async () => {
  await using hook = listener([500]);
  await using product = await startProduct({ timing: { notifyMs: [3_600_000] } });
  await product.agent("broken", "exit 3");
  await product.configure({ notify: { webhook: hook.webhook } });
  const { run } = await ask(product, ["run", "x", "--agent", "broken"]);
  await hook.nth(1);
  await product.killEngine();
  await product.tazuna(["list"]);
  expect((await hook.nth(2)).body.run).toBe(run.id);
});

test("without the variable of the secret nothing is sent, and an address in the repository is not used", async () => {
  await using hook = listener();
  await using product = await startProduct();
  await product.agent("broken", "exit 3");
  await product.configure({ notify: { webhook: hook.webhook, webhook_secret_env: "NOT_SET" } });
  await ask(product, ["run", "x", "--agent", "broken"]);
  await waitFor("doctor to tell", async () =>
    (await doctor(product)).includes("the variable NOT_SET is not set"),
  );
  await product.configure({});
  await Bun.write(
    join(product.repository, ".tazuna/config.json"),
    JSON.stringify({ notify: { webhook: hook.webhook } }),
  );
  const end = await ask(product, ["run", "x", "--agent", "broken"]);
  expect(ending(end.run)).toMatchObject({ status: "FAILED" });
  expect(hook.heard).toEqual([]);
});

test(
  deep("a failed run is told although follow-ups wait behind it, and a reviewer by its own name"),
  async () => {
    await using hook = listener();
    await using product = await startProduct();
    await using barrier = gate(product, "notify");
    await product.agent("broken", `${barrier.wait}; exit 3`);
    await product.agent("doer", "echo one > one.txt");
    await product.agent("critic", "exit 3");
    await product.configure({ notify: { webhook: hook.webhook } });
    const { attempt, run } = await ask(product, ["run", "x", "--agent", "broken", "--detach"]);
    await barrier.reached();
    await ask(product, ["continue", attempt.id, "Then this", "--detach"]);
    await barrier.open();
    expect((await hook.nth(1)).body).toMatchObject({ event: "failed", run: run.id });
    const done = await ask(product, ["run", "y", "--agent", "doer"]);
    await product.tazuna(["review", done.attempt.id, "--agent", "critic"]);
    expect((await hook.nth(2)).body).toMatchObject({
      attempt: done.attempt.id,
      reason: "The run of critic failed: agent_failed.",
    });
  },
);
