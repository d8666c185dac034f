/** Kills the server that moves an old log into object storage, and reads the log at each machine (ADR 0103). */
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { LogPage } from "../../../src/contract/endpoints/runs.ts";
import { httpApi } from "../../helpers/http-api.ts";
import { ask, PATIENCE_MS, refused } from "../../helpers/journey.ts";
import { missingObjects, OBJECT_ENV, objectServer } from "../../helpers/object-server.ts";
import type { Product } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { teamJourney } from "../../helpers/team-journey.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { twoEngines } from "../../helpers/two-engines.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const journey = (title: string, play: () => Promise<void>) => teamJourney(title, play, missingObjects);

const FAILPOINT = "log:stored";

/** All of a log, as that machine knows it. */
async function wholeLog(product: Product, home: string, run: string): Promise<LogPage> {
  const api = await httpApi({ ...product, home });
  const lines: LogPage["lines"] = [];
  for (;;) {
    const page = (await api.client.log(run, { after: lines.at(-1)?.n ?? 0, limit: 1000 }))._unsafeUnwrap();
    lines.push(...page.lines);
    if (page.lines.length === 0) return { ...page, lines };
  }
}

journey(
  "an old log is in the database or in the storage, and read as a whole where the keys are",
  async () => {
    await using objects = await objectServer();
    await using folder = await tempDir();
    await using world = await twoEngines();
    const { product, there, home, server } = world;
    await product.agent(
      "talker",
      `seq -f "%g ${"of many ".repeat(8)}" 1 40000; echo one > one.txt; echo Done.`,
    );
    await world.settle();
    const { run } = await ask(product, ["run", "Talk", "--agent", "talker"]);
    await waitFor("all of it to be sent", async () => {
      const { sent } = await wholeLog(product, home, run.id);
      return sent?.complete === true;
    });
    const whole = await wholeLog(product, product.home, run.id);
    const printed = async () => {
      const db = new Client({ connectionString: server.url });
      await db.connect();
      const { rows } = await db.query("select 1 from log_chunks where run_id = $1 and file <> 'own'", [
        run.id,
      ]);
      await db.end();
      return rows.length;
    };
    const all = await printed();
    expect(all).toBeGreaterThan(40);

    expect((await product.tazuna(["engine", "stop"], there)).code).toBe(0);
    const reached = join(folder.path, "reached");
    const env = {
      ...there.env,
      ...OBJECT_ENV,
      TAZUNA_FAILPOINT: `${FAILPOINT}@${reached}`,
      TAZUNA_TIMING: JSON.stringify({ logsKeptMs: 0, logsMovedMs: 200 }),
    };
    const serve = () => product.start(["serve", "--port", "0", "--logs", objects.place], { ...there, env });
    const killed = serve();
    await waitFor("the server to be killed", () => existsSync(reached), { instead: killed.printed });
    await killed.end;
    tally("kill", `the server at ${FAILPOINT}`, { under: "guard" });
    expect([await printed(), (await objects.names()).length]).toEqual([all, 1]);

    const serving = serve();
    await waitFor("the log to be moved", async () => (await printed()) === 0, { instead: serving.printed });
    expect((await objects.names()).length).toBeGreaterThan(0);
    expect((await wholeLog(product, home, run.id)).lines).toEqual(whole.lines);
    serving.kill("SIGTERM");
    await serving.end;

    // Without keys the worker that has the files is asked; once it is gone too, the log says what is not here.
    expect((await product.tazuna(["list"], there)).code).toBe(0);
    expect((await wholeLog(product, home, run.id)).lines).toEqual(whole.lines);
    await product.killEngine();
    const rest = await waitFor("its worker to count as gone", async () => {
      const page = await wholeLog(product, home, run.id);
      return page.sent?.there === false ? page : null;
    });
    const texts = rest.lines.map((line) => JSON.stringify(line.event));
    expect(texts.filter((text) => text.includes("of what the agent printed are not here"))).toHaveLength(1);
    expect(texts.length).toBeLessThan(100);
  },
);

journey("a place that cannot be used is refused before the server begins", async () => {
  await using objects = await objectServer();
  await using world = await twoEngines();
  const { product } = world;
  const refusal = async (logs: string, env: Readonly<Record<string, string>> = OBJECT_ENV) =>
    (await refused(product, ["serve", "--port", "0", "--logs", logs], { env })).error;
  expect(await refusal(objects.place, {})).toMatchObject({
    message: "--logs needs the keys of the object storage.",
    remedy: expect.stringContaining("TAZUNA_LOGS_SECRET_KEY"),
  });
  expect(await refusal("s3://logs/team?endpoint=http://minio.example")).toMatchObject({
    message: expect.stringContaining("has to be an https address"),
  });
  expect(await refusal(objects.place.replace("s3://logs", "s3://other"))).toMatchObject({
    message: expect.stringContaining("NoSuchBucket"),
    remedy: expect.stringContaining("right to read, write and delete"),
  });
  expect(await refusal(objects.place, { ...OBJECT_ENV, TAZUNA_LOGS_KEY_ID: "nobody" })).toMatchObject({
    message: expect.stringContaining("InvalidAccessKeyId"),
  });
  expect(await refusal(objects.place, { ...OBJECT_ENV, TAZUNA_DATABASE: "" })).toMatchObject({
    message: expect.stringContaining("--logs needs a Postgres"),
  });
  expect(await objects.names()).toEqual([]);
});
