import { expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codex } from "../../src/executors/codex/index.ts";
import { createPriceUsage, sessionTotals } from "../../src/services/runs/agent/price-usage.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const THREAD = "019a0000-1111-7222-8333-444455556666";
const OTHER = "019a0000-1111-7222-8333-999999999999";
const USAGE = {
  inputTokens: 2_000_000,
  cachedInputTokens: 1_000_000,
  outputTokens: 100_000,
  costUsd: null,
  costEstimated: false,
};

const turn = (model: unknown) => JSON.stringify({ type: "turn_context", payload: { model } });
const said = JSON.stringify({ type: "response_item", payload: { text: '"turn_context" {"model":"gpt-5"}' } });

/** A folder of Codex with these files below `sessions`. */
async function codexHome(files: Readonly<Record<string, string>>) {
  const folder = await tempDir();
  const sessions = codex.sessions?.folder({ CODEX_HOME: folder.path, HOME: "/nowhere" }) ?? "";
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(sessions, "2026", "05", name.slice(0, 2)), { recursive: true });
    await writeFile(join(sessions, "2026", "05", name), content);
  }
  const price = createPriceUsage(codex, { sessions });
  return { sessions, price, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("what Codex used is estimated by the model of the newest turn in its session's file", async () => {
  await using home = await codexHome({
    [`03/rollout-2026-05-03T10-00-00-${OTHER}.jsonl`]: `${turn("gpt-5.5")}\n`,
    [`02/rollout-2026-05-02T10-00-00-${THREAD}.jsonl`]: [
      turn("gpt-5.5"),
      said,
      turn("gpt-5.4-mini"),
      said,
      "{ half a li",
    ].join("\n"),
  });
  // 1M fresh, 1M cached, 0.1M out of gpt-5.4-mini.
  expect(await home.price(USAGE, THREAD)).toEqual({
    ...USAGE,
    costUsd: expect.closeTo(0.75 + 0.075 + 0.45, 6),
    costEstimated: true,
  });
});

test("without a file, a known model or a valid id there is no cost, and a told cost stays", async () => {
  await using home = await codexHome({
    [`02/rollout-x-${THREAD}.jsonl`]: `${turn("some-model")}\n${turn(7)}\n`,
  });
  const outside = join(home.sessions, "..", `rollout-x-${OTHER}.jsonl`);
  await writeFile(outside, `${turn("gpt-5")}\n`);
  await symlink(outside, join(home.sessions, `rollout-x-${OTHER}.jsonl`));
  for (const session of [THREAD, OTHER, "../../x", "", null])
    expect([session, await home.price(USAGE, session)]).toEqual([session, USAGE]);
  const told = { ...USAGE, costUsd: 2 };
  expect(await home.price(told, THREAD)).toEqual(told);
});

test("the counters of a session are the newest of its file, and none if it has none", async () => {
  const count = (info: unknown) =>
    JSON.stringify({ type: "event_msg", payload: { type: "token_count", info } });
  const usage = (input_tokens: number) => ({
    total_token_usage: { input_tokens, cached_input_tokens: 3, output_tokens: 4, total_tokens: 99 },
  });
  await using home = await codexHome({
    [`02/rollout-x-${THREAD}.jsonl`]: [count(usage(1)), count(usage(2)), count(null), said].join("\n"),
    [`02/rollout-x-${OTHER}.jsonl`]: [count(null), said, "{ half a li"].join("\n"),
  });
  const { sessions } = home;
  expect(await sessionTotals([codex, { sessions }], THREAD)).toEqual({
    inputTokens: 2,
    cachedInputTokens: 3,
    outputTokens: 4,
    costUsd: null,
  });
  expect(await sessionTotals([codex, { sessions }], OTHER)).toBeNull();
});
