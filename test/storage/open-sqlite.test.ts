import { Database as SqliteHandle } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { StorageError } from "../../src/storage/schema/storage-error.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { insertSampleRun } from "./sample-rows.ts";

const open = (folder: string) =>
  openDatabase(
    { kind: "sqlite", file: join(folder, "tazuna.db") },
    { backupDir: join(folder, "backups"), programVersion: "0.1.0", busyTimeoutMs: 50 },
  );

async function openOrThrow(folder: string): Promise<Database> {
  return (await open(folder))._unsafeUnwrap();
}

async function refusal(folder: string): Promise<StorageError> {
  return (await open(folder))._unsafeUnwrapErr();
}

const FILE_REMEDY =
  "Check the path of the data folder (TAZUNA_HOME). Check that you may read and write it and the files in it. Then try again.";

/** Every file of the folder with its bytes, without SQLite's index of the log and without an empty log. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name)).toString("base64")] as const)
      .filter(([name, bytes]) => !name.endsWith("-shm") && !(name.endsWith("-wal") && bytes === ""))
      .sort(),
  );
}

/** A closed database with one run in it. */
async function madeBefore(folder: string): Promise<string> {
  const db = await openOrThrow(folder);
  await transact(db, insertSampleRun);
  await db.close();
  return join(folder, "tazuna.db");
}

describe("a SQLite database", () => {
  test("is made if there is none, private, in one file once it is closed, and opens again", async () => {
    await using folder = await tempDir();
    const file = await madeBefore(folder.path);
    expect(readdirSync(folder.path)).toEqual(["tazuna.db"]);
    expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
    const db = await openOrThrow(folder.path);
    expect((await getRun(db.reader, "run-1"))?.instruction).toBe("Water them.");
    await db.close();
  });

  test("keeps what it acknowledged even without power, waits for a lock, and checks references", async () => {
    await using folder = await tempDir();
    const db = await openOrThrow(folder.path);
    const pragma = async (name: string) => {
      const { rows } = await db.writes.kysely.executeQuery<Record<string, unknown>>({
        ...db.writes.kysely.selectFrom("runs").selectAll().compile(),
        sql: `pragma ${name}`,
      });
      return Object.values(rows[0] ?? {})[0];
    };
    expect(
      await Promise.all(["journal_mode", "synchronous", "busy_timeout", "foreign_keys"].map(pragma)),
    ).toEqual(["wal", 2, 50, 1]);
    await db.close();
  });

  test("whose making is killed at any moment is made by the next one that opens it", async () => {
    const program = join(import.meta.dir, "programs/open-database.ts");
    for (const sign of [
      "tazuna.db.new",
      "tazuna.db.new-wal",
      "tazuna.db",
      "tazuna.db-shm",
      "tazuna.db-wal",
    ]) {
      await using folder = await tempDir();
      const argv = [process.execPath, program, join(folder.path, "tazuna.db"), folder.path];
      const child = Bun.spawn(argv, { stdout: "ignore", cwd: "/" });
      while (child.exitCode === null && !existsSync(join(folder.path, sign))) await Bun.sleep(0);
      child.kill("SIGKILL");
      await child.exited;
      const db = await openOrThrow(folder.path);
      await transact(db, insertSampleRun);
      await db.close();
      expect(readdirSync(folder.path)).toEqual(["tazuna.db"]);
    }
  });

  test("whose making was interrupted is made anew", async () => {
    await using folder = await tempDir();
    writeFileSync(join(folder.path, "tazuna.db.new"), "half");
    writeFileSync(join(folder.path, "tazuna.db.new-wal"), "half");
    await (await openOrThrow(folder.path)).close();
    expect(readdirSync(folder.path)).toEqual(["tazuna.db"]);
  });
});

