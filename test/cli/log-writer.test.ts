/** Holds how the end of a call is told in `tazuna logs`. */
import { expect, test } from "bun:test";
import { createLogWriter } from "../../src/cli/view/log-writer.ts";

test("a call says how long it took if that is worth a word, behind its answer", () => {
  let written = "";
  const output = {
    write: (text: string) => {
      written += text;
    },
  };
  const writer = createLogWriter(output as unknown as Parameters<typeof createLogWriter>[0]);
  const ends: readonly (readonly [status: string, answer: string | null, durationMs?: number])[] = [
    ["completed", "one\n\ntwo", 999],
    ["completed", "three", 62_000],
    ["completed", null, 8_400],
    ["failed", "no", 1_000],
    ["failed", null, 2_000],
    ["failed", "at once"],
    ["in_progress", null],
  ];
  for (const [n, [status, answer, durationMs]] of ends.entries())
    writer.line({
      n,
      at: null,
      source: "agent",
      event: { kind: "tool_call_update", id: "a", status, output: answer, durationMs },
    });
  expect(written.split("\n")).toEqual([
    ...["  one", "", "  two"],
    ...["  three", "  took 1m 02s"],
    "  took 8s",
    ...["  failed after 1s:", "  no"],
    "  failed after 2s",
    ...["  failed:", "  at once"],
    "",
  ]);
});
