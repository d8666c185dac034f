import { describe, expect, test } from "bun:test";
import { believed, streamsOf } from "../../helpers/agent-streams.ts";
import { agentLines, conversation, PREVIOUS, parserOf, recorded } from "./streams.ts";

describe("the conversation over ACP, on captured streams", () => {
  for (const name of streamsOf("acp"))
    test(`tells and answers ${name} as it was checked by hand`, () => {
      expect(conversation(name, PREVIOUS[name] ?? null)).toEqual([...believed("acp", name)]);
    });

  for (const name of streamsOf("acp"))
    test(`says in ${name} only what follows from the lines so far, whatever the cut`, () => {
      const lines = agentLines(name);
      const whole = parserOf(name, null);
      const growing: (readonly string[])[] = [whole.replies?.() ?? []];
      for (const line of lines) {
        whole.feed(line);
        growing.push(whole.replies?.() ?? []);
      }
      for (const [cut] of growing.entries()) {
        const restarted = parserOf(name, null);
        for (const line of lines.slice(0, cut)) restarted.feed(line);
        expect(restarted.replies?.()).toEqual([...(growing[cut] ?? [])]);
        // What was written before the restart is a beginning of what belongs there now.
        const before = growing[Math.max(cut - 1, 0)] ?? [];
        expect(restarted.replies?.().slice(0, before.length)).toEqual([...before]);
      }
    });

  for (const name of streamsOf("acp"))
    test(`calls the turn of ${name} over with the prompt's answer, not before`, () => {
      const parser = parserOf(name, null);
      const lines = agentLines(name);
      const over = lines.map((line) => {
        parser.feed(line);
        return parser.turnEnded?.();
      });
      expect(over).toEqual(lines.map((_, at) => at === lines.length - 1));
    });

  test("asks for the same methods in the same order as the client that was recorded", () => {
    const methods = recorded("claude-agent-acp-success-edit").flatMap(({ dir, msg }) =>
      dir === ">" ? [msg.method ?? "(answer)"] : [],
    );
    const parser = parserOf("claude-agent-acp-success-edit", null);
    for (const line of agentLines("claude-agent-acp-success-edit")) parser.feed(line);
    const ours = (parser.replies?.() ?? []).map((line) => JSON.parse(line).method ?? "(answer)");
    expect(ours).toEqual(methods);
  });
});
