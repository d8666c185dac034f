/** Lets the leases of keepers run out, by the file that their engine writes: a keeper stops its agent then. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatDeadlines } from "../../src/keeper/lease-deadline.ts";
import { localProcesses } from "../../src/utils/exec.ts";
import { bootMs } from "../../src/utils/time/boot-time.ts";
import { fakeTime } from "../helpers/fake-time.ts";
import { written } from "../helpers/journey.ts";
import { type KeepSetup, type KeptRun, startKeeper } from "../helpers/keeper.ts";
import { isRunning } from "../helpers/product.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(180_000);

const HOUR = 3_600_000;
const RUN = randomUUID();
const FENCED = { reason: "fenced", message: expect.stringContaining("did not renew its lease in time") };

/** An agent that says that it works, until the gate is open. */
async function leaseWorld() {
  const folder = await tempDir();
  const file = join(folder.path, "lease.json");
  const paths = { working: join(folder.path, "working"), gate: join(folder.path, "gate") };
  const tell = async (until: number | null, { boot, run = RUN }: { boot?: string; run?: string } = {}) => {
    const bootId = boot ?? (await localProcesses.bootId());
    await writeFile(`${file}.new`, formatDeadlines(bootId, new Map([[run, until]])));
    await rename(`${file}.new`, file);
  };
  const clock = join(folder.path, "clock");
  const setClock = async (off: string) => {
    await writeFile(`${clock}.new`, `${off}\n`);
    await rename(`${clock}.new`, clock);
  };
  await setClock("+0");
  return {
    file,
    tell,
    /** The wall clock of the keeper. */
    setClock,
    open: () => writeFile(paths.gate, ""),
    hasWorked: () => existsSync(paths.working),
    working: () => written(paths.working),
    start: (more: Partial<KeepSetup> = {}): Promise<KeptRun> =>
      startKeeper({
        argv: ["sh", "-c", `echo $$ > '${paths.working}'; until [ -e '${paths.gate}' ]; do sleep 0.05; done`],
        keeperEnv:
          fakeTime.library === null
            ? {}
            : {
                LD_PRELOAD: fakeTime.library,
                FAKETIME_TIMESTAMP_FILE: clock,
                FAKETIME_NO_CACHE: "1",
                FAKETIME_DONT_FAKE_MONOTONIC: "1",
                NO_FAKE_STAT: "1",
              },
        ...more,
        run: RUN,
        spec: { leaseFile: file, ...more.spec },
      }),
    [Symbol.asyncDispose]: async () => {
      await writeFile(paths.gate, "");
      await folder[Symbol.asyncDispose]();
    },
  };
}

type World = Awaited<ReturnType<typeof leaseWorld>>;

/**
 * Plays with a working agent before the deadline `until`. A busy machine may come too late for that; then it is played
 * again with more time.
 */
async function inTime(
  play: (world: World, kept: KeptRun, until: number) => Promise<"played" | "late">,
): Promise<void> {
  for (const ms of [4_000, 16_000, 60_000]) {
    await using world = await leaseWorld();
    const until = bootMs() + ms;
    await world.tell(until);
    await using kept = await world.start();
    await Promise.race([world.working(), kept.exit()]);
    if (bootMs() < until && (await play(world, kept, until)) === "played") return;
  }
  throw new Error("the machine is too slow for this");
}

const goesOn = { code: 0, reason: "exited" };

describe("a keeper whose lease runs out", () => {
  test("stops its agent at the deadline, and says why", async () => {
    await using world = await leaseWorld();
    const until = bootMs() + 4_000;
    await world.tell(until);
    await using kept = await world.start();
    expect(await kept.exit()).toMatchObject(FENCED);
    expect(bootMs()).toBeGreaterThanOrEqual(until);
    expect(await kept.left()).toEqual([]);
  });

  test("starts no agent after it", async () => {
    await using world = await leaseWorld();
    await world.tell(bootMs() - 1);
    await using kept = await world.start();
    expect(await kept.exit()).toMatchObject({ ...FENCED, code: null });
    expect(world.hasWorked()).toBe(false);
  });

  test(deep("goes on if the engine renews in time, and stops later if it does not any more"), () =>
    inTime(async (world, kept, until) => {
      await world.tell(until + 3_000);
      if (bootMs() >= until) return "late";
      expect(await kept.exit()).toMatchObject(FENCED);
      expect(bootMs()).toBeGreaterThanOrEqual(until + 3_000);
      return "played";
    }),
  );

  test(
    deep("stops its agent at once after it was held beyond the deadline, and tells the run from others"),
    () =>
      inTime(async (world, kept, until) => {
        process.kill(kept.keeperPid, "SIGSTOP");
        const agent = Number(await world.working());
        if (bootMs() >= until) return "late";
        // Another worker has taken the run meanwhile, and this one goes on with others.
        await world.tell(bootMs() + HOUR, { run: "another-run" });
        await waitFor("the deadline to be over", () => bootMs() > until + 500);
        expect(isRunning(agent)).toBe(true);
        process.kill(kept.keeperPid, "SIGCONT");
        expect(await kept.exit()).toMatchObject(FENCED);
        return "played";
      }),
  );

  test.skipIf(fakeTime.library === null)(
    deep(`is not moved by a wall clock that is set ten minutes ahead, then back${fakeTime.skipped}`),
    () =>
      inTime(async (world, kept, until) => {
        await world.setClock("+10m");
        const at = bootMs();
        await waitFor("a moment", () => bootMs() > at + 500);
        await world.setClock("-10m");
        if (bootMs() >= until) return "late";
        expect(await kept.exit()).toMatchObject(FENCED);
        expect(bootMs()).toBeGreaterThanOrEqual(until);
        return "played";
      }),
  );
});

describe("a keeper lets its agent work", () => {
  const noFile: Partial<KeepSetup> = { spec: { leaseFile: null } };
  const cases: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "if no file is named, as on an SQLite": (world) => world.tell(1).then(() => noFile),
    "if the file sets no end, as without a depot": (world) => world.tell(null),
    "if there is no file": async () => undefined,
    "if the file is of an earlier boot": (world) => world.tell(1, { boot: "earlier" }),
    "if the file names other runs": (world) => world.tell(1, { run: "another-run" }),
    "if the file is damaged": (world) => writeFile(world.file, '{"boot_id":'),
  };
  for (const [title, prepare] of Object.entries(cases))
    test(title, async () => {
      await using world = await leaseWorld();
      const more = (await prepare(world)) as Partial<KeepSetup> | undefined;
      await using kept = await world.start(more);
      await world.working();
      await world.open();
      expect(await kept.exit()).toMatchObject(goesOn);
    });
});
