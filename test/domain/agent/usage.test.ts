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

  test("is all of it in a first run, and if the counters began anew", () => {
    const all = { ...totals, costEstimated: false };
    expect(usageSince(totals, null)).toEqual(all);
    expect(usageSince(totals, { ...totals, inputTokens: 101, costUsd: 0.6 })).toEqual(all);
  });

  test("costs nothing if no cost was named", () => {
    expect([costSince(null, 1), costSince(1, null), costSince(1, 2), costSince(3, 1)]).toEqual([
      null,
      1,
      1,
      2,
    ]);
    expect(addUsage(NO_USAGE, NO_USAGE).costUsd).toBeNull();
    expect(addUsage({ ...NO_USAGE, costUsd: 1 }, NO_USAGE)).toEqual({ ...NO_USAGE, costUsd: 1 });
  });

  test("is an estimate if a part that used tokens named no cost", () => {
    const used = { ...NO_USAGE, outputTokens: 5 };
    const told = { ...used, costUsd: 1 };
    for (const [a, b] of [
      [used, told],
      [told, used],
    ] as const)
      expect(addUsage(a, b)).toEqual({ ...told, outputTokens: 10, costEstimated: true });
    expect(addUsage(used, used)).toEqual({ ...used, outputTokens: 10 });
    expect(addUsage(told, told)).toMatchObject({ costUsd: 2, costEstimated: false });
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

  test("of a dated snapshot or a preview is that of its model, and nothing was used for nothing", () => {
    const pro = estimateCost("gemini-2.5-pro", tokens);
    for (const name of ["gemini-2.5-pro-preview-05-06", "models/gemini-2.5-pro", "gemini-2.5-pro-latest"])
      expect([name, estimateCost(name, tokens)]).toEqual([name, pro]);
    expect(estimateCost("gpt-5.4-2026-03-05", tokens)).toBe(estimateCost("gpt-5.4", tokens));
    expect(estimateCost("gpt-5.4-nano", tokens)).toBeNull();
    expect(estimateCost("gpt-99", { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 })).toBe(0);
  });

  test("never pays back for more cached tokens than there are", () => {
    expect(estimateCost("gpt-5.5", { inputTokens: 10, cachedInputTokens: 99, outputTokens: 0 })).toBeCloseTo(
      0.000005,
      12,
    );
  });
});
