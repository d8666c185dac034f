import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { jobsSchema } from "../../src/dispatch/queues.ts";
import { executeSql } from "../../src/storage/postgres/execute-sql.ts";
import { transact } from "../../src/storage/transact.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun } from "../storage/sample-rows.ts";
import { lines, openOn, teamWorld } from "./teams.ts";

setDefaultTimeout(420_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";
const [HERE, THERE] = ["0193f2a0-7c1e-7b5a-9d3c-0123456789ab", "0193f2a0-7c1e-7b5a-9d3c-ba9876543210"];
const run = (id: string) => ({ run: id, attempt: null });
const looks = (told: readonly string[]) => told.filter((line) => line.startsWith("look"));
const errors = (told: readonly string[]) => told.filter((line) => line.startsWith("error"));

describe.skipIf(skipped !== "")(deep(`jobs that say look${skipped}`), () => {
  test("a look belongs to the transaction that it was sent in", async () => {
    await using world = await teamWorld();
    const { team, db, told } = await world.join(HERE);
    const failure = await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await team.look(HERE, run("undone"), executeSql(trx));
      throw new Error("undone");
    }).catch((error: Error) => error.message);
    expect(failure).toBe("undone");
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await team.look(HERE, run("done"), executeSql(trx));
    });
    await waitFor("the look", () => looks(told).length > 0);
    await team.look(HERE, { run: null, attempt: "later" });
    await waitFor("the next look", () => looks(told).length > 1);
    expect(told).toEqual([`there ${HERE}`, "look done/null", "look null/later"]);
  });

  test("ten looks at one run are one job, and wait for a worker that is not there", async () => {
    await using world = await teamWorld();
    const { team, told } = await world.join(HERE);
    for (let n = 0; n < 10; n++) await team.look(THERE, run("one"));
    await team.look(THERE, run("two"));
    await team.look(THERE, { run: "one", attempt: "a" });
    const waiting = await world.ask(
      `select data from ${jobsSchema(world.target.schema)}.job where name = $1 order by created_on`,
      [`w.${THERE}`],
    );
    expect(waiting.map(({ data }) => data)).toEqual([run("one"), run("two"), { run: "one", attempt: "a" }]);
    const there = await world.join(THERE);
    await waitFor("all looks", () => looks(there.told).length >= 3);
    expect(looks(there.told).toSorted()).toEqual(["look one/a", "look one/null", "look two/null"]);
    expect(looks(told)).toEqual([]);
  });

  test("ten wishes to look at what waits are one job, which one engine takes; one that comes meanwhile is taken too", async () => {
    await using world = await teamWorld();
    const gate = Promise.withResolvers<void>();
    const onPlace = () => gate.promise;
    const members = [
      await world.join(HERE, { onPlace, listens: true }),
      await world.join(THERE, { onPlace, listens: true }),
    ];
    const taken = () => members.flatMap(({ told }) => told.filter((line) => line === "place")).length;
    await members[0]?.team.place();
    await waitFor("the first to be taken", () => taken() === 1);
    for (let n = 0; n < 10; n++) await members[0]?.team.place();
    await waitFor("the next to be taken", () => taken() === 2);
    const jobs = await world.ask(
      `select count(*)::int as count from ${jobsSchema(world.target.schema)}.job where name = 'place'`,
    );
    // The second one may have been taken between two wishes.
    expect(jobs[0]?.count).toBeLessThanOrEqual(3);
    gate.resolve();
    expect(members.flatMap(({ told }) => errors(told))).toEqual([]);
  });

  test("a look that failed comes again, and keeps no other one waiting", async () => {
    await using world = await teamWorld();
    let fails = 2;
    const { team, told } = await world.join(HERE, {
      onLook: async (at) => {
        if (at.run === "bad" && fails-- > 0) throw new Error("the disk is full");
      },
    });
    for (const id of ["bad", "good"]) await team.look(HERE, run(id));
    await waitFor("the third try", () => looks(told).length === 4);
    expect(looks(told).slice(0, 2).toSorted()).toEqual(["look bad/null", "look good/null"]);
    expect(looks(told).slice(2)).toEqual(["look bad/null", "look bad/null"]);
    expect(errors(told)).toEqual(["error the disk is full"]);
  });

  test("what an earlier process of the worker had begun is looked at again at once", async () => {
    await using world = await teamWorld();
    const { url, schema } = world.target;
    const program = `${import.meta.dir}/programs/join-team.ts`;
    const gone = Bun.spawn([process.execPath, program, url, schema, HERE, "stuck"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const other = await world.join(THERE);
    await other.team.look(HERE, run("stuck"));
    const said = lines(gone.stdout);
    await waitFor("it to be begun", () => said.includes("look stuck/null"));
    gone.kill("SIGKILL");
    await gone.exited;
    const { told, team } = await world.join(HERE);
    await team.look(HERE, run("stuck"));
    await team.look(HERE, run("next"));
    await waitFor("all looks", () => looks(told).length >= 2 && looks(told).includes("look next/null"), {
      withinMs: 10_000,
      instead: () => told,
    });
    expect(looks(told)).toContain("look stuck/null");
  });

  test("engines that start at once make one schema, and two of our schemas never meet", async () => {
    await using one = await teamWorld();
    await using two = await teamWorld();
    const [a, b, c, d] = await Promise.all([
      one.join(HERE),
      one.join(THERE),
      one.join("third"),
      two.join(HERE),
    ]);
    await Promise.all([a.team.look(THERE, run("first")), d.team.look(HERE, run("second"))]);
    await waitFor("both looks", () => looks(b.told).length + looks(d.told).length === 2);
    expect([looks(b.told), looks(d.told), looks(a.told), looks(c.told)]).toEqual([
      ["look first/null"],
      ["look second/null"],
      [],
      [],
    ]);
    for (const { told } of [a, b, c, d]) expect(errors(told)).toEqual([]);
  });

  test("a look is told at once on the listening session, and found by the poll if that is gone", async () => {
    await using world = await teamWorld();
    const at: number[] = [];
    const there = await world.join(THERE, {
      listens: true,
      onLook: async () => void at.push(performance.now()),
    });
    const { team } = await world.join(HERE);
    const took: number[] = [];
    for (let n = 1; n <= 20; n++) {
      const since = performance.now();
      await team.look(THERE, run(`run-${n}`));
      await waitFor("the look", () => at.length === n);
      took.push((at.at(-1) ?? 0) - since);
    }
    // Each poll alone would take 2.5 s on average.
    expect(took.toSorted((a, b) => a - b)[10]).toBeLessThan(250);
    // It listens on the connection of its jobs.
    const [session] = (await there.execute("select pg_backend_pid() as pid", [])).rows;
    const ending = "select pg_terminate_backend($1) as ended";
    expect(await world.ask(ending, [session?.pid])).toEqual([{ ended: true }]);
    await team.look(THERE, run("after"));
    await waitFor("the look after it", () => looks(there.told).includes("look after/null"), {
      withinMs: 8_000,
    });
  });

  test("a text that fails in the middle leaves no connection in its transaction", async () => {
    await using world = await teamWorld();
    const db = await openOn(world.target);
    try {
      const execute = executeSql(db.reader);
      const broken = await execute("BEGIN; select 1; select 1 / 0; COMMIT", []).catch(
        (error: Error) => error.message,
      );
      expect(broken).toContain("division by zero");
      expect((await execute("select $1::text as snake_case", ["x"])).rows).toEqual([{ snake_case: "x" }]);
      const open =
        "select 1 from pg_stat_activity where state like 'idle in transaction%' and query like '%1 / 0%'";
      expect(await world.ask(open)).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
