import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import { StorageFailure } from "../../src/storage/schema/storage-error.ts";
import { appendFact, factsAfter } from "../../src/storage/tables/facts.ts";
import { transact } from "../../src/storage/transact.ts";
import { POSIX } from "../helpers/need.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { NOON } from "./sample-rows.ts";

interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Gives the disk another size. */
  resize(kib: number): void;
}

/** A disk of so many KiB in memory; only root may mount one. */
async function smallDisk(kib: number): Promise<SmallDisk> {
  const folder = await tempDir();
  const mount = (options: string) =>
    spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder.path], { encoding: "utf8" });
  const mounted = mount(`size=${kib}k,mode=700`);
  if (mounted.status !== 0) throw new Error(mounted.stderr);
  return {
    path: folder.path,
    resize: (size) => {
      mount(`remount,size=${size}k`);
    },
    [Symbol.asyncDispose]: async () => {
      spawnSync("umount", ["--lazy", folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

const mountable = await smallDisk(64).then(
  async (disk) => {
    await disk[Symbol.asyncDispose]();
    return true;
  },
  () => false,
);
const skipped = mountable ? "" : " (skipped: no tmpfs can be mounted here; run the tests as root on Linux)";

const open = (folder: string) =>
  openDatabase(
    { kind: "sqlite", file: join(folder, "tazuna.db") },
    { backupDir: join(folder, "backups"), programVersion: "0.1.0" },
  );

const fact = {
  at: NOON,
  kind: "x",
  taskId: null,
  attemptId: null,
  runId: null,
  data: { text: "x".repeat(500) },
};

describe.skipIf(!mountable)(`on a full disk, SQLite${skipped}`, () => {
  test("is not made, leaves nothing, and is made once there is room", async () => {
    for (const kib of [4, 8, 12, 16, 24, 36, 40, 44, 64, 100, 140, 180]) {
      await using disk = await smallDisk(kib);
      const refused = await open(disk.path);
      expect([kib, refused.isErr() && refused.error.code]).toEqual([kib, "disk_full"]);
      disk.resize(10_000);
      const db = (await open(disk.path))._unsafeUnwrap();
      await transact(db, (trx) => appendFact(trx, fact));
      expect((await factsAfter(db.reader, 0, 10)).length).toBe(1);
      await db.close();
      expect(readdirSync(disk.path)).toEqual(["tazuna.db"]);
    }
  });

  test("keeps everything that it acknowledged, refuses the rest by name, and goes on once there is room", async () => {
    await using disk = await smallDisk(4_000);
    const db = (await open(disk.path))._unsafeUnwrap();
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(join(disk.path, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - 200_000)));
    let acknowledged = 0;
    const failure = await (async () => {
      for (;;) {
        await transact(db, (trx) => appendFact(trx, fact));
        acknowledged += 1;
      }
    })().catch((error) => error);
    expect(failure).toBeInstanceOf(StorageFailure);
    expect(failure.storage.code).toBe("disk_full");
    expect((await factsAfter(db.reader, 0, 100_000)).length).toBe(acknowledged);
    rmSync(join(disk.path, "filler"));
    await transact(db, (trx) => appendFact(trx, fact));
    await db.close();
    const again = (await open(disk.path))._unsafeUnwrap();
    expect((await factsAfter(again.reader, 0, 100_000)).length).toBe(acknowledged + 1);
    await again.close();
  });
});

test.skipIf(POSIX.missing)(
  `a limit on file sizes, which SQLite reports like a quota, counts as no room: nothing acknowledged is lost${POSIX.why}`,
  async () => {
    await using folder = await tempDir();
    const program = join(import.meta.dir, "programs/write-until-refused.ts");
    // Blocks of 512 bytes: less than the log of SQLite grows to.
    const argv = ["sh", "-c", 'ulimit -f 4096; exec "$@"', "sh", process.execPath, program, folder.path];
    const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
    const said = JSON.parse(await new Response(child.stdout).text());
    expect(said).toEqual({ refused: "disk_full", acknowledged: said.stored, stored: expect.any(Number) });
    expect(said.stored).toBeGreaterThan(0);
  },
);
