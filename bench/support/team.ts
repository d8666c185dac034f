/** Runs a team for a benchmark: one Postgres, and engines as processes, each with a data folder and a clone of one address. */
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { gitHttpServer } from "../../test/helpers/git-http-server.ts";
import { ownPostgres } from "../../test/helpers/own-postgres.ts";
import { type BenchEngine, startEngine } from "./engine.ts";
import { makeScratch, type Scratch } from "./scratch.ts";

export interface BenchTeam extends AsyncDisposable {
  readonly scratch: Scratch;
  readonly engines: readonly BenchEngine[];
  /** On a connection that belongs to no engine. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** An engine holds five connections. */
const CONNECTIONS_EACH = 6;

/** Each engine begins up to `slots` runs of the agent `bench`, which is `agent`. Everything ends with the scope. */
export async function startTeam(of: {
  readonly workers: number;
  readonly slots: number;
  readonly agent: string;
}): Promise<BenchTeam> {
  await using parts = new AsyncDisposableStack();
  const scratch = parts.use(await makeScratch({ files: 50 }));
  const postgres = parts.use(await ownPostgres());
  const client = await connect(postgres.url);
  await client.query(`alter system set max_connections = ${of.workers * CONNECTIONS_EACH + 20}`);
  await client.end();
  await postgres.stop();
  await postgres.start();
  const server = parts.use(await gitHttpServer(dirname(scratch.origin)));
  const own = await connect(postgres.url);
  parts.defer(() => own.end());
  const agent = await scratch.script("agent", of.agent);
  await scratch.configure({
    agents: { bench: { executor: "command", command: [agent] } },
    limits: { parallel: of.slots, per_repository: 1_000, per_login: 1_000 },
  });
  const engines: BenchEngine[] = [];
  for (let n = 0; n < of.workers; n++)
    engines.push(
      parts.use(await joinOne(scratch, { n, url: server.url("origin.git"), database: postgres.url })),
    );
  const all = parts.move();
  // Also if this process is told to end: a scope is not left then.
  const end = () => {
    for (const { pid } of engines) process.kill(pid, "SIGTERM");
    process.exit(1);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);
  all.defer(() => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, end);
  });
  return {
    scratch,
    engines,
    query: async (text, values = []) => (await own.query(text, [...values])).rows,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function joinOne(
  scratch: Scratch,
  { n, url, database }: { readonly n: number; readonly url: string; readonly database: string },
): Promise<BenchEngine> {
  const [home, clone] = [join(scratch.root, `home-${n}`), join(scratch.root, `clone-${n}`)];
  await mkdir(home, { mode: 0o700 });
  await copyFile(join(scratch.home, "config.json"), join(home, "config.json"));
  // The server is this process, which such a call keeps from answering.
  scratch.git(scratch.root, "clone", "-q", scratch.origin, clone);
  scratch.git(clone, "remote", "set-url", "origin", url);
  const env = { ...scratch.env, TAZUNA_HOME: home, TAZUNA_DATABASE: database };
  const engine = await startEngine({ ...scratch, home, clone, env });
  const added = await engine.client.addRepository({ path: clone });
  if (added.isErr()) throw new Error(`the clone was refused: ${JSON.stringify(added.error)}`);
  return engine;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
