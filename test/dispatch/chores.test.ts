/** Has chores done by real engines of a team on a real Postgres: by one at a time, and by another one if that one leaves. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as delay } from "node:timers/promises";
import { jobsSchema } from "../../src/dispatch/queues.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { teamWorld, type World } from "./teams.ts";

setDefaultTimeout(240_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf("missing" in postgres)(
  deep(`a chore is done by one engine at a time, again and again${skipped}`),
  async () => {
    await using world = await teamWorld();
    const [one, two] = [await world.join("one"), await world.join("two")];
    const done: { readonly by: string; readonly from: number; readonly to: number }[] = [];
    const chore = (by: string) => ({
      name: "tidy",
      everyMs: 500,
      act: async () => {
        const from = performance.now();
        await delay(100);
        done.push({ by, from, to: performance.now() });
      },
    });
    one.team.chore(chore("one"));
    two.team.chore(chore("two"));
    await waitFor("four times", () => done.length >= 4);
    await one.leave();
    const until = done.length;
    await waitFor("the other one to go on", () => done.length >= until + 2);
    expect(new Set(done.slice(until).map(({ by }) => by))).toEqual(new Set(["two"]));
    // Each time begins after the time of the one before, and its pause.
    const pauses = done.slice(1).map(({ from }, index) => from - (done[index]?.to ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThan(300);
    expect([...one.told, ...two.told].filter((line) => line.startsWith("error"))).toEqual([]);
  },
);

test.skipIf("missing" in postgres)(
  deep(`an engine that joins later does not hurry a chore${skipped}`),
  async () => {
    await using world = await teamWorld();
    const done: string[] = [];
    const chore = (by: string) => ({ name: "tidy", everyMs: 3_600_000, act: async () => void done.push(by) });
    const one = await world.join("one");
    one.team.chore(chore("one"));
    await waitFor(
      "the next time to be planned",
      async () => (await planned(world)) === 1 && done.length === 1,
    );
    const sent: string[] = [];
    const two = await world.join("two", { sent: (text) => void sent.push(text) });
    const before = sent.length;
    two.team.chore(chore("two"));
    await waitFor("it to ask for a job", () => sent.slice(before).some((text) => /for update/i.test(text)));
    expect([await planned(world), done]).toEqual([1, ["one"]]);
  },
);

async function planned({ ask, target }: World): Promise<number> {
  const jobs = `${jobsSchema(target.schema)}.job`;
  return (await ask(`select id from ${jobs} where name = 'chore.tidy' and state = 'created'`)).length;
}
