import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appendInput, endInput, readKeeperState, waitForExit, writeSpec } from "../../src/keeper/control.ts";
import { KEEPER_FILES, RUN_MARKER } from "../../src/keeper/files.ts";
import { exec, startProcess } from "../../src/utils/exec.ts";
import { identify, isAlive, stopMarked } from "../../src/utils/programs/process-identity.ts";
import { keeperArgv, specOf, startKeeper } from "../helpers/keeper.ts";
import { LINUX } from "../helpers/need.ts";
import { PATH, program } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

describe.skipIf(LINUX.missing)(`when the server dies${LINUX.why}`, () => {
  /** A run's folder and what a server would hand to `startDetached`. */
  async function prepared(dir: string) {
    const run = randomUUID();
    await writeSpec(dir, specOf(run, { argv: ["cat"], spec: { stdin: "lines" } }), { prompt: null });
    const log = join(dir, KEEPER_FILES.log);
    return { run, start: { argv: keeperArgv(run, dir), cwd: dir, stdoutFile: log, stderrFile: log } };
  }

  for (const death of ["ends", "is killed with its whole group"]) {
    test(`and ${death}, the keeper and its agent work on`, async () => {
      await using folder = await tempDir();
      const { run, start } = await prepared(folder.path);
      const hang = death !== "ends";
      const server = await startProcess(
        [process.execPath, program("start-keeper.ts"), JSON.stringify({ ...start, hang })],
        { cwd: "/", env: { PATH }, onStdout: () => {}, onStderr: () => {} },
      );
      if (!server.started) throw new Error(server.error.message);
      await waitFor("the agent", async () => (await readKeeperState(folder.path)).keeper?.agentPid);
      if (hang) process.kill(-server.process.pid, "SIGKILL");
      await server.process.exited;
      await appendInput(folder.path, "after the death of the server");
      await endInput(folder.path);
      expect(await waitForExit(folder.path)).toMatchObject({
        kind: "exited",
        exit: { code: 0, reason: "exited" },
      });
      const out = Bun.file(join(folder.path, KEEPER_FILES.out));
      expect(await out.text()).toBe("after the death of the server\n");
      await stopMarked({ name: RUN_MARKER, value: run }, { graceMs: 0 });
    });
  }
});

describe.skipIf(LINUX.missing)(`when the keeper is killed${LINUX.why}`, () => {
  test("its agent is found by the mark of the run and stopped, whatever it did", async () => {
    await using kept = await startKeeper({ argv: [program("escape-session.sh")] });
    await waitFor("the whole tree", async () => (await kept.left()).length >= 3);
    await waitFor("its number", async () => (await readKeeperState(kept.dir)).keeper?.agentPid);
    const waiting = kept.ending();
    process.kill(kept.keeperPid, "SIGKILL");
    expect(await waiting).toEqual({ kind: "keeper_died" });
    const { keeper, alive, exit } = await readKeeperState(kept.dir);
    expect([keeper?.pid, alive, exit]).toEqual([kept.keeperPid, false, null]);
    expect((await kept.left()).length).toBeGreaterThan(0);
    const { left } = await stopMarked({ name: RUN_MARKER, value: kept.run }, { graceMs: 200 });
    expect(left).toEqual([]);
    expect(await kept.left()).toEqual([]);
  });

  test("the lines that it had read are on the disk", async () => {
    await using kept = await startKeeper({ argv: ["sh", "-c", "seq 1 1000; sleep 300"] });
    await waitFor("the lines", async () => (await kept.read("out").catch(() => "")).endsWith("\n1000\n"));
    process.kill(kept.keeperPid, "SIGKILL");
    expect(await kept.ending()).toEqual({ kind: "keeper_died" });
    expect((await kept.read("out")).split("\n").length).toBe(1001);
  });

  test("at any instant of its start, there is never an agent without keeper.json", async () => {
    for (const afterMs of [0, 20, 40, 60, 80, 100, 120, 140, 160, 200, 250]) {
      await using kept = await startKeeper({ argv: ["sleep", "300"] });
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      process.kill(kept.keeperPid, "SIGKILL");
      await waitFor("its death", async () => {
        const { keeper, alive } = await readKeeperState(kept.dir);
        return keeper === null || !alive;
      });
      const { keeper } = await readKeeperState(kept.dir);
      const agents = (await kept.left()).filter((pid) => pid !== kept.keeperPid);
      if (agents.length > 0) expect(keeper?.pid).toBe(kept.keeperPid);
      expect((await stopMarked({ name: RUN_MARKER, value: kept.run }, { graceMs: 0 })).left).toEqual([]);
    }
  });
});

