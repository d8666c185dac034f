import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { ending, gate, PATIENCE_MS, processesOf, taskEnd } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const title = "the same product works on a Postgres";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title),
  async () => {
    await using product = await startProduct();
    const env = { TAZUNA_DATABASE: String(await postgresUrl()) };
    await product.agent("writer", "echo one >> hello.txt");
    const first = (
      await product.tazuna(["run", "Write hello", "--agent", "writer", "--json"], { env })
    ).json();
    const attempt = first.attempts[0];
    expect(attempt?.runs).toMatchObject([{ status: "SUCCEEDED", outcome: "pushed" }]);
    const doctor = async (over: Readonly<Record<string, string>>) =>
      (await product.tazuna(["doctor", "--json"], { env: over }))
        .json<{ findings: readonly { id: string; level: string }[] }>()
        .findings.flatMap(({ id, level }) => (/^(engine|database)/.test(id) ? [`${level} ${id}`] : []));
    expect([await doctor(env), await doctor({})]).toEqual([
      ["ok engine", "ok database"],
      ["ok engine", "ok database"],
    ]);
    await product.killEngine();
    const second = (await product.tazuna(["continue", attempt?.id ?? "", "Again", "--json"], { env })).json();
    expect(second.attempts[0]?.runs.map((run) => run.outcome)).toEqual(["pushed", "pushed"]);
    expect(await product.sandbox.git(product.origin, ["show", `${attempt?.branch}:hello.txt`])).toBe(
      "one\none",
    );
  },
);

const nameless = "a data folder that cannot keep its name for a Postgres is refused, and works by itself";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${nameless} (skipped: ${postgres.missing})` : nameless),
  async () => {
    await using product = await startProduct();
    const file = join(product.home, "worker-id");
    await mkdir(join(file, "in-the-way"), { recursive: true });
    const env = { TAZUNA_DATABASE: String(await postgresUrl()) };
    const { code, stderr } = await product.tazuna(["list"], { env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`The file ${file}, by which a Postgres knows this data folder, cannot be made`),
    ]);
    expect((await product.tazuna(["list"])).code).toBe(0);
  },
);

const restarted =
  "a Postgres that goes and comes back while an agent works costs nothing: the engine goes on with the run";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${restarted} (skipped: ${postgres.missing})` : restarted),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    await using door = gate(product, "away");
    await product.agent("writer", `${door.wait}; echo one > hello.txt; echo Done.`);
    const started = taskEnd(
      await product.tazuna(["run", "Write hello", "--agent", "writer", "--detach", "--json"]),
    );
    await door.reached();
    const engine = await product.enginePid();
    await server.stop();
    await door.open();
    await waitFor("the agent to end", async () => (await processesOf(started.run.id)).length === 0);
    const away = await product.tazuna(["list", "--json"]);
    expect(away.json<{ error: { code: string } }>().error.code).toBe("database_unreachable");
    const examined = await product.tazuna(["doctor", "--json"]);
    expect([examined.code, examined.json<{ findings: readonly unknown[] }>().findings]).toEqual([
      1,
      expect.arrayContaining([expect.objectContaining({ id: "database", level: "error" })]),
    ]);
    await server.start();
    const end = taskEnd(await product.tazuna(["wait", started.document.task.id, "--json"]));
    expect<unknown>({
      code: end.code,
      ending: ending(end.run),
      engine: await product.enginePid(),
    }).toEqual({ code: 0, ending: { status: "SUCCEEDED", outcome: "pushed" }, engine });
  },
);

const taken =
  "an engine whose database another one took over while the connection was broken ends, and says why";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${taken} (skipped: ${postgres.missing})` : taken),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    const serving = product.start(["serve", "--port", "0"]);
    await waitFor("the engine", () => product.enginePid());
    const lock = "(7268003, hashtext(current_schema()))";
    const held = "from pg_locks where locktype = 'advisory' and granted and classid = 7268003";
    // The engine of a test begins alone; then it lets others in.
    await waitFor("the lock to be shared", async () => (await product.tazuna(["list"])).code === 0);
    const rival = new Client({ connectionString: server.url });
    const admin = new Client({ connectionString: server.url });
    await Promise.all([rival.connect(), admin.connect()]);
    const waiting = rival.query(`select pg_advisory_lock${lock}`);
    await waitFor("the rival to wait", async () => {
      const { rowCount } = await admin.query(
        "select 1 from pg_locks where locktype = 'advisory' and not granted",
      );
      return rowCount === 1;
    });
    await admin.query(`select pg_terminate_backend(pid) ${held}`);
    await waiting;
    const end = await serving.end;
    expect([end.code, end.stderr.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      "tazuna: Another Tazuna took the database over while the connection to it was broken; this one ends. Use that one, or stop it and start this one again.",
    ]);
    expect(await readFile(join(product.home, "server.json"), "utf8").catch(() => null)).toBeNull();
    await Promise.all([rival.end(), admin.end()]);
  },
);

const few = "an engine that works on five runs holds at most five connections";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${few} (skipped: ${postgres.missing})` : few),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    await product.configure({ limits: { parallel: 5 } });
    await product.agent("writer", "echo one > hello.txt; echo Done.");
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    const seen: number[] = [];
    const work = { isOver: false };
    const counted = (async () => {
      const open = "select count(*)::int as count from pg_stat_activity where application_name = 'tazuna'";
      while (!work.isOver) seen.push((await admin.query<{ count: number }>(open)).rows[0]?.count ?? 0);
    })();
    const ends = await Promise.all(
      Array.from({ length: 5 }, () =>
        product.tazuna(["run", "Write hello", "--agent", "writer", "--json"]).then(taskEnd),
      ),
    );
    work.isOver = true;
    await counted;
    await admin.end();
    expect(ends.map(({ run }) => run.outcome)).toEqual(Array.from({ length: 5 }, () => "pushed"));
    expect(Math.max(...seen)).toBe(5);
  },
);
