/** Reads and changes what an engine has stored, in its SQLite or its schema on a Postgres, without asking the engine. */
import { Database } from "bun:sqlite";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaOf } from "./own-schema.ts";

export type StoredRow = Readonly<Record<string, unknown>>;

export interface Question {
  readonly sql: string;
  /** For `$1` and those that follow. */
  readonly values?: readonly (string | number)[];
}

/** The rows of one question. */
export function storedRows<T = StoredRow>(home: string, question: Question): readonly T[] {
  return (storedAnswers(home, [question])[0] ?? []) as readonly T[];
}

/** The rows of several questions, all read at one moment. */
export function storedAnswers(
  home: string,
  questions: readonly Question[],
): readonly (readonly StoredRow[])[] {
  const url = schemaOf(home);
  return url === null ? onSqlite(home, questions) : onPostgres(url, questions);
}

/** Whether there is a database yet. */
export function hasDatabase(home: string): boolean {
  return schemaOf(home) !== null || existsSync(join(home, "tazuna.db"));
}

/** All that its database holds, as text in which a secret can be looked for. */
export function storedText(home: string): string {
  if (schemaOf(home) === null)
    return ["", "-wal"].map((end) => contentOf(join(home, `tazuna.db${end}`))).join("\n");
  const tables = storedRows<{ name: string }>(home, {
    sql: "select table_name as name from information_schema.tables where table_schema = current_schema()",
  });
  return JSON.stringify(
    storedAnswers(
      home,
      tables.map(({ name }) => ({ sql: `select * from ${name}` })),
    ),
  );
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function onSqlite(home: string, questions: readonly Question[]): StoredRow[][] {
  const db = new Database(join(home, "tazuna.db"), { readwrite: true, create: false });
  try {
    db.run("pragma busy_timeout = 10000");
    return db.transaction(() =>
      questions.map(({ sql, values = [] }) => db.query<StoredRow, (string | number)[]>(sql).all(...values)),
    )();
  } finally {
    db.close();
  }
}

/** By another process: those who ask cannot wait, as they could not for the file. */
function onPostgres(url: string, questions: readonly Question[]): StoredRow[][] {
  const asked = spawnSync(process.execPath, ["-e", ASK, url], {
    cwd: import.meta.dir,
    input: JSON.stringify(questions),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (asked.status !== 0) throw new Error(`the Postgres did not answer: ${asked.stderr}`);
  return JSON.parse(asked.stdout) as StoredRow[][];
}

const ASK = `
  const { Client, types } = require("pg");
  types.setTypeParser(types.builtins.INT8, Number);
  const client = new Client({ connectionString: process.argv[1] });
  await client.connect();
  await client.query("begin isolation level repeatable read");
  const answers = [];
  for (const { sql, values } of JSON.parse(await Bun.stdin.text()))
    answers.push((await client.query(sql.replaceAll("rowid", "ctid"), values)).rows);
  await client.query("commit");
  await client.end();
  console.log(JSON.stringify(answers));
`;