test.skipIf(LINUX.missing)(
  `a keeper whose folder was deleted still stops its agent when told${LINUX.why}`,
  async () => {
    await using kept = await startKeeper({ argv: [program("ignore-term.sh")] });
    await waitFor("the agent", async () => (await kept.read("out").catch(() => "")) !== "");
    await waitFor("its number", async () => (await readKeeperState(kept.dir)).keeper?.agentPid);
    await rm(kept.dir, { recursive: true, force: true, maxRetries: 5 });
    process.kill(kept.keeperPid, "SIGTERM");
    await waitFor("nobody to be left", async () => (await kept.left()).length === 0);
    await waitFor("the keeper to be gone", async () => (await identify(kept.keeperPid)) === null);
  },
);

describe("waiting for the end", () => {
  test("gives a keeper that never starts its time, then counts it as dead", async () => {
    await using dir = await tempDir();
    expect(await waitForExit(dir.path, { startMs: 50, pollMs: 10 })).toEqual({ kind: "keeper_died" });
  });

  test("can be called off", async () => {
    await using dir = await tempDir();
    const stop = new AbortController();
    const waiting = waitForExit(dir.path, { signal: stop.signal });
    stop.abort();
    expect(await waiting).toEqual({ kind: "canceled" });
  });

  test("sees at once that a keeper of another boot, or with a reused number, is dead", async () => {
    await using dir = await tempDir();
    const { keeper: self } = await keeperRecordOfThisProcess();
    for (const stranger of [
      { ...self, bootId: "earlier" },
      { ...self, startTime: "1" },
    ]) {
      await writeFile(join(dir.path, KEEPER_FILES.keeper), JSON.stringify(stranger));
      expect(await waitForExit(dir.path)).toEqual({ kind: "keeper_died" });
    }
  });

  async function keeperRecordOfThisProcess() {
    const identity = await identify(process.pid);
    if (!identity) throw new Error("this process was not found");
    expect(await isAlive(identity)).toBe(true);
    return { keeper: { ...identity, agentPid: null, agentStartTime: null } };
  }

  test("takes damaged files for missing ones", async () => {
    await using dir = await tempDir();
    for (const name of [KEEPER_FILES.spec, KEEPER_FILES.keeper, KEEPER_FILES.exit])
      await writeFile(join(dir.path, name), '{"pid":');
    expect(await readKeeperState(dir.path)).toEqual({ spec: null, keeper: null, exit: null, alive: false });
  });
});

/** Mounts a tiny file system; null if that is not allowed. */
async function tinyDisk(path: string): Promise<AsyncDisposable | null> {
  await mkdir(path, { recursive: true });
  const run = (argv: readonly string[]) => exec(argv, { cwd: "/", env: { PATH }, timeoutMs: 10_000 });
  const mounted = await run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", path]);
  if (!mounted.started || mounted.code !== 0) return null;
  return {
    [Symbol.asyncDispose]: async () => {
      await run(["umount", "--lazy", path]);
    },
  };
}

const mountable = await (async () => {
  await using dir = await tempDir();
  await using disk = await tinyDisk(join(dir.path, "disk"));
  return disk !== null;
})();
const why = mountable ? "" : " (skipped: needs the right to mount a tmpfs; run the tests as root)";

