import { describe, expect, test } from "bun:test";
import { gemini } from "../../../src/executors/gemini/index.ts";
import { believed, linesOf, play, stderrOf, streamsOf } from "../../helpers/agent-streams.ts";
import { CASES } from "./streams.ts";

describe("the parser of the Gemini CLI, on captured streams", () => {
  test("every stream has a case", () => {
    expect(Object.keys(CASES).sort()).toEqual([...streamsOf("gemini")]);
  });

  for (const [name, { exit, ...options }] of Object.entries(CASES))
    test(`tells ${name} as it was checked by hand`, () => {
      const played = play(gemini, linesOf("gemini", name), {
        ...options,
        exit: { stderr: stderrOf("gemini", name), ...exit },
      });
      expect(played).toEqual([...believed("gemini", name)]);
    });

  const counted = (stats: object) => {
    const lines = [
      { type: "init", session_id: "s", model: "gemini-2.5-pro" },
      { type: "result", status: "success", stats },
    ];
    const parser = gemini.parser({ request: null, previous: null });
    const [usage] = lines.flatMap((line) => parser.feed(JSON.stringify(line))).slice(1);
    return usage?.kind === "usage" ? usage.usage.costUsd : undefined;
  };
  const tokens = { input_tokens: 1_000_000, output_tokens: 100_000, total_tokens: 1_100_000, cached: 0 };

  test("the cost is the sum of its models, and none if one of them has no known price", () => {
    const models = { "gemini-2.5-pro": tokens, "gemini-2.5-flash": tokens };
    expect(counted({ ...tokens, models })).toBeCloseTo(1.25 + 1 + 0.3 + 0.25, 9);
    expect(counted({ ...tokens, models: { ...models, "some-model": tokens } })).toBeNull();
  });

  test("without numbers of each model, all are taken for the one that the session began with", () => {
    expect(counted(tokens)).toBeCloseTo(2.25, 9);
    expect(counted({ ...tokens, models: {} })).toBeCloseTo(2.25, 9);
  });
});
