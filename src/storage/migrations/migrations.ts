/** Lists every migration in order; a released name never changes. One with `adds` promises what ADR 0100 says. */
import { sql } from "kysely";
import type { Migration, Migrations } from "../schema/migrator.ts";
import { firstTables } from "./0001-first-tables.ts";
import { pullRequestTable } from "./0013-pull-requests.ts";
import { decisions } from "./0014-decisions.ts";
import { questions } from "./0016-questions.ts";
import { commentAnchors } from "./0019-comment-anchors.ts";
import { viewed } from "./0020-viewed.ts";
import { drafts } from "./0021-drafts.ts";
import { baseChecks } from "./0022-base-checks.ts";
import { answerRules } from "./0030-answer-rules.ts";
import { operationsSearched } from "./0031-operations-searched.ts";
import { accessTokens } from "./0034-access-tokens.ts";
import { signInCodes } from "./0035-sign-in-codes.ts";
import { workers } from "./0037-workers.ts";
import { notices } from "./0038-notices.ts";
import { browsers } from "./0040-browsers.ts";
import { drains } from "./0041-drains.ts";
import { requests } from "./0042-requests.ts";
import { invites } from "./0043-invites.ts";
import { depot } from "./0048-depot.ts";
import { logChunks } from "./team/0049-log-chunks.ts";
import { people } from "./team/0051-adds-people.ts";
import { protocols } from "./team/0053-adds-protocols.ts";
import { labels } from "./team/0055-adds-labels.ts";
import { logPacks } from "./team/0056-adds-log-packs.ts";
import { leftWorktrees } from "./team/0061-adds-left-worktrees.ts";
import { teamActs } from "./team/0064-adds-team-acts.ts";

/** Lets attempts and runs of all tasks be listed newest first without a scan of all of them. */
const newestFirst: Migration = {
  async up(db) {
    for (const table of ["attempts", "runs"])
      await db.schema.createIndex(`${table}_newest`).on(table).columns(["created_at", "id"]).execute();
  },
};

/** Deletes the bare names of files that earlier checks left: without the content, a change cannot be detected. */
const leftFilesByContent: Migration = {
  async up(db) {
    await sql`update checks set left_behind = '[]' where left_behind like '["%'`.execute(db);
  },
};

/** Stores with a task the settings from its creator's environment. */
const taskSettings: Migration = {
  async up(db) {
    await db.schema
      .alterTable("tasks")
      .addColumn("settings", "text", (column) => column.notNull().defaultTo("{}"))
      .execute();
  },
};

/** Frees every run: earlier programs named a process in their leases, and this one names a data folder. */
const leasesByFolder: Migration = {
  async up(db) {
    await sql`update runs set lease_owner = null, lease_until = null where lease_owner is not null`.execute(
      db,
    );
  },
};

/** Names the data folder that did an act, and the one that holds an attempt's worktree. */
const rowsByWorker: Migration = {
  async up(db, kind) {
    for (const table of ["operations", "attempts"]) await newColumn(table, "worker_id", "ascii").up(db, kind);
  },
};

/** Names the worker on whose disk a repository lies, and the one that drives a run. On a Postgres two machines may have the same path. */
const workByWorker: Migration = {
  async up(db, kind) {
    for (const table of ["repositories", "runs"]) await newColumn(table, "worker_id", "ascii").up(db, kind);
    if (kind === "sqlite") return;
    for (const change of [
      sql`alter table repositories drop constraint if exists repositories_path_key`,
      sql`create unique index repositories_path on repositories (path, coalesce(worker_id, ''))`,
    ])
      await change.execute(db);
  },
};

/** Names where a repository is fetched from. What was cloned from an address has that one. */
const repositoryAddress: Migration = {
  async up(db, kind) {
    await newColumn("repositories", "address", "text").up(db, kind);
    await sql`update repositories set address = url`.execute(db);
  },
};

/** Names the clone in which an attempt works: another worker than that of its task may take it. */
const repositoryOfAttempts: Migration = {
  async up(db, kind) {
    await newColumn("attempts", "repository_id", "ascii").up(db, kind);
    await sql`update attempts set repository_id = (select repository_id from tasks where tasks.id = attempts.task_id)`.execute(
      db,
    );
    await sql`create index attempts_repository on attempts (repository_id)`.execute(db);
  },
};