describe("a damaged SQLite database is refused and left as it is:", () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    "garbage in its place": (file) => writeFileSync(file, Buffer.alloc(9_000, "garbage ")),
    "an empty file": (file) => truncateSync(file, 0),
    "cut inside its header": (file) => truncateSync(file, 60),
    "cut inside a page": (file) => truncateSync(file, 3 * 4_096 + 17),
    "cut between pages": (file) => truncateSync(file, 4 * 4_096),
    "a page of zeroes": (file) => overwrite(file, 4_096 * 2, Buffer.alloc(4_096)),
    "a damaged header": (file) => overwrite(file, 0, Buffer.from("SQLite format 9")),
    "a damaged page size": (file) => overwrite(file, 16, Buffer.from([0x12, 0x34])),
  };
  for (const [what, damage] of Object.entries(damages))
    test(what, async () => {
      await using folder = await tempDir();
      const file = await madeBefore(folder.path);
      damage(file);
      const before = contents(folder.path);
      const { code, message, remedy } = await refusal(folder.path);
      expect({ code, contents: contents(folder.path) }).toEqual({
        code: "database_corrupt",
        contents: before,
      });
      expect(message).toContain(file);
      expect(remedy).toContain("`tazuna doctor` says how to put a copy in its place");
    });

  test("a log without its database", async () => {
    await using folder = await tempDir();
    writeFileSync(join(folder.path, "tazuna.db-wal"), "frames");
    const before = contents(folder.path);
    expect((await refusal(folder.path)).code).toBe("database_corrupt");
    expect(contents(folder.path)).toEqual(before);
  });

  test("damage under a log that was not written back", async () => {
    await using folder = await tempDir();
    const file = await madeBefore(folder.path);
    const other = new SqliteHandle(file);
    other.run("create table other (x)");
    // A copy of the files while they are in use is what a crash leaves behind.
    const left = contents(folder.path);
    other.close();
    await using crashed = await tempDir();
    for (const [name, bytes] of Object.entries(left))
      writeFileSync(join(crashed.path, name), Buffer.from(bytes, "base64"));
    overwrite(join(crashed.path, "tazuna.db"), 4_096 * 3, Buffer.alloc(4_096, 7));
    const before = contents(crashed.path);
    expect(Object.keys(before)).toContain("tazuna.db-wal");
    expect((await refusal(crashed.path)).code).toBe("database_corrupt");
    expect(contents(crashed.path)).toEqual(before);
  });
});

describe("a SQLite database that cannot be used now is refused:", () => {
  test("written by another program", async () => {
    await using folder = await tempDir();
    const file = await madeBefore(folder.path);
    const other = new SqliteHandle(file);
    other.run("begin immediate");
    expect((await refusal(folder.path)).code).toBe("database_locked");
    other.run("rollback");
    other.close();
    await (await openOrThrow(folder.path)).close();
  });

  test("held for itself by another program", async () => {
    await using folder = await tempDir();
    const file = await madeBefore(folder.path);
    const other = new SqliteHandle(file);
    other.run("pragma locking_mode = exclusive");
    other.run("begin exclusive");
    expect((await refusal(folder.path)).code).toBe("database_locked");
    other.close();
  });

  test("a folder in its place", async () => {
    await using folder = await tempDir();
    mkdirSync(join(folder.path, "tazuna.db"));
    expect(await refusal(folder.path)).toEqual({
      code: "database_unreachable",
      message: expect.stringContaining(`${folder.path}/tazuna.db: The database cannot be opened (`),
      remedy: FILE_REMEDY,
    });
  });

  test("a link that leads nowhere in its place", async () => {
    await using folder = await tempDir();
    symlinkSync(join(folder.path, "elsewhere"), join(folder.path, "tazuna.db"));
    expect((await refusal(folder.path)).code).toBe("database_unreachable");
    expect(readdirSync(folder.path)).toEqual(["tazuna.db"]);
  });

  test("its folder is not there", async () => {
    await using folder = await tempDir();
    expect(await refusal(join(folder.path, "nowhere"))).toMatchObject({
      code: "database_unreachable",
      message: expect.stringContaining("The database cannot be opened (ENOENT"),
      remedy: FILE_REMEDY,
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  const asUser = "missing" in postgres ? [] : postgres.as;
  const root = process.getuid?.() === 0;
  const program = join(import.meta.dir, "programs/open-database.ts");
  const why = root ? whyNoOtherUser([...asUser], program) : "";
  for (const [what, lock] of [
    ["its file may not be written", (file: string) => chmodSync(file, 0o444)],
    ["its folder may not be written", (file: string) => chmodSync(join(file, ".."), 0o555)],
  ] as const)
    test.skipIf(why !== "")(`${what}${why}`, async () => {
      await using folder = await tempDir();
      const file = await madeBefore(folder.path);
      chmodSync(folder.path, 0o777);
      chmodSync(file, 0o666);
      lock(file);
      const before = contents(folder.path);
      const child = Bun.spawn([...(root ? asUser : []), process.execPath, program, file, folder.path], {
        stdout: "pipe",
        cwd: "/",
      });
      const answer = JSON.parse(await new Response(child.stdout).text());
      expect(answer).toMatchObject({ code: "database_read_only" });
      expect(contents(folder.path)).toEqual(before);
      chmodSync(folder.path, 0o700);
    });
});

/**
 * Why root cannot open a database as another user, who must reach the runtime, the program and the temporary folder.
 */
function whyNoOtherUser(asUser: readonly string[], program: string): string {
  if (asUser.length === 0) return " (skipped: as root, and no way to become another user)";
  const reaches = `"$0" --version && test -r "$1" && test -x "$2"`;
  const tried = Bun.spawnSync([...asUser, "sh", "-c", reaches, process.execPath, program, tmpdir()], {
    cwd: "/",
  });
  return tried.success ? "" : " (skipped: as root, and another user cannot reach this folder)";
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, at);
  writeFileSync(file, content);
}
