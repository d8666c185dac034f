import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { jobsSchema } from "../../src/dispatch/queues.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { join, lines, type Member, teamWorld, type World } from "./teams.ts";

setDefaultTimeout(420_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";
const [HERE, THERE] = ["0193f2a0-7c1e-7b5a-9d3c-0123456789ab", "0193f2a0-7c1e-7b5a-9d3c-ba9876543210"];

/** A worker of its own process, which is there once this returns. */
async function workerOf(world: World, worker: string) {
  const { url, schema } = world.target;
  const program = `${import.meta.dir}/programs/join-team.ts`;
  const child = Bun.spawn([process.execPath, program, url, schema, worker], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = lines(child.stdout);
  await waitFor("the other worker to be there", () => said.includes(`there ${worker}`), {
    instead: () => said,
  });
  return { child, said };
}

/** A member that looks after the others by now, and has been told nothing but that it is there. */
async function watching(world: World): Promise<Member> {
  let passes = 0;
  const member = await world.join(HERE, {
    sent: (text) => {
      if (text.includes("SET monitor_claim_on")) passes += 1;
    },
  });
  await waitFor("it to look at who is there", () => passes > 0);
  return member;
}

const after = async (what: string, condition: () => boolean) => {
  const since = performance.now();
  await waitFor(what, condition, { withinMs: 120_000 });
  return performance.now() - since;
};

describe.skipIf(skipped !== "")(deep(`presence${skipped}`), () => {
  test("a worker that is killed is silent within 15 s, and told once", async () => {
    await using world = await teamWorld();
    const [{ told }, { child }] = [await watching(world), await workerOf(world, THERE)];
    const third = await world.join("third");
    child.kill("SIGKILL");
    const silent = () => [...told, ...third.told].filter((line) => line.startsWith("silent"));
    const took = await after("the silence", () => silent().length > 0);
    expect(took).toBeLessThan(15_000);
    const jobs = jobsSchema(world.target.schema);
    await waitFor("the report to be done", async () => {
      const rows = await world.ask(`select state from ${jobs}.job where name = 'lost'`);
      return rows.length === 1 && rows[0]?.state === "completed";
    });
    expect(silent()).toEqual([`silent ${THERE}`]);
    const again = await workerOf(world, THERE);
    expect(again.said.filter((line) => !line.startsWith("joined"))).toEqual([`there ${THERE}`]);
    again.child.kill("SIGTERM");
    expect(await again.child.exited).toBe(0);
  });

  test("a worker that was held is silent, and says that it is there when it goes on", async () => {
    await using world = await teamWorld();
    const [{ told }, { child, said }] = [await watching(world), await workerOf(world, THERE)];
    child.kill("SIGSTOP");
    expect(await after("the silence", () => told.includes(`silent ${THERE}`))).toBeLessThan(15_000);
    child.kill("SIGCONT");
    const back = () => said.filter((line) => line === `there ${THERE}`).length === 2;
    expect(await after("it to be there again", back)).toBeLessThan(10_000);
    expect(said.filter((line) => line.startsWith("silent"))).toEqual([]);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("a worker that stops is not called lost, and a new process of one that died is not called silent", async () => {
    await using world = await teamWorld();
    const [{ told }, left, died] = [
      await watching(world),
      await workerOf(world, THERE),
      await workerOf(world, "third"),
    ];
    const since = performance.now();
    left.child.kill("SIGTERM");
    expect(await left.child.exited).toBe(0);
    expect(performance.now() - since).toBeLessThan(5_000);
    died.child.kill("SIGKILL");
    await died.child.exited;
    // It leaves it to the others to find out who is lost.
    const looksAtNobody = (text: string) => {
      if (text.includes("SET monitor_claim_on")) throw new Error("it looks at nobody");
    };
    const next = await world.join("third", { sent: looksAtNobody });
    await waitFor("the new process to be there", () => next.told.includes("there third"));
    const jobs = jobsSchema(world.target.schema);
    const lost = () => world.ask(`select state, data from ${jobs}.job where name = 'lost'`);
    await waitFor("the report about the dead process to be done", async () =>
      (await lost()).some(({ state }) => state === "completed"),
    );
    expect((await lost()).map(({ data }) => data)).toEqual([{ worker: "third" }]);
    expect(told).toEqual([`there ${HERE}`]);
  });

  test("a database that is away for longer than a heartbeat makes nobody silent, and all goes on by itself", async () => {
    await using server = await ownPostgres();
    const target = { url: server.url, schema: null };
    const [one, two] = [await join(target, HERE), await join(target, THERE)];
    try {
      await waitFor("both to be there", () => one.told.length + two.told.length === 2);
      await server.stop();
      const since = performance.now();
      await waitFor("a heartbeat to be missed", () => performance.now() - since > 12_000);
      await server.start();
      const at = { run: "after", attempt: null };
      await waitFor("a look to be sent", () =>
        one.team.look(THERE, at).then(
          () => true,
          () => false,
        ),
      );
      await waitFor("the look", () => two.told.includes("look after/null"));
      const open =
        "select 1 from tazuna_jobs_public.job where state = 'active' and heartbeat_on > now() - interval '4 seconds'";
      await waitFor("both to be renewed", async () => (await one.execute(open, [])).rows.length === 2);
      const plain = (told: readonly string[]) => told.filter((line) => !line.startsWith("error"));
      expect(plain(one.told)).toEqual([`there ${HERE}`]);
      expect(plain(two.told)).toEqual([`there ${THERE}`, "look after/null"]);
      const errors = one.told.filter((line) => line.startsWith("error"));
      expect(errors.length).toBeGreaterThan(0);
      expect(new Set(errors).size).toBe(errors.length);
      expect(errors.length).toBeLessThan(8);
    } finally {
      await Promise.all([one.leave(), two.leave()]);
    }
  });

  test("a team ends within five seconds although its database is away", async () => {
    await using server = await ownPostgres();
    const member = await join({ url: server.url, schema: null }, HERE);
    await server.stop();
    const since = performance.now();
    await member.team.stop();
    expect(performance.now() - since).toBeLessThan(5_500);
    await member.db.close();
  });
});
