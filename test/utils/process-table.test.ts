import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { snapshotOf } from "../../src/utils/process-tables/process-snapshot.ts";
import type { ProcessEntry, ProcessSource } from "../../src/utils/process-tables/process-table.ts";
import { createLinuxTable, parseStat } from "../../src/utils/process-tables/process-table-linux.ts";
import { createPsTable, parsePs } from "../../src/utils/process-tables/process-table-ps.ts";
import {
  createWindowsTable,
  parseWindowsList,
} from "../../src/utils/process-tables/process-table-windows.ts";
import {
  createSharedTable,
  createSystemProcessTable,
} from "../../src/utils/process-tables/system-process-table.ts";
import { stopTree } from "../../src/utils/processes/kill-tree.ts";
import { LINUX } from "../helpers/need.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

describe("Linux", () => {
  const stat = (name: string, state: string, threads = 1) =>
    `4321 (${name}) ${state} 1234 4300 4200 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 ${threads} 0 987654 1 1 1`;

  test("reads a line of stat, whatever the program is called", () => {
    const entry = { pid: 4321, parent: 1234, group: 4300, session: 4200, startTime: "987654", alive: true };
    for (const name of ["sh", "a b", ") Z 1 1 1 (", "tab\tline\nfeed", "(((("])
      expect(parseStat(stat(name, "S"))).toEqual(entry);
  });

  test("takes a zombie for dead, but not a leader whose threads work on", () => {
    expect([parseStat(stat("x", "Z"))?.alive, parseStat(stat("x", "Z", 3))?.alive]).toEqual([false, true]);
    expect(parseStat(stat("x", "X"))?.alive).toBe(false);
  });

  test("refuses what is no such line", () => {
    expect([parseStat(""), parseStat("12 (x"), parseStat("12 (x) S 1")]).toEqual([null, null, null]);
  });

  test("names the newer pids one by one when hundreds of programs were started at once", async () => {
    await using proc = await tempDir();
    await writeFile(join(proc.path, "loadavg"), "8.75 7.07 7.69 3/512 3000\n");
    const table = createLinuxTable(proc.path);
    expect(table.startedAfter(1000)).toEqual(Array.from({ length: 2000 }, (_, index) => 1001 + index));
    expect([table.startedAfter(3000), table.startedAfter(3001)]).toEqual([[], null]);
    await writeFile(join(proc.path, "loadavg"), "8.75 7.07 7.69 3/512 30000\n");
    expect(table.startedAfter(1000)).toBeNull();
  });

  test.skipIf(LINUX.missing)(`finds this process and its parent in the list${LINUX.why}`, async () => {
    const table = createLinuxTable();
    const self = (await table.list()).find(({ pid }) => pid === process.pid);
    expect(self).toEqual(await table.find(process.pid).then((entry) => entry ?? undefined));
    expect([self?.parent, self?.alive]).toEqual([process.ppid, true]);
    expect(await table.bootId()).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("macOS (its tools' output is written down, not run)", () => {
  const PS = `    1     0     1 Ss   Mon Jan  5 09:00:00 2026
  501     1   501 S+   Mon Jan  5 09:01:02 2026    
  502   501   501 Z    Mon Jan  5 09:01:03 2026
`;

  test("reads the lines of ps", () => {
    expect(parsePs(PS).slice(1)).toEqual([
      { pid: 501, parent: 1, group: 501, session: null, startTime: "Mon Jan 5 09:01:02 2026", alive: true },
      {
        pid: 502,
        parent: 501,
        group: 501,
        session: null,
        startTime: "Mon Jan 5 09:01:03 2026",
        alive: false,
      },
    ]);
  });

  test("finds the marker in the environment that ps shows, and only whole", async () => {
    const table = createPsTable(async (argv) =>
      argv.includes("-axEww") ? "  501 sleep 5 A=b RUN=1 C=d\n  502 sleep 5 RUN=12\n  503 sleep 5 RUN=1" : PS,
    );
    const carriers = await table.carriers("RUN", [501, 502]);
    expect([...carriers]).toEqual([
      ["1", new Set([501])],
      ["12", new Set([502])],
    ]);
    expect([(await table.find(501))?.group, await table.find(999)]).toEqual([501, null]);
  });
});

describe("Windows (its tools' output is written down, not run)", () => {
  const LIST = "4 0 133800000000000000\r\n4321 1234 133801416000000000\r\n\r\n";

  test("reads the list of processes", () => {
    expect(parseWindowsList(LIST)[1]).toEqual({
      pid: 4321,
      parent: 1234,
      group: null,
      session: null,
      startTime: "133801416000000000",
      alive: true,
    });
  });

  test("seed 001 §5 and §11: stops a tree by taskkill /T /F (its rule; not run on Windows)", async () => {
    const calls: (readonly string[])[] = [];
    const table = createWindowsTable(async (argv) => {
      calls.push(argv);
      return "";
    });
    await table.signal([4321], "SIGTERM");
    await table.signal([], "SIGKILL");
    await table.signal([4321, 4322], "SIGKILL");
    expect(calls).toEqual([["taskkill.exe", "/T", "/F", "/PID", "4321", "/PID", "4322"]]);
  });
});

test("the table is chosen by the platform", async () => {
  const asked: string[] = [];
  const run = async (argv: readonly string[]) => {
    asked.push(argv[0] ?? "");
    return "";
  };
  await createSystemProcessTable("darwin", run).takeSnapshot();
  await createSystemProcessTable("win32", run).takeSnapshot();
  await createSystemProcessTable("linux", run).bootId();
  expect(asked).toEqual(["ps", "powershell.exe"]);
});

const entry = (pid: number, parent: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent,
  group: pid,
  session: pid,
  startTime: `t${pid}`,
  alive: true,
  ...more,
});

const membersOf = (entries: readonly ProcessEntry[], ours: readonly number[]) =>
  snapshotOf(entries, async () => new Map()).membersOf(ours);

describe("a tree", () => {
  test("holds descendants, and orphans of groups and sessions that one of them led", () => {
    const others = [entry(100, 1), entry(101, 100), entry(1, 0)];
    const ours = [
      entry(50, 1),
      entry(51, 50),
      entry(52, 51),
      entry(60, 1, { group: 50 }),
      entry(61, 1, { session: 52 }),
      entry(62, 61),
    ];
    expect(membersOf([...ours.toReversed(), ...others], [50]).map(({ pid }) => pid)).toEqual([
      62, 61, 60, 52, 51, 50,
    ]);
  });

  test("never holds this process, those that it descends from, or process 1", () => {
    const entries = [
      entry(1, 0),
      entry(70, 1),
      entry(process.pid, 70, { group: 70, session: 70 }),
      entry(80, process.pid),
    ];
    expect(membersOf(entries, [1, 70, process.pid])).toEqual([]);
    expect(membersOf(entries, [80]).map(({ pid }) => pid)).toEqual([80]);
  });
});

/** A table in which processes die by the signals that `dies` names. */
function fakeTable(processes: ProcessEntry[], dies: (pid: number, signal: string) => boolean) {
  const sent: string[] = [];
  const source: ProcessSource = {
    list: async () => [...processes],
    find: async (pid) => processes.find((known) => known.pid === pid) ?? null,
    carriers: async () => new Map(),
    startedAfter: () => null,
    signal: async (pids, signal) => {
      for (const pid of pids) {
        sent.push(`${signal} ${pid}`);
        const at = processes.findIndex((known) => known.pid === pid && dies(pid, signal));
        if (at >= 0) processes.splice(at, 1);
      }
    },
    bootId: async () => "boot",
  };
  return { table: createSharedTable(source), sent };
}

describe("stopping a tree", () => {
  const root = (ended: boolean) => ({ root: { pid: 50, ended: () => ended }, marker: null });

  test("sends no KILL if TERM was enough", async () => {
    const { table, sent } = fakeTable([entry(50, 1), entry(51, 50)], () => true);
    expect(await stopTree(root(false), { graceMs: 1000 }, table)).toEqual({ stopped: [50, 51], left: [] });
    expect(sent).toEqual(["SIGTERM 50", "SIGTERM 51"]);
  });

  test(deep("freezes before it kills, and tells what lives on"), async () => {
    const { table, sent } = fakeTable(
      [entry(50, 1), entry(51, 50)],
      (pid, signal) => pid === 50 && signal === "SIGKILL",
    );
    expect(await stopTree(root(false), { graceMs: 10 }, table)).toEqual({ stopped: [50], left: [51] });
    expect(sent.slice(0, 7)).toEqual([
      "SIGTERM 50",
      "SIGTERM 51",
      "SIGSTOP 50",
      "SIGSTOP 51",
      "SIGKILL -50",
      "SIGKILL 50",
      "SIGKILL 51",
    ]);
  });

  test("leaves a stranger alone that got the number of a root that has ended", async () => {
    const { table, sent } = fakeTable([entry(50, 1), entry(51, 50)], () => true);
    expect(await stopTree(root(true), { graceMs: 1000 }, table)).toEqual({ stopped: [], left: [] });
    expect(sent).toEqual([]);
  });

  test("asks politely also those that appear in the grace time", async () => {
    const processes = [entry(50, 1)];
    const { table, sent } = fakeTable(processes, (pid, signal) => {
      if (pid === 50) processes.push(entry(52, 1, { session: 50 }));
      return signal === "SIGTERM";
    });
    expect(await stopTree(root(false), { graceMs: 1000 }, table)).toEqual({ stopped: [50, 52], left: [] });
    expect(sent).toEqual(["SIGTERM 50", "SIGTERM 52"]);
  });
});