describe("when the disk is full", () => {
  test.skipIf(!mountable)(
    `the agent is stopped, whole lines are kept and the end is written${why}`,
    async () => {
      await using dir = await tempDir();
      const path = join(dir.path, "disk");
      // Other tests mount at the same moment. Without the disk the agent would write for ever.
      await using _disk = await waitFor("a tiny disk", () => tinyDisk(path));
      await using kept = await startKeeper({
        argv: ["sh", "-c", "yes 'a line of output'; sleep 300"],
        dir: path,
      });
      expect(await kept.exit()).toMatchObject({
        reason: "disk_full",
        message: expect.stringContaining("ENOSPC"),
        left: [],
      });
      const out = await kept.read("out");
      expect(out.length).toBeGreaterThan(100_000);
      expect(
        out.split("\n").every((line, n, all) => line === "a line of output" || n === all.length - 1),
      ).toBe(true);
      expect(out.endsWith("\n")).toBe(true);
      expect(await kept.left()).toEqual([]);
      await waitFor("the keeper to be gone", async () => !(await readKeeperState(kept.dir)).alive);
    },
  );

  for (const [what, name] of [
    ["one stream", "err"],
    ["the places of stderr", "places"],
  ] as const)
    test.skipIf(LINUX.missing)(`for ${what} only, that is the end too${LINUX.why}`, async () => {
      await using kept = await startKeeper({
        argv: ["sh", "-c", "echo fine; echo oops >&2; sleep 300"],
        prepare: async (dir) => {
          await exec(["ln", "-s", "/dev/full", join(dir, KEEPER_FILES[name])], { cwd: "/", env: { PATH } });
        },
      });
      expect(await kept.exit()).toMatchObject({
        reason: "disk_full",
        message: expect.stringContaining("ENOSPC"),
      });
      expect(await kept.read("out")).toBe("fine\n");
      if (name === "places") expect(await kept.read("err")).toBe("");
    });

  test.skipIf(!mountable)(`already at the start, the agent is stopped at once${why}`, async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "disk");
    await using _disk = await tinyDisk(path);
    await using kept = await startKeeper({
      argv: ["sleep", "300"],
      dir: path,
      prepare: async () => {
        // Leaves room for keeper.json and exit.json, but not for the reserve.
        const fill = "head -c 1000000 /dev/zero > fill; truncate -s -32768 fill";
        await exec(["sh", "-c", fill], { cwd: path, env: { PATH } });
      },
    });
    expect(await kept.exit()).toMatchObject({ reason: "disk_full", signal: "SIGTERM", left: [] });
    expect(await kept.left()).toEqual([]);
  });
});

test.skipIf(LINUX.missing)(
  `32 keepers at once are small, and each keeps its own agent${LINUX.why}`,
  async () => {
    const kept = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        startKeeper({ argv: ["sh", "-c", `echo ${n}; cat; exit ${n}`], spec: { stdin: "lines" } }),
      ),
    );
    await using _all = {
      [Symbol.asyncDispose]: async () => {
        await Promise.all(kept.map((one) => one[Symbol.asyncDispose]()));
      },
    };
    for (const one of kept)
      await waitFor("the agent", async () => (await one.read("out").catch(() => "")) !== "", {
        withinMs: 120_000,
      });
    const sizes = await Promise.all(
      kept.map(async ({ keeperPid }) => {
        const rollup = await Bun.file(`/proc/${keeperPid}/smaps_rollup`).text();
        const fieldValue = (field: string) =>
          Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(rollup)?.[1]) / 1024;
        return { rss: fieldValue("Rss"), pss: fieldValue("Pss") };
      }),
    );
    const max = Math.max(...sizes.map(({ rss }) => rss));
    const shared = sizes.reduce((sum, { pss }) => sum + pss, 0) / sizes.length;
    console.log(
      `32 keepers: at most ${max.toFixed(0)} MiB RSS each, ${shared.toFixed(0)} MiB each with what they share`,
    );
    expect(max).toBeLessThan(120);
    await Promise.all(kept.map(({ dir }) => endInput(dir)));
    const exits = await Promise.all(kept.map((one) => one.exit()));
    expect(exits.map((exit) => exit?.code)).toEqual(kept.map((_, n) => n));
    expect(await Promise.all(kept.map((one) => one.read("out")))).toEqual(kept.map((_, n) => `${n}\n`));
  },
);
