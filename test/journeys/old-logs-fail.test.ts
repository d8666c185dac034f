/** Takes away the object storage into which a server moves old logs: `doctor` says since when, and what to do. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { missingObjects, OBJECT_ENV, objectServer } from "../helpers/object-server.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? postgres.missing : missingObjects;

interface Finding {
  readonly id: string;
  readonly level: string;
  readonly what: string;
  readonly remedy: string;
}

async function oldLogsOf(product: Product): Promise<Finding | undefined> {
  const { stdout } = await product.tazuna(["doctor", "--json"]);
  return (JSON.parse(stdout) as { findings: Finding[] }).findings.find(({ id }) => id === "old_logs");
}

test.skipIf(missing !== null)(
  deep(
    `doctor says since when old logs cannot be moved, until they are${missing === null ? "" : ` (skipped: ${missing})`}`,
  ),
  async () => {
    await using objects = await objectServer();
    await using database = await ownPostgres();
    await using product = await startProduct({
      env: { TAZUNA_DATABASE: database.url, ...OBJECT_ENV },
      timing: { logsMovedMs: 500, logsKeptMs: 0 },
    });
    await product.agent("talker", "seq 1 2000; echo one > one.txt");
    const serve = async (flags: readonly string[]) => {
      const server = product.start(["serve", "--json", "--port", "0", ...flags]);
      await waitFor("the server to listen", () => server.printed().includes("\n"));
      return async () => {
        server.kill("SIGTERM");
        await server.end;
      };
    };
    const withLogs = ["--logs", objects.place];
    const stop = await serve(withLogs);
    expect(await oldLogsOf(product)).toBeUndefined();
    await objects.stop();
    await ask(product, ["run", "Talk", "--agent", "talker"]);
    const since = (finding: Finding | undefined) => /since (\S+): /.exec(finding?.what ?? "")?.[1];
    const found = await waitFor("doctor to say it", () => oldLogsOf(product));
    const began = since(found);
    expect(found).toMatchObject({
      level: "warning",
      what: expect.stringMatching(
        /^Old logs were not moved to object storage since 2\d{3}-\d\d-\d\dT[\d:.]+Z: .*s3:\/\/logs\/team\//,
      ),
      remedy: expect.stringContaining("`TAZUNA_LOGS_SECRET_KEY`"),
    });

    // It is known after a restart, with the same time.
    await stop();
    const again = await serve(withLogs);
    expect(since(await waitFor("doctor to say it again", () => oldLogsOf(product)))).toBe(began);
    await objects.start();
    await waitFor("doctor to be content", async () => (await oldLogsOf(product)) === undefined);
    expect(await objects.names()).not.toEqual([]);

    // Who moves none any more is told nothing.
    await objects.stop();
    await ask(product, ["run", "Talk again", "--agent", "talker"]);
    await waitFor("doctor to say it a third time", () => oldLogsOf(product));
    await again();
    const without = await serve([]);
    await waitFor("doctor to forget it", async () => (await oldLogsOf(product)) === undefined);
    await without();
  },
);