/** A worker looks at what ended lately of its attempts (`uncopied-attempts.ts`). */
const endedAttempts: Migration = {
  async up(db) {
    await sql`create index attempts_ended on attempts (worker_id, ended_at)`.execute(db);
  },
};

/** Says for which limits a run counts while a worker works on it. */
const slotsOfRuns: Migration = {
  async up(db, kind) {
    for (const column of ["slot_repository", "slot_login"])
      await newColumn("runs", column, "text").up(db, kind);
  },
};

/** Says who asked for an act, and whose comment it is. */
const actors: Migration = {
  async up(db, kind) {
    for (const table of ["operations", "comments"]) await newColumn(table, "actor", "text").up(db, kind);
  },
};

/** Says who trusted a script, and who drained a worker. */
const actorsOfRows: Migration = {
  async up(db, kind) {
    await newColumn("trusted_scripts", "actor", "text").up(db, kind);
    await newColumn("workers", "drain_actor", "text").up(db, kind);
  },
};

export const MIGRATIONS: Migrations = {
  "0001-first-tables": firstTables,
  "0002-created-under-key": newColumn("idempotency_keys", "created_id", "ascii"),
  "0003-task-settings": taskSettings,
  "0004-newest-first": newestFirst,
  "0005-left-files-by-content": leftFilesByContent,
  "0006-isolation-reason": newColumn("runs", "isolation_reason", "text"),
  "0007-clean-up-trouble": newColumn("attempts", "clean_up", "text"),
  "0008-started-from": newColumn("attempts", "started_from", "text"),
  "0009-attempt-patch": newColumn("attempts", "patch", "text"),
  "0010-removed-repositories": newColumn("repositories", "removed_at", "text"),
  "0013-pull-requests": pullRequestTable,
  "0014-decisions": decisions,
  "0015-merged-attempts": newColumn("attempts", "merged", "text"),
  "0016-questions": questions,
  "0017-clones": newColumn("repositories", "url", "text"),
  "0018-attempt-origin": newColumn("attempts", "origin", "text"),
  "0019-comment-anchors": commentAnchors,
  "0020-viewed": viewed,
  "0021-drafts": drafts,
  "0022-base-checks": baseChecks,
  "0024-decisions-taken-back": newColumn("decisions", "taken_back_at", "text"),
  "0030-answer-rules": answerRules,
  "0031-operations-searched": operationsSearched,
  "0032-leases-by-folder": leasesByFolder,
  "0033-rows-by-worker": rowsByWorker,
  "0034-access-tokens": accessTokens,
  "0035-sign-in-codes": signInCodes,
  "0036-work-by-worker": workByWorker,
  "0037-workers": workers,
  "0038-notices": notices,
  "0039-repository-address": repositoryAddress,
  "0040-browsers": browsers,
  "0041-drains": drains,
  "0042-requests": requests,
  "0043-invites": invites,
  "0046-repository-of-attempts": repositoryOfAttempts,
  "0047-slots-of-runs": slotsOfRuns,
  "0048-depot": depot,
  "0049-log-chunks": logChunks,
  "0051-adds-people": people,
  "0053-adds-protocols": protocols,
  "0055-adds-labels": labels,
  "0056-adds-log-packs": logPacks,
  "0059-adds-actors": actors,
  "0061-adds-left-worktrees": leftWorktrees,
  "0062-adds-actors-of-rows": actorsOfRows,
  "0063-adds-given-role": newColumn("people", "given_role", "text"),
  "0064-adds-team-acts": teamActs,
  "0065-adds-what-runs-wait-for": newColumn("runs", "waits_for", "ascii"),
  "0066-adds-index-of-ended-attempts": endedAttempts,
};

/** A column that may be null. `ascii` is compared byte by byte in both databases: ids, and times that are sorted by. */
function newColumn(table: string, column: string, type: "text" | "ascii"): Migration {
  return {
    async up(db, kind) {
      const isAscii = type === "ascii" && kind === "postgres";
      await db.schema
        .alterTable(table)
        .addColumn(column, isAscii ? sql`text collate "C"` : "text")
        .execute();
    },
  };
}
