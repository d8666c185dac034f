/** Holds which open terminals a caller from another machine can reach. */
import { expect, test } from "bun:test";
import type { OpenTerminal } from "../../src/services/core/open-terminal.ts";
import { findTerminal } from "../../src/services/terminals/open-terminal.ts";

test("a caller from another machine reaches only what was opened from another machine", () => {
  const terminal = (outside: boolean): OpenTerminal => ({
    ...{ attemptId: "a1", outside },
    write: async () => {},
    resize: async () => {},
    read: () => ({ next: async () => ({ kind: "nothing" }), leave: () => {} }),
    end: async () => {},
  });
  const terminals = new Map(Object.entries({ here: terminal(false), away: terminal(true) }));
  const codeOf = (id: string, outside: boolean) =>
    findTerminal({ terminals }, { id, outside }).match(
      () => "found",
      ({ code }) => code,
    );
  expect(["here", "away"].map((id) => codeOf(id, false))).toEqual(["found", "found"]);
  expect(["here", "away"].map((id) => codeOf(id, true))).toEqual(["no_such_terminal", "found"]);
});
