import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { openDatabase } from "../../src/storage/database.ts";
import { scramVerifier } from "../../src/storage/postgres/scram-verifier.ts";
import { closeWorkerRole, makeWorkerRole } from "../../src/storage/postgres/worker-roles.ts";
import { transact } from "../../src/storage/transact.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

test("the verifier of a password is the one that RFC 7677 computes", () => {
  const verifier = scramVerifier("pencil", Buffer.from("W22ZaJ0SNY7soEsUEjb6gQ==", "base64"));
  expect(verifier).toBe(
    "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
  );
});

const CLOSED = ["browsers", "invites", "people", "sign_in_codes", "sign_in_flows"];

test.skipIf("missing" in postgres)(
  deep("a worker's role may change rows of every table but those that let others in"),
  async () => {
    await using server = await ownPostgres();
    await using folder = await tempDir();
    const db = (
      await openDatabase(
        { kind: "postgres", url: server.url, schema: 'own "schema' },
        { backupDir: folder.path, programVersion: "0.1.0" },
      )
    )._unsafeUnwrap();
    const plan = {
      worker: "0190b6a0-0000-7000-8000-000000000001",
      verifier: scramVerifier("secret", randomBytes(16)),
      jobs: "tazuna_jobs_none",
    };
    const role = await transact(db, (trx) => makeWorkerRole(trx, plan));
    expect(role).toBe("tazuna_worker_0190b6a0000070008000000000000001");
    // A worker that joins again keeps its role, with another password.
    expect(await transact(db, (trx) => makeWorkerRole(trx, plan))).toBe(role);
    const client = new Client({ connectionString: server.url.replace("postgres@", `${role}@`) });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query(
      `select tablename as name, has_table_privilege(format('%I.%I', schemaname, tablename), 'insert') as writes,
       has_table_privilege(format('%I.%I', schemaname, tablename), 'select') as reads
       from pg_tables where schemaname = current_schema()`,
    );
    const names = (that: (row: { reads: boolean; writes: boolean }) => boolean) =>
      rows
        .filter(that)
        .map(({ name }) => name)
        .sort();
    expect(rows.length).toBeGreaterThan(20);
    expect(names(({ reads }) => !reads)).toEqual(CLOSED);
    expect(names(({ writes }) => !writes)).toEqual(
      ["access_tokens", ...CLOSED, "depot", "log_packs", "schema_migrations"].sort(),
    );
    // So a token's owner is known there, and nothing else of anybody.
    await client.query("select id, email, role from people");
    await expect(client.query("select subject from people")).rejects.toThrow("permission denied");
    // What was done to the team may be added to there, and not be taken back.
    for (const change of ["delete from team_acts", "update team_acts set name = ''"])
      await expect(client.query(change)).rejects.toThrow("permission denied");
    const may = await client.query(
      "select has_schema_privilege(current_schema(), 'create') as creates, rolcreaterole from pg_roles where rolname = current_user",
    );
    expect(may.rows).toEqual([{ creates: false, rolcreaterole: false }]);
    await client.end();
    await transact(db, (trx) => closeWorkerRole(trx, plan.worker));
    const removed = new Client({ connectionString: server.url.replace("postgres@", `${role}@`) });
    removed.on("error", () => undefined);
    await expect(removed.connect()).rejects.toThrow("not permitted to log in");
    await db.close();
  },
  180_000,
);

test.skipIf("missing" in postgres)(
  deep("a login that may make no roles makes none, and its transaction goes on"),
  async () => {
    await using server = await ownPostgres();
    await using folder = await tempDir();
    const admin = new Client({ connectionString: server.url });
    admin.on("error", () => undefined);
    await admin.connect();
    await admin.query("create role plain login");
    await admin.query("create schema plain authorization plain");
    await admin.query("create role maker login createrole");
    await admin.query("grant usage on schema plain to maker");
    const openAs = async (login: string) =>
      (
        await openDatabase(
          { kind: "postgres", url: server.url.replace("postgres@", `${login}@`), schema: "plain" },
          { backupDir: folder.path, programVersion: "0.1.0" },
        )
      )._unsafeUnwrap();
    const plan = { worker: "0190b6a0", verifier: scramVerifier("secret", randomBytes(16)), jobs: "none" };
    const plain = await openAs("plain");
    expect(await transact(plain, (trx) => makeWorkerRole(trx, plan))).toBeNull();
    await plain.close();
    // It may make roles, but the tables belong to another login.
    await admin.query("grant select on all tables in schema plain to maker");
    const maker = await openAs("maker");
    const made = await transact(maker, async (trx) => {
      const role = await makeWorkerRole(trx, plan);
      return [role, (await trx.selectFrom("workers").select("id").execute()).length];
    });
    expect(made).toEqual([null, 0]);
    const { rows } = await admin.query("select rolname from pg_roles where rolname like 'tazuna%'");
    expect(rows).toEqual([]);
    await maker.close();
    await admin.end();
  },
  180_000,
);
