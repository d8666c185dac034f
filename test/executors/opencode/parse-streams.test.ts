import { describe, expect, test } from "bun:test";
import { opencode } from "../../../src/executors/opencode/index.ts";
import { believed, linesOf, play, stderrOf, streamsOf } from "../../helpers/agent-streams.ts";
import { CASES } from "./streams.ts";

describe("the parser of opencode, on captured streams", () => {
  test("every stream has a case", () => {
    expect(Object.keys(CASES).sort()).toEqual([...streamsOf("opencode")]);
  });

  for (const [name, { exit, ...options }] of Object.entries(CASES))
    test(`tells ${name} as it was checked by hand`, () => {
      const played = play(opencode, linesOf("opencode", name), {
        ...options,
        exit: { stderr: stderrOf("opencode", name), ...exit },
      });
      expect(played).toEqual([...believed("opencode", name)]);
    });
});
