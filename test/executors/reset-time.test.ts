import { describe, expect, test } from "bun:test";
import { resetTime, timeOfEpoch } from "../../src/executors/shared/reset-time.ts";

const NOW = "2026-11-21T21:00:30.000Z";

describe("the end of a rate limit, read from words", () => {
  const table: readonly (readonly [string, string])[] = [
    ["Claude AI usage limit reached|1795302000", "2026-11-21T23:00:00.000Z"],
    [
      '{"type":"usage_limit_reached","resets_at":1795302000,"resets_in_seconds":60}',
      "2026-11-21T23:00:00.000Z",
    ],
    ['{"resets_in_seconds": 3600}', "2026-11-21T22:00:30.000Z"],
    ["You've hit your usage limit, or try again in 5 days 22 hours 11 minutes.", "2026-11-27T19:11:30.000Z"],
    ["Please try again in 20s.", "2026-11-21T21:00:50.000Z"],
    ["Rate limit reached. Try again in 1.5 seconds", "2026-11-21T21:00:31.500Z"],
    ["try again in 250ms", "2026-11-21T21:00:30.250Z"],
    ["You exceeded your current quota. Please retry in 34.07s.", "2026-11-21T21:01:04.070Z"],
    ['"retryDelay":"34s"', "2026-11-21T21:01:04.000Z"],
    ["retry-after: 90", "2026-11-21T21:02:00.000Z"],
    ["Please retry after 5 minutes", "2026-11-21T21:05:30.000Z"],
    ["You've hit your limit · resets 2pm (Asia/Shanghai)", "2026-11-22T06:00:00.000Z"],
    ["You've hit your limit · resets 11:30pm (Europe/Berlin)", "2026-11-21T22:30:00.000Z"],
    ["resets 12am (UTC)", "2026-11-22T00:00:00.000Z"],
    ["resets 9pm (UTC)", "2026-11-22T21:00:00.000Z"],
  ];

  for (const [message, at] of table)
    test(`finds it in: ${message}`, () => {
      expect(resetTime(message, NOW)).toBe(at);
    });

  test("a time of day and a date without a zone are this machine's", () => {
    const local = new Date(NOW);
    local.setHours(23, 45, 0, 0);
    if (local.getTime() <= Date.parse(NOW)) local.setDate(local.getDate() + 1);
    expect(resetTime("or try again at 11:45 PM.", NOW)).toBe(local.toISOString());
    const dated = new Date("Nov 24, 2026 7:38 AM").toISOString();
    expect(resetTime("or try again at Nov 24th, 2026 7:38 AM.", NOW)).toBe(dated);
    expect(resetTime("or try again at Nov 24, 2026, 7:38 AM.", NOW)).toBe(dated);
  });

  const nothing = [
    "exceeded retry limit, last status: 429 Too Many Requests",
    "The model is overloaded. Please try again later.",
    "usage limit reached|1695302000",
    "resets 25pm (UTC)",
    "resets 3pm (Nowhere/Atall)",
    "try again in 99999999 days",
    "",
    "try again in ",
    `try again in ${"9".repeat(400)} s`,
  ];
  for (const message of nothing)
    test(`says nothing for: ${message.slice(0, 60)}`, () => {
      expect(resetTime(message, NOW)).toBeNull();
    });

  test("takes no time that is not one", () => {
    expect(resetTime("try again in 20s", "no time")).toBeNull();
    expect([
      timeOfEpoch(1795302000),
      timeOfEpoch("1795302000"),
      timeOfEpoch(17),
      timeOfEpoch(Number.NaN),
    ]).toEqual(["2026-11-21T23:00:00.000Z", null, null, null]);
  });
});
