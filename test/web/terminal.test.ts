/** Holds what a page sends to a terminal: keys in their order, one request at a time, and nothing after its end. */
import { expect, test } from "bun:test";
import { err, ok } from "neverthrow";
import type { ApiError } from "../../src/contract/problem.ts";
import { connectTerminal, type TerminalEnd } from "../../web/src/features/terminal/connect-terminal.ts";
import { leavesTerminal } from "../../web/src/features/terminal/leave-key.ts";

const SIZE = { columns: 80, rows: 24 };
const FULL: ApiError = { kind: "conflict", code: "too_many_terminals", message: "", remedy: "", details: {} };

/** A server that answers when it is told to. */
function server(open: () => unknown = () => ok({ id: "t1" })) {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let endShell = () => {};
  const later = (what: string, answer: unknown) =>
    new Promise<never>((resolve) => {
      asked.push(what);
      waiting.push(() => resolve(answer as never));
    });
  const api = {
    openTerminal: (attempt: string) => later(`open ${attempt}`, open()),
    followTerminal: (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((resolve) => {
        signal.addEventListener("abort", () => resolve({ reason: "aborted", lastId: "" } as never));
        endShell = () => resolve({ reason: "ended", lastId: "" } as never);
      }),
    typeInTerminal: (_: string, { data }: { data: string }) => later(`type ${data}`, ok({ id: "t1" })),
    resizeTerminal: (_: string, { columns }: { columns: number }) =>
      later(`size ${columns}`, ok({ id: "t1" })),
    closeTerminal: (id: string) => later(`close ${id}`, ok({ id })),
  };
  const answer = async () => {
    waiting.shift()?.();
    await Bun.sleep(0);
  };
  const ends: TerminalEnd[] = [];
  const connection = connectTerminal({
    api,
    attempt: "a1",
    size: SIZE,
    onOutput: () => undefined,
    onEnd: (end) => ends.push(end),
  });
  return { asked, answer, ends, connection, endShell: () => endShell() };
}

test("keys go one request after the other, together if the one before still works", async () => {
  const { asked, answer, connection } = server();
  connection.type("l");
  expect(asked).toEqual(["open a1"]);
  await answer();
  connection.type("s");
  connection.type("\r");
  connection.resize({ columns: 90, rows: 9 });
  connection.resize({ columns: 100, rows: 9 });
  expect(asked.slice(1)).toEqual(["type l"]);
  await answer();
  await answer();
  expect(asked.slice(1)).toEqual(["type l", "size 100", "type s\r"]);
});

test("a long paste goes in parts, and no character is cut in two", async () => {
  const { asked, answer, connection } = server();
  const pasted = `${"x".repeat(59_999)}\u{1f40e}end`;
  connection.type(pasted);
  await answer();
  await answer();
  const parts = asked.slice(1).map((each) => each.slice("type ".length));
  expect(parts.map(({ length }) => length)).toEqual([59_999, 5]);
  expect(parts.join("")).toBe(pasted);
});

test("a terminal that is closed before it is there is ended, and tells nothing", async () => {
  const { asked, answer, ends, connection } = server();
  connection.close();
  connection.type("late");
  await answer();
  await answer();
  expect([asked, ends]).toEqual([["open a1", "close t1"], []]);
});

test("a refusal is told", async () => {
  const { answer, ends } = server(() => err(FULL));
  await answer();
  expect(ends).toEqual([{ kind: "problem", problem: FULL }]);
});

test("once the shell has ended, no key is sent", async () => {
  const { asked, answer, ends, connection, endShell } = server();
  await answer();
  endShell();
  await Bun.sleep(0);
  connection.type("x");
  connection.resize({ columns: 90, rows: 9 });
  expect([asked, ends]).toEqual([["open a1"], [{ kind: "ended" }]]);
});

test("Ctrl and the backquote leave it on every keyboard", () => {
  const pressed = (code: string, key: string, held: object = { ctrlKey: true }) =>
    leavesTerminal({ code, key, ctrlKey: false, altKey: false, metaKey: false, ...held });
  expect(pressed("Backquote", "`")).toBe(true);
  // The sign of a Japanese keyboard, with Shift; a German one has a dead key at the place.
  expect(pressed("BracketLeft", "`")).toBe(true);
  expect(pressed("Backquote", "Dead")).toBe(true);
  expect([pressed("KeyC", "c"), pressed("Backquote", "`", {})]).toEqual([false, false]);
});
