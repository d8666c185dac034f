import { describe, expect, test } from "bun:test";
import { estimateCost } from "../../../src/domain/agent/prices.ts";
import { addUsage, costSince, NO_USAGE, usageSince } from "../../../src/domain/agent/usage.ts";

const totals = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, costUsd: 0.5 };

describe("what a run used", () => {
  test("is the difference to the session's earlier counters", () => {
    const previous = { inputTokens: 60, cachedInputTokens: 40, outputTokens: 4, costUsd: 0.25 };
    expect(usageSince(totals, previous)).toEqual({
      inputTokens: 40,
      cachedInputTokens: 0,
      outputTokens: 6,
      costUsd: 0.25,
      costEstimated: false,
    });
  });

  test("is all of it in a first run, and where the counters began anew", () => {
    const all = { ...totals, costEstimated: false };
    expect(usageSince(totals, null)).toEqual(all);
    expect(usageSince(totals, { ...totals, inputTokens: 101, costUsd: 0.6 })).toEqual(all);
  });

  test("costs nothing that nobody named", () => {
    expect([costSince(null, 1), costSince(1, null), costSince(1, 2), costSince(3, 1)]).toEqual([
      null,
      1,
      1,
      2,
    ]);
    expect(addUsage(NO_USAGE, NO_USAGE).costUsd).toBeNull();
    expect(addUsage({ ...NO_USAGE, costUsd: 1 }, NO_USAGE).costUsd).toBe(1);
  });
});

describe("the estimate of a cost", () => {
  const tokens = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };

  test("counts cached input at its own price", () => {
    expect(estimateCost("gpt-5.5", tokens)).toBeCloseTo(0.6 * 5 + 0.4 * 0.5 + 0.1 * 30, 9);
    expect(estimateCost("gemini-2.5-pro", tokens)).toBeCloseTo(0.6 * 1.25 + 0.4 * 0.125 + 0.1 * 10, 9);
  });

  test("is none for a model that the table does not know", () => {
    for (const model of ["gpt-99", "constructor", "", null]) expect(estimateCost(model, tokens)).toBeNull();
  });

  test("never pays back for more cached tokens than there are", () => {
    expect(estimateCost("gpt-5.5", { inputTokens: 10, cachedInputTokens: 99, outputTokens: 0 })).toBeCloseTo(
      0.000005,
      12,
    );
  });
});
