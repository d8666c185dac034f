/** Holds that the server soon asks a silent machine whether it is there: only then goes what it held when it lost its power. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { network } from "../helpers/network/machines.ts";
import { whyNoNamespaces } from "../helpers/network/namespaces.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

const missing = "missing" in postgres ? postgres.missing : whyNoNamespaces();
const title =
  "the server asks each connection of an engine every ten seconds whether it is there, also that of its lock";

const POSTGRES = join(import.meta.dir, "../../src/storage/postgres");
/** Holds the lock, and a connection that nobody uses. */
const PROGRAM = `
const { takePostgresEngineLock } = await import(${JSON.stringify(join(POSTGRES, "postgres-engine-lock.ts"))});
const { postgresPool } = await import(${JSON.stringify(join(POSTGRES, "postgres-pool.ts"))});
const target = { url: process.argv[1], schema: null };
const options = { worker: "one", onLost: () => undefined, patienceMs: 0 };
const taken = await takePostgresEngineLock(target, options);
await postgresPool(target, { max: 1, isKept: true, sessions: new Set() }).query("select 1");
console.log(taken.isErr() ? taken.error.message : typeof taken.value === "string" ? taken.value : "taken");
setInterval(() => undefined, 1_000);
`;

/** The port of the Postgres, and an open connection, as `/proc/net/tcp` writes them. */
const [PORT, OPEN] = [(5432).toString(16).toUpperCase().padStart(4, "0"), "01"];
/** The timer that asks whether the other side is still there. */
const KEEPALIVE = "02";

/** Of each connection to the Postgres; null while another timer runs. The kernel counts in hundredths of a second. */
function nextQuestionsMs(table: string): readonly number[] | null {
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  const own = rows.filter(([, local, , state]) => local?.endsWith(`:${PORT}`) && state === OPEN);
  const timers = own.map((row) => row[5]?.split(":") ?? []);
  if (!timers.every(([timer]) => timer === KEEPALIVE)) return null;
  return timers.map(([, ticks = ""]) => Number.parseInt(ticks, 16) * 10);
}

test.skipIf(missing !== null)(
  deep(missing === null ? title : `${title} (skipped: ${missing})`),
  async () => {
    await using net = await network(["here", "database"]);
    const { here, database } = net.machines;
    await using server = await ownPostgres(database);
    const child = Bun.spawn([...here.behind, process.execPath, "-e", PROGRAM, server.networkUrl], {
      stdout: "pipe",
    });
    const said = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
    expect(said.value?.trim()).toBe("taken");
    const tableOf = () => Bun.spawnSync([...database.behind, "cat", "/proc/net/tcp"]).stdout.toString();
    const next = await waitFor("the server to wait for its next questions", () => nextQuestionsMs(tableOf()));
    expect(next).toHaveLength(2);
    expect(Math.max(...next)).toBeLessThanOrEqual(10_000);
  },
  180_000,
);
