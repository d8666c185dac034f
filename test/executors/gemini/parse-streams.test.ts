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
});
