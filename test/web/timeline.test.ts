/** Holds what a timeline makes of a log: whole messages, calls with results, folded groups, bounded memory. */
import { describe, expect, test } from "bun:test";
import type { LogLine } from "../../src/contract/endpoints/runs.ts";
import {
  type LogWindow,
  lacksEnd,
  linesBefore,
  withNewer,
  withNext,
  withOlder,
} from "../../web/src/features/timeline/log/log-window.ts";
import { tellLog } from "../../web/src/features/timeline/log/tell-log.ts";

const WORKTREE = "/data/worktrees/run_1";
const line = (n: number, event: Record<string, unknown>, source: LogLine["source"] = "agent"): LogLine => ({
  n,
  at: null,
  source,
  event,
});
const call = (n: number, id: string, title: string, toolKind = "read") =>
  line(n, { kind: "tool_call", id, tool: "t", toolKind, title, locations: [] });
const update = (n: number, id: string, status = "completed", output: string | null = null) =>
  line(n, { kind: "tool_call_update", id, status, output });
const say = (n: number, text: string, delta = false) => line(n, { kind: "message", text, delta });
const tell = (lines: readonly LogLine[], options: { isLive?: boolean; talkOnly?: boolean } = {}) =>
  tellLog(lines, { worktree: WORKTREE, isLive: false, talkOnly: false, ...options });

/** `count` calls that went well. */
const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    call(index * 2 + 1, `c${index}`, `Read ${index}.ts`),
    update(index * 2 + 2, `c${index}`),
  ]).flat();

describe("a log that is told", () => {
  test("pieces of a message become one, and terminal escapes are gone", () => {
    const told = tell([say(1, "I \u001b[31mread"), say(2, " on.", true), say(3, "Next.")]);
    expect(told).toEqual([
      { kind: "message", n: 1, text: "I read on." },
      { kind: "message", n: 3, text: "Next." },
    ]);
  });

  test("a call stands once, with its later title, its result, and paths from the top of the worktree", () => {
    const told = tell([
      call(1, "a", "Edit"),
      call(2, "a", `Edit ${WORKTREE}/src/a.ts`, "edit"),
      update(3, "a", "failed", "no such text"),
    ]);
    expect(told).toEqual([
      {
        kind: "tool",
        n: 1,
        tool: "edit",
        title: "Edit src/a.ts",
        state: "failed",
        output: "no such text",
        took: null,
      },
    ]);
  });

  test("a call has its time, and a group the time in which at least one of its calls ran", () => {
    const at = (ms: number) => new Date(ms).toISOString();
    const ended = (n: number, id: string, end: number, durationMs: number): LogLine => ({
      ...line(n, { kind: "tool_call_update", id, status: "completed", output: null, durationMs }),
      at: at(end),
    });
    const begun = ["a", "b", "c", "d"].map((id, index) => call(index + 1, id, `Read ${id}`));
    // Three at the same time, then one.
    const ends = [ended(5, "a", 2000, 1000), ended(6, "b", 2500, 1000), ended(7, "c", 2200, 100)];
    expect(tell([...begun, ...ends, ended(8, "d", 9000, 400)])).toMatchObject([{ kind: "group", ms: 1900 }]);
    expect(tell([...begun, ...ends, update(8, "d")])).toMatchObject([{ kind: "group", ms: null }]);
    expect(tell([call(1, "a", "Read a"), ended(2, "a", 2000, 1000)])).toMatchObject([
      { kind: "tool", took: { ms: 1000, until: 2000 } },
    ]);
  });

  test("quiet calls in a row are folded; a failed one stays open and parts them", () => {
    const lines = [...calls(5), call(11, "x", "bun test", "execute"), update(12, "x", "failed", "1 fail")];
    expect(tell(lines).map(({ kind }) => kind)).toEqual(["group", "tool"]);
    expect(tell(calls(3)).map(({ kind }) => kind)).toEqual(["tool", "tool", "tool"]);
  });

  test("groups end at the same lines, whichever piece of the log is held", () => {
    const lines = calls(500);
    const begins = (piece: typeof lines) => tell(piece).map(({ n }) => n);
    const whole = begins(lines);
    expect(whole.length).toBeGreaterThan(4);
    expect(begins(lines.slice(300)).slice(1)).toEqual(whole.filter((n) => n > 400));
  });

  test("the last calls of a working run are not folded", () => {
    const told = tell(calls(14), { isLive: true });
    expect(told.map(({ kind }) => kind)).toEqual(["group", ...Array(8).fill("tool")]);
  });

  test("a call that a rule refused is denied, whatever its result says", () => {
    const options = [{ id: "no", name: "Reject", kind: "reject_once" }];
    const told = tell([
      call(1, "a", "git push", "execute"),
      line(2, { kind: "permission", id: "a", title: "git push", options, chosen: "no" }),
      update(3, "a", "failed"),
    ]);
    expect(told).toMatchObject([{ kind: "tool", state: "denied" }]);
  });

  test("the newest plan replaces the one before, and the call that wrote it is not told", () => {
    const plan = (n: number, status: string) =>
      line(n, { kind: "plan", entries: [{ content: "Read", status }] });
    const told = tell([
      call(1, "p", "Plan", "think"),
      plan(2, "pending"),
      say(3, "So."),
      plan(4, "completed"),
    ]);
    expect(told).toEqual([
      { kind: "plan", n: 2, entries: [{ content: "Read", status: "completed" }] },
      { kind: "message", n: 3, text: "So." },
    ]);
  });

  test("a script has its command, its output, its time and whether it ended well", () => {
    const step = (n: number, at: string, text: string): LogLine => ({
      ...line(n, { step: "setup", text }, "tazuna"),
      at,
    });
    const told = tell([
      step(1, "2026-01-01T00:00:00.000Z", "$ npm ci"),
      step(2, "2026-01-01T00:00:04.100Z", "212 packages\nended well"),
    ]);
    expect(told).toMatchObject([{ kind: "script", command: "npm ci", ms: 4100, isGood: true }]);
  });

  test("talk has the words alone", () => {
    const lines = [say(1, "Words."), ...calls(2).map((each) => ({ ...each, n: each.n + 1 }))];
    expect(tell(lines, { talkOnly: true }).map(({ kind }) => kind)).toEqual(["message"]);
  });

  test("lines of a newer server that are not known here say nothing", () => {
    expect(tell([line(1, { kind: "hologram" }), line(2, {})])).toEqual([]);
  });
});

