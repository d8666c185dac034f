import { expect, setDefaultTimeout, test } from "bun:test";
import { stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const LIMIT = 300 * 1024;
const env = { TAZUNA_OUTPUT_LIMITS: JSON.stringify({ outBytes: LIMIT, errBytes: LIMIT }) };

test(
  deep("an agent that prints far too much ends as any other: its log lacks the middle, and says so"),
  async () => {
    await using product = await startProduct({ env });
    await product.agent(
      "loud-out",
      "echo kept > kept.txt; yes 'on and on' | head -c 40000000; echo 'The kept file is there.'",
    );
    const { code, run } = await ask(product, ["run", "Change it", "--agent", "loud-out"]);
    expect({ code, ...ending(run) }).toEqual({
      code: 0,
      status: "SUCCEEDED",
      outcome: "pushed",
    });
    expect(run.summary).toBe("The kept file is there.");
    expect(run.notes).toEqual([
      {
        code: "log_cut",
        message: "The agent printed too much to keep: its log lacks 38 MiB.",
        details: { cut_bytes: expect.any(Number) },
      },
    ]);
    expect((await stat(join(product.home, "runs", run.id, "out.jsonl"))).size).toBeLessThanOrEqual(LIMIT);
    const log = await product.tazuna(["logs", run.id]);
    const lines = log.stdout.split("\n").map((line) => line.trim());
    const begins = lines.findIndex((line) => line.includes("… [cut: the agent printed more than is kept"));
    expect(lines[begins - 2]).toContain("on and on");
    expect(lines[begins - 1]).toMatch(/^\(\d+ times more\)$/);
    expect(lines[begins + 1]).toMatch(/… \[cut: \d+ lines, \d+ bytes up to here\]/);
    expect(lines.slice(begins + 2).some((line) => line.includes("The kept file is there."))).toBe(true);
  },
);

test("an agent that prints much on stderr works on, and what it said last tells why it failed", async () => {
  await using product = await startProduct({ env });
  await product.agent("loud", "seq 1 200000 >&2; echo 'no more ideas' >&2; exit 3");
  const { run } = await ask(product, ["run", "Change it", "--agent", "loud"]);
  expect(ending(run)).toMatchObject({ status: "FAILED", failure: "agent_failed" });
  expect(run.notes.map(({ code }) => code)).toEqual(["log_cut"]);
  expect(run.failure?.message).toContain("no more ideas");
  expect((await stat(join(product.home, "runs", run.id, "err.log"))).size).toBeLessThanOrEqual(LIMIT);
});

/** Over ACP: tells much, asks often and waits for each answer, and says at last what it did. */
const ACP_AGENT = `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const tell = (text, messageId) =>
  say({
    method: "session/update",
    params: { update: { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } } },
  });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await lines.next()).value);
const hear = async (result) => say({ id: (await next()).id, result });
await hear({ protocolVersion: 1, agentCapabilities: {} });
await hear({ sessionId: "s1" });
const prompt = await next();
for (let n = 0; n < 10000; n += 1) tell("on and on ".repeat(20), "m" + n);
for (let n = 0; n < 1000; n += 1) {
  say({ id: "q" + n, method: "fs/read_text_file", params: { path: "x" } });
  const answer = await next();
  if (answer.id !== "q" + n || !answer.error) throw new Error(JSON.stringify(answer));
}
writeFileSync("new.txt", "new\\n");
tell("The new file ", "last");
tell("is there.", "last");
say({ id: prompt.id, result: { stopReason: "end_turn" } });
await lines.next();
`;

test("an agent that speaks a protocol is answered, and heard to its end, when its log is full", async () => {
  await using product = await startProduct({ env });
  const program = join(dirname(product.home), "agent.mjs");
  await writeFile(program, ACP_AGENT);
  await product.configure({ agents: { talker: { executor: "acp", command: [process.execPath, program] } } });
  const { code, run } = await ask(product, ["run", "Change it", "--agent", "talker"]);
  expect({ code, ...ending(run), summary: run.summary }).toEqual({
    code: 0,
    status: "SUCCEEDED",
    outcome: "pushed",
    summary: "The new file is there.",
  });
  expect((await stat(join(product.home, "runs", run.id, "out.jsonl"))).size).toBeLessThanOrEqual(LIMIT);
});
