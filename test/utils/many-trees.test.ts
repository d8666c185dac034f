import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exec } from "../../src/utils/exec.ts";
import type { ProcessEntry, ProcessSource } from "../../src/utils/process-tables/process-table.ts";
import { createSharedTable } from "../../src/utils/process-tables/system-process-table.ts";
import type { Child } from "../../src/utils/processes/child.ts";
import { findTree, stopTree } from "../../src/utils/processes/kill-tree.ts";
import { tendProcess } from "../../src/utils/processes/running-process.ts";
import { LINUX } from "../helpers/need.ts";
import { taggedEnv } from "../helpers/programs.ts";
import { deep } from "../helpers/tier.ts";

// Real processes on a busy machine.
setDefaultTimeout(240_000);

const MANY = 400;
/**
 * Looking for a tree takes two readings, stopping it four. There may be a few more readings, but not for each tree.
 */
const FEW_READINGS = 12;
/** Beyond every number that a system gives out. */
const FIRST_PID = 5_000_000;
const ALL = Array.from({ length: MANY }, (_, index) => FIRST_PID + 2 * index);
const markOf = (pid: number) => ({ name: "RUN", value: String(pid) });

/**
 * Each program has one child in a session of its own that carries its mark. `count` tells how often all were read.
 */
function countedTable(options: { readonly newPids?: readonly number[] } = {}) {
  const living = new Set(ALL.flatMap((pid) => [pid, pid + 1]));
  const count = { list: 0, carriers: 0, find: 0 };
  const entry = (pid: number): ProcessEntry => {
    return { pid, parent: 1, group: pid, session: pid, startTime: `t${pid}`, alive: true };
  };
  const source: ProcessSource = {
    list: async () => {
      count.list += 1;
      return [...living].map(entry);
    },
    carriers: async (_, pids) => {
      count.carriers += 1;
      const children = pids.filter((pid) => pid % 2 === 1 && living.has(pid));
      return new Map(children.map((pid) => [String(pid - 1), new Set([pid])]));
    },
    find: async (pid) => (living.has(pid) ? entry(pid) : null),
    startedAfter: () => options.newPids ?? null,
    signal: async (pids) => {
      for (const pid of pids) living.delete(pid);
    },
    bootId: async () => "boot",
  };
  return { table: createSharedTable(source), living, count };
}

/** A program that has ended without a word. */
function endedChild(pid: number): Child {
  const ended = Promise.resolve({ code: 0, signal: null });
  return { pid, stdin: null, stdout: null, stderr: null, ended, unref: () => {} };
}

async function finishAll(table: ReturnType<typeof countedTable>["table"]) {
  const reader = () => {};
  const finish = async (pid: number) => {
    const options = { table, marker: markOf(pid), onStdout: reader, onStderr: reader };
    const program = tendProcess(endedChild(pid), options);
    await program.exited;
    return (await program.finish({ graceMs: 1000 })).stopped;
  };
  return Promise.all(ALL.map(finish));
}

describe("hundreds at once read the process table a few times, not each for itself", () => {
  test("when their trees are looked for", async () => {
    const { table, count } = countedTable();
    const root = (pid: number) => ({ root: { pid, ended: () => false }, marker: markOf(pid) });
    const found = await Promise.all(ALL.map((pid) => findTree(root(pid), table)));
    expect(found.map((tree) => tree.map(({ pid }) => pid))).toEqual(ALL.map((pid) => [pid, pid + 1]));
    expect([count.list, count.carriers]).toEqual([1, 1]);
  });

  test("when their trees are stopped", async () => {
    const { table, living, count } = countedTable();
    const stop = (pid: number) =>
      stopTree({ root: { pid, ended: () => false }, marker: markOf(pid) }, { graceMs: 1000 }, table);
    const stopped = await Promise.all(ALL.map(stop));
    expect(stopped).toEqual(ALL.map((pid) => ({ stopped: [pid, pid + 1], left: [] })));
    expect([living.size, count.list <= FEW_READINGS, count.carriers <= FEW_READINGS]).toEqual([
      0,
      true,
      true,
    ]);
  });

  test("when they have ended, and the numbers given out since cannot be told", async () => {
    const { table, living, count } = countedTable();
    for (const pid of ALL) living.delete(pid);
    expect(await finishAll(table)).toEqual(ALL.map((pid) => [pid + 1]));
    expect([living.size, count.list <= FEW_READINGS, count.carriers <= FEW_READINGS]).toEqual([
      0,
      true,
      true,
    ]);
  });

  test("when they have ended, and hundreds of others were started since", async () => {
    const newPids = ALL.map((pid) => pid + 1);
    const { table, living, count } = countedTable({ newPids });
    for (const pid of ALL) living.delete(pid);
    expect(await finishAll(table)).toEqual(ALL.map((pid) => [pid + 1]));
    expect([living.size, count.list <= FEW_READINGS, count.carriers <= FEW_READINGS]).toEqual([
      0,
      true,
      true,
    ]);
  });
});

test("no call is answered by a reading that began before it", async () => {
  const { promise: slow, resolve: finishSlow } = Promise.withResolvers<void>();
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const [old, born] = [FIRST_PID, FIRST_PID + 1].map((pid) => {
    return { pid, parent: 1, group: pid, session: pid, startTime: "t", alive: true };
  }) as [ProcessEntry, ProcessEntry];
  let readings = 0;
  const table = createSharedTable({
    list: async () => {
      readings += 1;
      if (readings > 1) return [old, born];
      hasBegun();
      await slow;
      return [old];
    },
    carriers: async () => new Map(),
    find: async () => null,
    startedAfter: () => null,
    signal: async () => {},
    bootId: async () => "boot",
  });
  const together = [table.takeSnapshot(), table.takeSnapshot()];
  await begun;
  const after = await table.takeSnapshot();
  finishSlow();
  const [first, second] = await Promise.all(together);
  expect([first === second, first?.find(born.pid), after.find(born.pid)]).toEqual([true, undefined, born]);
  expect(readings).toBe(2);
});

describe.skipIf(LINUX.missing)(`many real programs at once${LINUX.why}`, () => {
  const FIFTY = Array.from({ length: 50 }, (_, index) => index);
  const run = (script: string, env: Record<string, string | undefined>, index: number, timeoutMs: number) =>
    exec(["sh", "-c", script], {
      cwd: "/",
      env,
      timeoutMs,
      graceMs: 200,
      marker: { name: "TAZUNA_MANY", value: `${process.pid}-${index}` },
    });

  test("that leave a process behind in a session of its own have not timed out, and none is left", async () => {
    await using tagged = taggedEnv();
    const script = "setsid sleep 300 >/dev/null 2>&1 & sleep 1.1; echo done";
    const results = await Promise.all(FIFTY.map((index) => run(script, tagged.env, index, 100_000)));
    const told = results.map((result) => result.started && [result.timedOut, result.code, result.stdout]);
    expect(told).toEqual(FIFTY.map(() => [false, 0, "done\n"]));
    expect(results.map((result) => result.started && result.stoppedBackground)).toEqual(FIFTY.map(() => 1));
    expect(await tagged.left()).toEqual([]);
  });

  test(deep("that reach their time limit are all stopped, with what ignores TERM"), async () => {
    await using tagged = taggedEnv();
    const script = "trap '' TERM; sleep 300 & setsid sleep 300 & sleep 300";
    const results = await Promise.all(FIFTY.map((index) => run(script, tagged.env, index, 2000)));
    expect(results.map((result) => result.started && result.timedOut)).toEqual(FIFTY.map(() => true));
    expect(await tagged.left()).toEqual([]);
  });
});
