/** Lets a worker join a server by an invitation: real engines, and a real Postgres that asks for passwords. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "pg";
import type { TeamActDocument } from "../../src/contract/endpoints/access.ts";
import type { MadeInviteDocument } from "../../src/contract/join-documents.ts";
import { ask, ending, gate, PATIENCE_MS, refused, taskEnd } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { type StartedCommand, startProduct } from "../helpers/product.ts";
import { sandboxHere } from "../helpers/sandbox.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);
const WITHIN = { withinMs: 120_000 };

/** A server on a Postgres in which only the server's own login needs no password, and a data folder beside it. */
async function serverAndFolder({ login = "postgres" }: { readonly login?: string } = {}) {
  const database = await ownPostgres();
  const db = new Client({ connectionString: database.url });
  db.on("error", () => undefined);
  await db.connect();
  const hba = (await db.query("show hba_file")).rows[0].hba_file;
  await writeFile(hba, `local all postgres,plain trust\nlocal all all scram-sha-256\n`);
  await db.query("select pg_reload_conf()");
  // It may do everything in this database, and make no roles.
  await db.query("create role plain login");
  await db.query("grant all on database postgres to plain");
  await db.query("grant all on schema public to plain");
  const address = database.url.replace("postgres@", `${login}@`);
  const product = await startProduct({ env: { TAZUNA_DATABASE: address } });
  const home = join(dirname(product.home), "worker home");
  const clone = join(dirname(product.home), "worker clone");
  await product.sandbox.git(dirname(clone), ["clone", "--quiet", product.origin, clone]);
  const there = { env: { TAZUNA_HOME: home, TAZUNA_DATABASE: "" }, cwd: clone };
  const started: StartedCommand[] = [];
  const world = {
    database,
    db,
    product,
    home,
    there,
    invite: async () =>
      (await product.tazuna(["workers", "invite", "--json"])).json<MadeInviteDocument>().url,
    work: (args: readonly string[]): StartedCommand => {
      const worker = product.start(["worker", ...args], there);
      started.push(worker);
      return worker;
    },
    /** The worker's row, as the server's list shows it. */
    listed: async () => {
      const { workers } = (await product.tazuna(["workers", "--json"])).json<{
        workers: readonly { name: string; state: string; here: boolean; slots: { limit: number } }[];
      }>();
      return workers.find(({ here }) => !here);
    },
    /** Resolves when the worker has printed its last line, or throws with what it said instead. */
    waits: (worker: StartedCommand) =>
      waitFor("the worker to wait", () => worker.printed().includes("Waiting."), WITHIN),
    [Symbol.asyncDispose]: async () => {
      for (const worker of started) worker.kill("SIGKILL");
      await Promise.all(started.map(({ end }) => end));
      await db.end().catch(() => undefined);
      await product[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
  return world;
}

/** Also of a worker that was not told to accept less, every run works in the sandbox, whatever the settings say. */
const inSandbox = sandboxHere.available ? [] : ["--allow-guard"];

journey("a worker joins once, works with a login of its own, leaves, and starts again", async () => {
  await using world = await serverAndFolder();
  const { product, home, there, db } = world;
  const file = join(home, "worker.json");
  await product.agent(
    "writer",
    `cat '${file}' > seen.txt 2>/dev/null || echo nothing > seen.txt; echo Done.`,
  );
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, "config.json"), await readFile(join(product.home, "config.json")));
  const url = await world.invite();
  const worker = world.work(["--join", url, "--slots", "3", "--name", "mac-7", ...inSandbox]);
  await world.waits(worker);
  expect(await world.listed()).toMatchObject({ name: "mac-7", state: "ready", slots: { limit: 3 } });

  const { acts } = (await product.tazuna(["activity", "--team", "--json"])).json<{
    acts: readonly TeamActDocument[];
  }>();
  expect(JSON.stringify(acts)).not.toContain(url.slice(-40));
  expect(acts.map(({ kind, name, actor }) => [kind, name, actor]).toReversed()).toEqual([
    ["worker_invited", "", { kind: "owner", id: null, name: expect.any(String) }],
    ["worker_joined", "mac-7", null],
  ]);

  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(await readFile(file, "utf8"));
  expect(kept).toMatchObject({ name: "mac-7", shared: false, allow_guard: !sandboxHere.available });
  const { run, attempt } = await ask(product, ["run", "Change it", "--agent", "writer"], there);
  expect(run).toMatchObject({
    status: "SUCCEEDED",
    isolation: sandboxHere.available ? "sandbox" : "guard",
  });
  if (sandboxHere.available)
    expect(await readFile(join(attempt.worktree, "seen.txt"), "utf8")).toBe("nothing\n");
  // What it may not do, the Postgres itself refuses.
  const own = new Client({ connectionString: kept.database });
  own.on("error", () => undefined);
  await own.connect();
  for (const forbidden of [
    "select * from invites",
    "insert into sign_in_codes values ('a', 'b', 'c')",
    "insert into access_tokens (id) values ('a')",
    "create table more (id text)",
    "alter table runs add column more text",
    "create role more",
  ])
    await expect(own.query(forbidden)).rejects.toThrow(/permission denied|must be owner/);
  await own.end();
  const secrets = [url.slice(url.lastIndexOf("/") + 1), new URL(kept.database.replace("@/", "@h/")).password];
  const stored = await db.query("select row_to_json(invites) as row from invites");
  for (const secret of secrets) expect(JSON.stringify(stored.rows)).not.toContain(secret);

  worker.kill("SIGTERM");
  const end = await worker.end;
  expect([end.code, end.stderr]).toEqual([0, ""]);
  expect(end.stdout).toMatch(/^Joined as mac-7: .+, clock [+-]\d+ ms, .+ free\n/);
  expect((await world.listed())?.state).toBe("stopped");
  const again = world.work([]);
  await world.waits(again);
  again.kill("SIGHUP");
  expect((await again.end).stdout).toMatch(/^Works as mac-7: /);
  expect((await refused(product, ["worker", "--join", url], there)).error.code).toBe("already_joined");
});

journey("what cannot join is refused, and its remedy says how it can", async () => {
  await using world = await serverAndFolder();
  const { product, home, there, db, database } = world;
  const url = await world.invite();
  const worker = world.work(["--join", url, "--name", "mac-7", "--allow-guard"]);
  await world.waits(worker);
  const other = { ...there, env: { ...there.env, TAZUNA_HOME: `${home} 2` } };
  const codeOf = async (joinUrl: string, args: readonly string[] = []) => {
    const { error } = await refused(product, ["worker", "--join", joinUrl, "--allow-guard", ...args], other);
    return [error.code, error.remedy];
  };
  const invite = expect.stringContaining("`tazuna workers invite`");
  expect(await codeOf(url)).toEqual(["invite_used", invite]);
  expect(await codeOf(url.replace(/.$/, (last) => (last === "A" ? "B" : "A")))).toEqual([
    "invite_unknown",
    invite,
  ]);
  const second = await world.invite();
  expect(await codeOf(second, ["--name", "mac-7"])).toEqual([
    "worker_name_taken",
    expect.stringContaining("--name"),
  ]);
  // The same folder, as a copy of it would be: its server knows that it works.
  await mkdir(other.env.TAZUNA_HOME, { recursive: true });
  await writeFile(join(other.env.TAZUNA_HOME, "worker-id"), await readFile(join(home, "worker-id")));
  expect(await codeOf(second)).toEqual(["already_joined", expect.stringContaining("TAZUNA_HOME")]);
  await rm(join(other.env.TAZUNA_HOME, "worker-id"));
  expect((await refused(product, ["workers", "invite"], there)).error.code).toBe("invited_itself");
  await db.query("update invites set expires_at = '2001-01-01T00:00:00.000Z' where used_at is null");
  expect(await codeOf(second)).toEqual(["invite_expired", invite]);
  worker.kill("SIGTERM");
  await worker.end;

  // A Postgres without room is found before the invitation is used.
  await product.tazuna(["engine", "stop"]);
  await db.query("alter system set max_connections = 10");
  await db.query("alter system set superuser_reserved_connections = 3");
  await db.end();
  await database.stop();
  await database.start();
  const tight = await world.invite();
  expect(await codeOf(tight)).toEqual(["too_few_connections", expect.stringContaining("max_connections")]);
});

journey("a server that may make no roles shares its login, and doctor tells", async () => {
  await using world = await serverAndFolder({ login: "plain" });
  const { product, there } = world;
  const worker = world.work(["--join", await world.invite(), "--allow-guard"]);
  await world.waits(worker);
  expect(worker.printed()).toContain("the server's own login");
  const findings = async () =>
    (await product.tazuna(["doctor", "--json"], there)).json<{
      findings: readonly { id: string; level: string }[];
    }>().findings;
  const told = { id: "worker", level: "warning" };
  expect(await findings()).toContainEqual(expect.objectContaining(told));
  worker.kill("SIGTERM");
  await worker.end;
  // Without an engine too: then the file alone is looked at.
  expect(await findings()).toContainEqual(expect.objectContaining(told));
});

journey("TERM drains: nothing more begins, and the worker leaves when its run has ended", async () => {
  await using world = await serverAndFolder();
  const { product, home, there, db } = world;
  await using door = gate(product, "draining");
  await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, "config.json"), await readFile(join(product.home, "config.json")));
  const worker = world.work(["--join", await world.invite(), "--allow-guard"]);
  await world.waits(worker);
  const begin = async () =>
    taskEnd(await product.tazuna(["run", "Change it", "--agent", "slow", "--detach", "--json"], there));
  const working = await begin();
  await door.reached();
  worker.kill("SIGTERM");
  await waitFor("it to drain", () => worker.printed().includes("Drains: 1 run goes on."), WITHIN);
  const queued = await begin();
  await door.open();
  const end = await worker.end;
  expect([end.code, end.stderr]).toEqual([0, ""]);
  const statusOf = async (id: string) =>
    (await db.query("select status from runs where id = $1", [id])).rows[0]?.status;
  expect([await statusOf(working.run.id), await statusOf(queued.run.id)]).toEqual(["SUCCEEDED", "PENDING"]);

  // The next start ends the drain; a second signal leaves at once, and the agent goes on.
  const again = world.work([]);
  await world.waits(again);
  const last = taskEnd(await product.tazuna(["wait", queued.document.task.id, "--json"], there));
  expect(ending(last.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  again.kill("SIGHUP");
  expect((await again.end).code).toBe(0);

  // Once it was removed, its login is closed, and it says how it comes back.
  const listed = (await product.tazuna(["workers", "--json"])).json<{
    workers: readonly { name: string; here: boolean }[];
  }>();
  const name = listed.workers.find(({ here }) => !here)?.name ?? "";
  expect((await product.tazuna(["workers", "remove", name, "--yes"])).code).toBe(0);
  const gone = await world.work([]).end;
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("invite again there")]);
});

test(deep("a server on an SQLite invites nobody, and says how it could"), async () => {
  await using product = await startProduct();
  const { error } = await refused(product, ["workers", "invite"]);
  expect([error.code, error.remedy]).toEqual([
    "database_not_shared",
    expect.stringContaining("tazuna serve --database postgres://"),
  ]);
  expect((await refused(product, ["worker"])).error.remedy).toContain("tazuna workers invite");
});
