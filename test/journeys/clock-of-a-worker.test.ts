/** Sets the clock of one worker wrong while its agent works, and right again. */
import { expect, setDefaultTimeout } from "bun:test";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkerDocument } from "../../src/contract/endpoints/engine.ts";
import { fakeTime } from "../helpers/fake-time.ts";
import { ask, gate, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { teamJourney } from "../helpers/team-journey.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const LONG = { withinMs: 120_000 };

teamJourney(
  "a worker says that its clock is off; at a minute it begins nothing, and what runs goes on",
  async () => {
    await using world = await twoEngines();
    const { product, there } = world;
    await using door = gate(product, "clock");
    const clock = join(dirname(product.home), "clock");
    await writeFile(clock, "+0");
    await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
    await product.agent("writer", "echo two > two.txt; echo Done.");
    await world.settle({
      LD_PRELOAD: fakeTime.library ?? "",
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      // It looks at its clock six times in the length of a lease.
      TAZUNA_TIMING: JSON.stringify({ graceMs: 500, backoffMs: [300, 300], leaseMs: 24_000 }),
    });
    const clockOf = async () =>
      (await product.tazuna(["workers", "--json"], there))
        .json<{ workers: readonly WorkerDocument[] }>()
        .workers.find(({ here }) => !here)?.clock;
    const run = async ({ document }: TaskEnd) =>
      (await ask(product, ["show", document.task.id], there)).attempt.runs.at(-1);
    const succeeded = (asked: TaskEnd) =>
      waitFor("it to have worked", async () => (await run(asked))?.status === "SUCCEEDED", LONG);
    const slow = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"]);
    await door.reached();
    expect(await clockOf()).toBeNull();

    await writeFile(clock, "+10s");
    await waitFor("it to say so", async () => (await clockOf()) !== null, LONG);
    const off = await clockOf();
    expect(off?.begins_nothing).toBe(false);
    expect(Math.abs((off?.ahead_ms ?? 0) - 10_000)).toBeLessThan(2_000);

    await writeFile(clock, "-10m");
    await waitFor("it to be refused", async () => (await clockOf())?.begins_nothing === true, LONG);
    const late = await ask(product, ["run", "Change it", "--agent", "writer", "--detach"]);
    await waitFor("the reason", async () => (await run(late))?.waits_for?.reason === "clock_off", LONG);
    await door.open();
    await succeeded(slow);
    expect((await run(late))?.status).toBe("PENDING");

    await writeFile(clock, "+0");
    await succeeded(late);
    expect(await clockOf()).toBeNull();
  },
  fakeTime.library === null ? "libfaketime is not installed" : null,
);
