/** Gives a test a schema of its own in the Postgres of the run, for products that work as a team of two. */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { postgres, postgresUrl } from "./postgres-server.ts";

/** Whether products of this run work as a team of two (`TAZUNA_TEST_TEAM=1`). */
export const IN_TEAM = process.env.TAZUNA_TEST_TEAM === "1";

/** Of data folders whose engines work on such a schema. */
const schemas = new Map<string, string>();

/** The address of the schema that this data folder's engine works on; null if it has an SQLite. */
export function schemaOf(home: string): string | null {
  return schemas.get(home) ?? null;
}

/** The title of a test that looks into the file of an SQLite. With `test.skipIf(IN_TEAM)` it says why it is skipped. */
export function onSqlite(title: string): string {
  return IN_TEAM ? `${title} (skipped in a team: it looks into the file of an SQLite)` : title;
}

export interface OwnSchema extends AsyncDisposable {
  /** The address of the run's Postgres, at this schema. */
  readonly url: string;
  /** Tells readers of what is stored that an engine works here. */
  usedBy(home: string): void;
}

/** An empty schema in the Postgres of the run. */
export async function ownSchema(): Promise<OwnSchema> {
  if ("missing" in postgres) throw new Error(postgres.missing);
  const server = await postgresUrl();
  const schema = `team_${randomBytes(8).toString("hex")}`;
  await execute(server, `create schema ${schema}`);
  const url = `${server}&options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  return {
    url,
    usedBy: (home) => schemas.set(home, url),
    [Symbol.asyncDispose]: () =>
      execute(
        server,
        `drop schema if exists ${schema} cascade; drop schema if exists tazuna_jobs_${schema} cascade`,
      ),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
