/** Tells that no process of an agent outlives its keeper's sweep, wherever it moved and whatever its environment is. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  appendInput,
  endInput,
  readKeeperState,
  requestStop,
  stopOrphanedAgent,
} from "../../src/keeper/control.ts";
import { parseStat } from "../../src/utils/process-tables/process-table-linux.ts";
import { type KeptRun, startKeeper } from "../helpers/keeper.ts";
import { LINUX, PERL } from "../helpers/need.ts";
import { PATH } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

/** A time to sleep that no other process uses. */
const uniqueTime = () => `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;

/** Leaves its parent, its session, its environment and its output, and ignores what can be ignored. */
const ghost = (time: string) =>
  `(setsid env -i "PATH=$PATH" sh -c 'trap "" HUP INT TERM; (setsid sleep ${time} &) ; sleep ${time}' </dev/null >/dev/null 2>&1 &)`;

async function sleeping(time: string): Promise<number> {
  let found = 0;
  for (const pid of await readdir("/proc")) {
    const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
    if (line === `sleep\0${time}\0`) found++;
  }
  return found;
}

const up = (time: string, count: number) =>
  waitFor("all to sleep", async () => (await sleeping(time)) === count);

describe.skipIf(LINUX.missing)(`what leaves its session and wipes its environment${LINUX.why}`, () => {
  test("is stopped when its agent ends by itself (promise 4.4)", async () => {
    const time = uniqueTime();
    await using kept = await startKeeper({
      argv: ["sh", "-c", `${ghost(time)}; ${ghost(time)}; read line; exit 3`],
      spec: { stdin: "lines" },
    });
    await up(time, 4);
    await tell(kept, "end");
    const exit = await kept.exit();
    expect(exit).toMatchObject({ code: 3, reason: "exited", left: [] });
    expect(Number(exit?.stoppedBackground)).toBeGreaterThanOrEqual(4);
    expect(await sleeping(time)).toBe(0);
  });

  test("is stopped with its agent", async () => {
    const time = uniqueTime();
    await using kept = await startKeeper({
      argv: ["sh", "-c", `trap "" HUP INT TERM; ${ghost(time)}; while :; do sleep ${time}; done`],
    });
    await up(time, 3);
    await requestStop(kept.dir, { graceMs: 100 });
    expect(await kept.exit()).toMatchObject({ reason: "stopped", left: [] });
    expect(await sleeping(time)).toBe(0);
  });

  test("leaves no zombie behind while its agent works on", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "for n in 1 2 3 4 5 6 7 8 9; do (setsid env -i true &); done; echo up; read line"],
      spec: { stdin: "lines" },
    });
    await waitFor("the agent", async () => (await kept.read("out").catch(() => "")) === "up\n");
    await waitFor("no child of the keeper but the agent", async () => {
      const children = await childrenOf(kept.keeperPid);
      return children.length === 1 && children[0]?.alive;
    });
    await tell(kept, "end");
    expect(await kept.exit()).toMatchObject({ code: 0, stoppedBackground: 0 });
  });
});

describe.skipIf(LINUX.missing)(`an agent whose keeper was killed${LINUX.why}`, () => {
  test("is stopped with all below it, though nothing of it carries the mark of the run", async () => {
    const time = uniqueTime();
    await using kept = await startKeeper({
      argv: ["env", "-i", `PATH=${PATH}`, "sh", "-c", `setsid sleep ${time} & sleep ${time}`],
    });
    await up(time, 2);
    await waitFor("its number", async () => (await readKeeperState(kept.dir)).keeper?.agentPid);
    process.kill(kept.keeperPid, "SIGKILL");
    expect(await kept.ending()).toEqual({ kind: "keeper_died" });
    expect([await kept.left(), await sleeping(time)]).toEqual([[], 2]);
    await stopOrphanedAgent(kept.dir, { run: kept.run, graceMs: 100 });
    expect(await sleeping(time)).toBe(0);
  });
});

describe.skipIf(LINUX.missing)(`what forks without end${LINUX.why}`, () => {
  /**
   * Each starts the next one in a session of its own, without any environment, says so and ends. That goes on while
   * the file exists.
   */
  const comets = (width: number, beats: string) =>
    `use POSIX qw(setsid); $SIG{$_}="IGNORE" for qw(TERM HUP INT); %ENV=();
     open STDOUT,">/dev/null"; open STDERR,">/dev/null"; open STDIN,"</dev/null"; open BEATS,">>","${beats}";
     for (1..${width}) { next if fork; while (1) { setsid; syswrite BEATS,"x"; exit if fork or not -e "${beats}" } }`;

  test.skipIf(PERL.missing)(
    `and is gone before it can be looked for is stopped in the end${PERL.why} (promise 4.4)`,
    async () => {
      await using folder = await tempDir();
      for (const width of [1, 5]) {
        const beats = join(folder.path, `beats-${width}`);
        const size = async () => (await stat(beats).catch(() => null))?.size ?? 0;
        await using kept = await startKeeper({
          argv: ["sh", "-c", `perl -e '${comets(width, beats)}'; read line; exit 3`],
          spec: { stdin: "lines" },
        });
        await waitFor("many of them", async () => (await size()) > 500);
        await tell(kept, "end");
        expect(await kept.exit()).toMatchObject({ code: 3, reason: "exited", left: [] });
        await nothingWrites(beats, await size());
      }
    },
  );
});

/** A living process would have written in far less time. */
async function nothingWrites(path: string, size: number): Promise<void> {
  for (let look = 0; look < 20; look++) {
    await Bun.sleep(10);
    expect((await stat(path)).size).toBe(size);
  }
}

async function tell(kept: KeptRun, line: string): Promise<void> {
  await appendInput(kept.dir, line);
  await endInput(kept.dir);
}

async function childrenOf(parent: number) {
  const found = [];
  for (const pid of await readdir("/proc")) {
    const stat = /^\d+$/.test(pid)
      ? await readFile(join("/proc", pid, "stat"), "latin1").catch(() => null)
      : null;
    const entry = stat === null ? null : parseStat(stat);
    if (entry?.parent === parent) found.push(entry);
  }
  return found;
}
