/** Finds what the disk holds and the database does not know of; it looks and changes nothing. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../domain/doctor/finding.ts";
import { attemptRows } from "../../storage/ledger-rows.ts";
import type { ServiceContext } from "../context.ts";

/** What lies there is read before the database: what Tazuna makes meanwhile is written down before it is made. */
export async function findLedgerFindings(
  context: Pick<ServiceContext, "db" | "paths">,
): Promise<readonly Finding[]> {
  const { worktrees } = context.paths;
  const names = await readdir(worktrees).catch(() => []);
  const known = new Set((await attemptRows(context.db.reader)).map(({ worktree }) => worktree));
  return names
    .map((name) => ({ name, path: join(worktrees, name) }))
    .filter(({ path }) => !known.has(path))
    .map(({ name, path }) => ({
      id: `worktree:${name}`,
      level: "warning",
      what: `${path} is no worktree that the database knows.`,
      whose: null,
      why: "It is kept: nothing shows whose it is.",
      bytes: null,
      path,
      remedy: "Look at what is in it; move it away, or delete it, yourself.",
    }));
}
