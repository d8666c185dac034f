/** Holds that the server soon asks a silent machine whether it is there: only then its lock goes, if it lost its power. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { network } from "../helpers/network/machines.ts";
import { whyNoNamespaces } from "../helpers/network/namespaces.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

const missing = "missing" in postgres ? postgres.missing : whyNoNamespaces();
const title = "the server asks whoever holds the lock of an engine every ten seconds whether they are there";

const LOCK = join(import.meta.dir, "../../src/storage/postgres/postgres-engine-lock.ts");
const PROGRAM = `
const { takePostgresEngineLock } = await import(${JSON.stringify(LOCK)});
const [url, patience] = process.argv.slice(1);
const options = { worker: "one", onLost: () => undefined, patienceMs: Number(patience) };
const taken = await takePostgresEngineLock({ url, schema: null }, options);
console.log(taken.isErr() ? taken.error.message : typeof taken.value === "string" ? taken.value : "taken");
setInterval(() => undefined, 1_000);
`;

/** The port of the Postgres, and an open connection, as `/proc/net/tcp` writes them. */
const [PORT, OPEN] = [(5432).toString(16).toUpperCase().padStart(4, "0"), "01"];
/** The timer that asks whether the other side is still there. */
const KEEPALIVE = "02";

/** Of the only connection to the Postgres; null while another timer runs. The kernel counts in hundredths of a second. */
function nextQuestionMs(table: string): number | null {
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  const own = rows.find(([, local, , state]) => local?.endsWith(`:${PORT}`) && state === OPEN);
  const [timer, ticks] = own?.[5]?.split(":") ?? [];
  return timer === KEEPALIVE && ticks !== undefined ? Number.parseInt(ticks, 16) * 10 : null;
}

test.skipIf(missing !== null)(
  deep(missing === null ? title : `${title} (skipped: ${missing})`),
  async () => {
    await using net = await network(["here", "database"]);
    const { here, database } = net.machines;
    await using server = await ownPostgres(database);
    const take = async (patienceMs: number) => {
      const words = [process.execPath, "-e", PROGRAM, server.networkUrl, String(patienceMs)];
      const child = Bun.spawn([...here.behind, ...words], { stdout: "pipe" });
      const said = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
      return said.value?.trim();
    };
    expect(await take(0)).toBe("taken");
    const tableOf = () => Bun.spawnSync([...database.behind, "cat", "/proc/net/tcp"]).stdout.toString();
    const nextQuestion = await waitFor("the server to wait for its next question", () =>
      nextQuestionMs(tableOf()),
    );
    expect(nextQuestion).toBeLessThanOrEqual(10_000);
  },
  180_000,
);
