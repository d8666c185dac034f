import { describe, expect, test } from "bun:test";
import { claudeCode } from "../../../src/executors/claude-code/index.ts";
import { believed, linesOf, play, stderrOf, streamsOf } from "../../helpers/agent-streams.ts";
import { CASES } from "./streams.ts";

describe("the parser of Claude Code, on captured streams", () => {
  test("every stream has a case", () => {
    expect(Object.keys(CASES).sort()).toEqual([...streamsOf("claude")]);
  });

  for (const [name, { exit, ...options }] of Object.entries(CASES))
    test(`seed 003 Phase 2 and Related files: a stream gives events, success, summary and session, as checked by hand: ${name}`, () => {
      const played = play(claudeCode, linesOf("claude", name), {
        ...options,
        exit: { stderr: stderrOf("claude", name), ...exit },
      });
      expect(played).toEqual([...believed("claude", name)]);
    });
});
