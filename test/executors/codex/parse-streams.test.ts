import { describe, expect, test } from "bun:test";
import { codex } from "../../../src/executors/codex/index.ts";
import { believed, linesOf, play, stderrOf, streamsOf } from "../../helpers/agent-streams.ts";
import { CASES } from "./streams.ts";

describe("the parser of Codex, on captured streams", () => {
  test("every stream has a case", () => {
    expect(Object.keys(CASES).sort()).toEqual([...streamsOf("codex")]);
  });

  for (const [name, { exit, ...options }] of Object.entries(CASES))
    test(`tells ${name} as it was checked by hand`, () => {
      const played = play(codex, linesOf("codex", name), {
        ...options,
        exit: { stderr: stderrOf("codex", name), ...exit },
      });
      expect(played).toEqual([...believed("codex", name)]);
    });
});
