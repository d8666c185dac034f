import { expect, test } from "bun:test";
import { leftOutBy } from "../../../src/domain/publish/left-out.ts";
import { messageFor } from "../../../src/domain/pull-request/ship-draft.ts";

test("a typed message is meant for the next commit alone", () => {
  const message = { text: "Mine", after: "r1" };
  const r1 = { id: "r1", commit: "c1" };
  expect([
    messageFor({ message }, [r1, { id: "r2", commit: null }]),
    messageFor({ message }, [r1, { id: "r2", commit: "c2" }]),
    messageFor({ message: { text: "First", after: null } }, []),
    messageFor({ message: null }, [r1]),
  ]).toEqual(["Mine", null, "First", null]);
});

test("a file is left out until it is let in, and may be left out again", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const out = { path: "a", by: null, at };
  const runs = [
    {
      options: {
        leaveOut: [
          { ...out, takenIn: at },
          { ...out, path: "b" },
        ],
      },
    },
    { options: {} },
    { options: { leaveOut: [{ ...out, path: "b", by: "Ada" }] } },
  ];
  expect(leftOutBy(runs)).toEqual([{ path: "b", by: "Ada", at }]);
});
