/** Runs a server with a depot on its disk, over a real Postgres and an origin that has an address. */
import { dirname, join } from "node:path";
import { Client } from "pg";
import { gitHttpServer } from "./git-http-server.ts";
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
  /** Starts `tazuna serve` with these further words; answers once it listens. */
  serve(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<StartedCommand>;
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
}

export async function depotWorld(
  timing: Readonly<Record<string, number>> = {},
  { overLine = false, env = {} }: DepotWorldOptions = {},
): Promise<DepotWorld> {
  const postgres = await ownPostgres();
  const line = await silentLine(postgres.url);
  const product = await startProduct({
    env: { TAZUNA_DATABASE: overLine ? line.url : postgres.url, ...env },
    timing: { depotMs: 200, ...timing },
  });
  const { sandbox, origin, repository } = product;
  const server = await gitHttpServer(dirname(origin));
  await sandbox.git(repository, ["remote", "set-url", "origin", server.url("origin.git")]);
  const folder = join(dirname(product.home), "depot");
  const db = new Client({ connectionString: postgres.url });
  db.on("error", () => undefined);
  await db.connect();
  const started: StartedCommand[] = [];
  const git = async (args: readonly string[]) => {
    const [name = "none"] = await Array.fromAsync(
      new Bun.Glob("*.git").scan({ cwd: folder, onlyFiles: false }),
    );
    return sandbox.git(join(folder, name), args);
  };
  const protection = async (attempt: string) =>
    (await db.query("select * from protections where attempt_id = $1", [attempt])).rows[0] ?? null;
  return {
    product,
    folder,
    ...{ db, postgres, line },
    git,
    protection,
    serve: async (args, env = {}) => {
      const command = product.start(["serve", "--port", "0", "--json", ...args], { env });
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
        { withinMs: 120_000 },
      );
      return row as unknown as ProtectionRow;
    },
    [Symbol.asyncDispose]: async () => {
      for (const command of started) command.kill("SIGKILL");
      await Promise.all(started.map(({ end }) => end));
      await db.end().catch(() => undefined);
      await product[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await line[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}
