/** Works beside an engine on a Postgres as another one does: asks it to look, and dies. */
import { expect, setDefaultTimeout } from "bun:test";
import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { Client } from "pg";
import { executeSql } from "../../src/storage/postgres/execute-sql.ts";
import { requestStop } from "../../src/storage/tables/run-moves.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { join, lines, openOn } from "../dispatch/teams.ts";
import { ending, gate, PATIENCE_MS, taskEnd } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { startProduct } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const OTHER = "0193f2a0-7c1e-7b5a-9d3c-ba9876543210";

journey("an engine stops the agent of a run that another engine was asked to stop", async () => {
  await using server = await ownPostgres();
  await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
  await using door = gate(product, "working");
  await product.agent("writer", `${door.wait}; echo one > hello.txt; echo Done.`);
  const { run, document } = taskEnd(
    await product.tazuna(["run", "Write hello", "--agent", "writer", "--detach", "--json"]),
  );
  await door.reached();
  const owner = (await readFile(joinPath(product.home, "worker-id"), "utf8")).trim();
  const other = await join({ url: server.url, schema: null }, OTHER);
  try {
    await transact(other.db, async (trx) => {
      await requestStop(trx, run.id, "stop");
      await other.team.look(owner, { run: run.id, attempt: null }, executeSql(trx));
    });
    const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    expect(ending(end.run)).toEqual({ status: "CANCELED", outcome: null });
  } finally {
    await other.leave();
  }
});

journey("a worker that is killed is shown as silent", async () => {
  await using server = await ownPostgres();
  await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
  const states = async () => {
    const { workers } = (await product.tazuna(["workers", "--json"])).json<{
      workers: readonly { id: string; state: string }[];
    }>();
    return workers.filter(({ id }) => id === OTHER).map(({ state }) => state);
  };
  expect(await states()).toEqual([]);
  const db = await openOn({ url: server.url, schema: null });
  await transact(db, (trx) => registerWorker(trx, { id: OTHER, version: "0.1.0", slots: 1, host: "other" }));
  await db.close();
  const program = joinPath(import.meta.dir, "../dispatch/programs/join-team.ts");
  const child = Bun.spawn([process.execPath, program, server.url, "public", OTHER], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = lines(child.stdout);
  await waitFor("it to be there", () => said.includes(`there ${OTHER}`));
  expect(await states()).toEqual(["ready"]);
  const since = performance.now();
  child.kill("SIGKILL");
  await waitFor("its silence", async () => (await states())[0] === "silent");
  expect(performance.now() - since).toBeLessThan(20_000);
});

journey(
  "an engine whose login may not make the schema of the jobs works on its own, and says why",
  async () => {
    await using server = await ownPostgres();
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(
      "create role limited login; create schema mine authorization limited; alter role limited set search_path = mine",
    );
    await admin.end();
    const url = server.url.replace("postgres@", "limited@");
    await using product = await startProduct({ env: { TAZUNA_DATABASE: url } });
    await product.agent("writer", "echo one > hello.txt; echo Done.");
    const { run } = taskEnd(await product.tazuna(["run", "Write hello", "--agent", "writer", "--json"]));
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    const log = await readFile(joinPath(product.home, "server.log"), "utf8");
    expect(log.match(/the team: .*permission denied for database/g)?.length).toBe(1);
  },
);
