import { expect, test } from "bun:test";
import { acpUsage } from "../../../src/executors/acp/usage.ts";

const turn = (input: number) => ({ usage: { inputTokens: input, outputTokens: 1 } });

test("a turn that reports no cost leaves what the session has cost, so the next turn is not billed for all of it", () => {
  const first = acpUsage(turn(10), 0.5, null);
  const second = acpUsage(turn(20), null, first.totals);
  const third = acpUsage(turn(30), 0.8, second.totals);
  expect(second.totals).toMatchObject({ inputTokens: 30, costUsd: 0.5 });
  expect(third.usage?.costUsd).toBeCloseTo(0.3);
  expect(third.totals).toMatchObject({ inputTokens: 60, costUsd: 0.8 });
});
