/** Copies a SQLite database, whole and checked, before something could go wrong with it. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";
import { quickCheck } from "./sqlite-file.ts";
import { syncFile, syncFolder } from "./sync-to-disk.ts";

/** Writes `BACKUPDIR/NAME-N.db` with the next free N and answers its path; a half-made copy never has that name. */
export async function backupSqlite(
  db: Kysely<Schema>,
  options: { readonly backupDir: string; readonly name: string },
): Promise<string> {
  mkdirSync(options.backupDir, { recursive: true, mode: 0o700 });
  const draft = join(options.backupDir, `${options.name}.part`);
  rmSync(draft, { force: true });
  try {
    await sql`vacuum into ${draft}`.execute(db);
    quickCheck(draft);
    syncFile(draft);
    const file = freeName(options);
    renameSync(draft, file);
    syncFolder(options.backupDir);
    return file;
  } finally {
    rmSync(draft, { force: true });
  }
}

function freeName({ backupDir, name }: { readonly backupDir: string; readonly name: string }): string {
  for (let n = 1; ; n++) {
    const file = join(backupDir, `${name}-${n}.db`);
    if (!existsSync(file)) return file;
  }
}
