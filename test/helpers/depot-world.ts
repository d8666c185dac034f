/** Runs a server with a depot on its disk, over a real Postgres and an origin that has an address. */
import { dirname, join } from "node:path";
import { Client } from "pg";
import { gitHttpServer } from "./git-http-server.ts";
import type { Machine } from "./network/machines.ts";
import { certificateOf, originOn, type TeamNetwork } from "./network/team-network.ts";
import { type OwnPostgres, ownPostgres } from "./own-postgres.ts";
import { type Product, type StartedCommand, startProduct } from "./product.ts";
import { type SilentLine, silentLine } from "./silent-line.ts";
import { waitFor } from "./wait-for.ts";

export interface DepotWorld extends AsyncDisposable {
  readonly product: Product;
  /** Absolute: the folder of the depot, and its one repository. */
  readonly folder: string;
  readonly db: Client;
  readonly postgres: OwnPostgres;
  /** Over which the product reaches its Postgres; `serve` goes past it if it is told the address of `postgres`. */
  readonly line: SilentLine;
  /** Starts `tazuna serve` with these further words; answers once it listens. On a machine, the others reach it. */
  serve(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    machine?: Machine,
  ): Promise<StartedCommand>;
  /** The one row of what the depot has of an attempt. */
  protection(attempt: string): Promise<ProtectionRow | null>;
  /** Waits until the newest copy of the attempt holds these files; answers with its row. */
  holds(attempt: string, files: Readonly<Record<string, string>>): Promise<ProtectionRow>;
  /** Runs git in the depot's repository of the project. */
  git(args: readonly string[]): Promise<string>;
}

export interface ProtectionRow {
  readonly ref: string | null;
  readonly sha: string | null;
  readonly base: string | null;
  readonly run_id: string | null;
  readonly protected_at: string | null;
  readonly unprotected_since: string | null;
  readonly trouble: string | null;
}

interface DepotWorldOptions {
  /** Whether the product reaches its Postgres over a line that can be cut. */
  readonly overLine?: boolean;
  /** Over the environment of every command. */
  readonly env?: Readonly<Record<string, string>>;
  /** The product is the machine `here` then. */
  readonly net?: TeamNetwork | null;
}

export async function depotWorld(
  timing: Readonly<Record<string, number>> = {},
  { overLine = false, env = {}, net = null }: DepotWorldOptions = {},
): Promise<DepotWorld> {
  await using made = new AsyncDisposableStack();
  const postgres = made.use(await ownPostgres(net?.machines.database));
  const line = made.use(await silentLine(postgres.url));
  const product = made.use(
    await startProduct({
      env: { TAZUNA_DATABASE: overLine ? line.url : postgres.networkUrl, ...env },
      behind: net?.machines.here.behind ?? [],
      timing: { depotMs: 200, ...timing },
    }),
  );
  const { sandbox, origin, repository } = product;
  const place = dirname(product.home);
  const certificate = net === null ? null : await certificateOf(net, { folder: place, sandbox });
  const server =
    net === null || certificate === null
      ? await gitHttpServer(dirname(origin))
      : await originOn(net.machines.forge, origin, certificate);
  made.use(server);
  const url = typeof server.url === "string" ? server.url : server.url("origin.git");
  await sandbox.git(repository, ["remote", "set-url", "origin", url]);
  const folder = join(place, "depot");
  const db = new Client({ connectionString: postgres.url });
  db.on("error", () => undefined);
  await db.connect();
  made.defer(() => db.end().catch(() => undefined));
  const started: StartedCommand[] = [];
  made.defer(async () => {
    for (const command of started) command.kill("SIGKILL");
    await Promise.all(started.map(({ end }) => end));
  });
  const git = async (args: readonly string[]) => {
    const [name = "none"] = await Array.fromAsync(
      new Bun.Glob("*.git").scan({ cwd: folder, onlyFiles: false }),
    );
    return sandbox.git(join(folder, name), args);
  };
  const protection = async (attempt: string) =>
    (await db.query("select * from protections where attempt_id = $1", [attempt])).rows[0] ?? null;
  const owned = made.move();
  return {
    product,
    folder,
    ...{ db, postgres, line },
    git,
    protection,
    serve: async (args, env = {}, machine) => {
      const door =
        machine === undefined || certificate === null
          ? []
          : ["--host", machine.address, "--tls-cert", certificate.cert, "--tls-key", certificate.key];
      const words = ["serve", "--port", "0", "--json", ...door, ...args];
      const command = product.start(words, { env, ...(machine && { behind: machine.behind }) });
      started.push(command);
      const ended = command.end.then(({ stderr }) => {
        throw new Error(`serve ended: ${stderr}`);
      });
      ended.catch(() => undefined);
      await Promise.race([
        waitFor("the server to listen", () => command.printed().includes("\n"), { withinMs: 120_000 }),
        ended,
      ]);
      return command;
    },
    holds: async (attempt, files) => {
      let row: ProtectionRow | null = null;
      await waitFor(
        `the depot to have ${Object.keys(files).join(", ")}`,
        async () => {
          row = await protection(attempt);
          if (row?.sha == null) return false;
          const sha = row.sha;
          const found = await Promise.all(
            Object.keys(files).map((path) => git(["show", `${sha}:${path}`]).catch(() => null)),
          );
          return JSON.stringify(found) === JSON.stringify(Object.values(files));
        },
        { withinMs: 120_000, instead: () => row },
      );
      return row as unknown as ProtectionRow;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