describe("the window on a long log", () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => say(from + index, "x"));
  const at = (from: number, to: number): LogWindow => ({
    lines: lines(from, to),
    isAtEnd: true,
    isOver: false,
  });
  const ends = ({ lines: held }: LogWindow) => [held[0]?.n, held.at(-1)?.n];

  test("lines that come twice are held once", () => {
    expect(ends(withNewer(at(1, 5), lines(4, 8), { isFollowed: true }))).toEqual([1, 8]);
    expect(withNewer(at(1, 5), lines(4, 8), { isFollowed: true }).lines).toHaveLength(8);
  });

  test("after a hole in what comes, it goes on from its own end", () => {
    const held = withNewer(at(1, 5), lines(8, 9), { isFollowed: true });
    expect([ends(held), held.isAtEnd]).toEqual([[1, 5], false]);
  });

  test("the end of a run that ended before its last lines came is still to be read", () => {
    const ended = { ended_at: "2026-01-01T00:00:00.000Z" };
    expect(lacksEnd(at(1, 5), ended)).toBe(true);
    expect(lacksEnd(at(1, 5), { ended_at: null })).toBe(false);
    expect(lacksEnd({ ...at(1, 5), isOver: true }, ended)).toBe(false);
    expect(lacksEnd({ ...at(1, 5), isAtEnd: false }, ended)).toBe(false);
    expect(lacksEnd(null, ended)).toBe(false);
  });

  test("while it is followed, the oldest lines go, and it stays bounded", () => {
    let held = at(1, 1000);
    for (let n = 1000; n < 100_000; n += 500) {
      held = withNewer(held, lines(n + 1, n + 500), { isFollowed: true });
      expect(held.lines.length).toBeLessThanOrEqual(2000);
    }
    expect(held.lines.at(-1)?.n).toBe(100_000);
    expect(linesBefore(held)).toBe(100_000 - held.lines.length);
  });

  test("while a person reads further up, it stops at its end and keeps what is read", () => {
    const held = withNewer(at(1, 1900), lines(1901, 2200), { isFollowed: false });
    expect(ends(held)).toEqual([1, 1900]);
    expect(held.isAtEnd).toBe(false);
    expect(withNewer(held, lines(2201, 2300), { isFollowed: true })).toBe(held);
  });

  test("older pages push the newest lines out, and newer pages bring them back", () => {
    const older = withOlder(at(5001, 6000), lines(4001, 5000));
    expect(ends(older)).toEqual([4001, 5500]);
    expect(older.isAtEnd).toBe(false);
    const newer = withNext(older, { lines: lines(5501, 6000), isLast: true, isOver: true });
    expect(ends(newer)).toEqual([4501, 6000]);
    expect(newer).toMatchObject({ isAtEnd: true, isOver: true });
  });
});
