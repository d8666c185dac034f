/** Makes teams on a schema of their own in the run's Postgres, and writes down what their members are told. */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { jobsSchema } from "../../src/dispatch/queues.ts";
import { type ExecuteSql, joinTeam, type LookAt, type Team } from "../../src/dispatch/team.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { executeSql, schemaOf } from "../../src/storage/postgres/execute-sql.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { postgresUrl } from "../helpers/postgres-server.ts";
import { tempDir } from "../helpers/temp-dir.ts";

export interface Member {
  readonly team: Team;
  readonly db: Database;
  readonly execute: ExecuteSql;
  /** What it was told, in order: `look RUN/ATTEMPT`, `place`, `silent WORKER`, `there WORKER`, `error MESSAGE`. */
  readonly told: readonly string[];
  /** Stops it, and closes its connections. */
  leave(): Promise<void>;
}

interface Joining {
  readonly onLook?: (at: LookAt) => Promise<void>;
  readonly onPlace?: () => Promise<void>;
  /** Also hears of jobs, as an engine does. */
  readonly listens?: true;
  /** Called with each text that is sent to the database. */
  readonly sent?: (text: string) => void;
}

/** The database of a member, as another program opens it. */
export async function openOn(target: { readonly url: string; readonly schema: string | null }) {
  const backups = await tempDir();
  const opened = await openDatabase(
    { kind: "postgres", url: target.url, ...(target.schema === null ? {} : { schema: target.schema }) },
    { backupDir: backups.path, programVersion: "0.1.0" },
  );
  await backups[Symbol.asyncDispose]();
  return opened._unsafeUnwrap();
}

export async function join(
  target: { readonly url: string; readonly schema: string | null },
  worker: string,
  { onLook, onPlace, sent, listens }: Joining = {},
): Promise<Member> {
  const db = await openOn(target);
  const told: string[] = [];
  const execute = executeSql(db.writes.aside);
  const noted =
    (run: ExecuteSql): ExecuteSql =>
    (text, values) => {
      sent?.(text);
      return run(text, values);
    };
  const nothing = { onNews: () => undefined, onError: () => undefined };
  const hearing = listens === true ? db.hearOthers?.(nothing) : undefined;
  const team = await joinTeam({
    ...(listens === true && db.listen !== undefined ? { listen: db.listen } : {}),
    execute: noted(execute),
    executeBeside: noted(executeSql(db.reader)),
    schema: await schemaOf(db.reader),
    worker,
    onLook: async (at) => {
      told.push(`look ${at.run}/${at.attempt}`);
      await onLook?.(at);
    },
    onPlace: async () => {
      told.push("place");
      await onPlace?.();
    },
    onSilent: async (other) => void told.push(`silent ${other}`),
    onPresent: async (other) => void told.push(`there ${other}`),
    onError: (error) => void told.push(`error ${error instanceof Error ? error.message : error}`),
  });
  return {
    team,
    db,
    execute,
    told,
    leave: async () => {
      await team.stop();
      await hearing?.stop();
      await db.close();
    },
  };
}

export interface World extends AsyncDisposable {
  readonly target: { readonly url: string; readonly schema: string };
  join(worker: string, joining?: Joining): Promise<Member>;
  /** Asks the database, as an administrator does. */
  ask(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

export async function teamWorld(): Promise<World> {
  const target = { url: await postgresUrl(), schema: `test_${randomBytes(8).toString("hex")}` };
  const members: Member[] = [];
  const client = new Client({ connectionString: target.url });
  await client.connect();
  return {
    target,
    join: async (worker, joining) => {
      const member = await join(target, worker, joining);
      members.push(member);
      return member;
    },
    ask: async (sql, values = []) => (await client.query(sql, [...values])).rows,
    [Symbol.asyncDispose]: async () => {
      for (const member of members) await member.leave();
      for (const schema of [target.schema, jobsSchema(target.schema)])
        await client.query(`drop schema if exists ${schema} cascade`);
      await client.end();
    },
  };
}

/** What a program has printed until now, line by line. */
export function lines(stream: ReadableStream<Uint8Array>): readonly string[] {
  const said: string[] = [];
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
      rest = parts.pop() ?? "";
      said.push(...parts);
    }
  })();
  return said;
}
