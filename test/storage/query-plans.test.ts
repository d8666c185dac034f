import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { CompiledQuery, Kysely } from "kysely";
import { findBrowser, signedInAmong } from "../../src/storage/access/browsers.ts";
import { findPersonBySubject } from "../../src/storage/access/people.ts";
import { newestDueTeamAct, pageTeamActs } from "../../src/storage/access/team-acts.ts";
import { findAccessToken } from "../../src/storage/access/tokens.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { branchesOfRepositories } from "../../src/storage/queries/attempt-branches.ts";
import { attemptsToClean } from "../../src/storage/queries/attempts-to-clean.ts";
import { findByPrefix } from "../../src/storage/queries/find-by-prefix.ts";
import { newestOf, operationsOfKinds } from "../../src/storage/queries/find-operations.ts";
import { keptAttempts } from "../../src/storage/queries/kept-attempts.ts";
import { logRows } from "../../src/storage/queries/log-rows.ts";
import { pageAttempts, pageRuns } from "../../src/storage/queries/newest-first.ts";
import { pastCosts } from "../../src/storage/queries/past-costs.ts";
import { countOpenAttempts, openAttemptsOf } from "../../src/storage/queries/repository-attempts.ts";
import { runsSince } from "../../src/storage/queries/runs-since.ts";
import { uncopiedOf } from "../../src/storage/queries/uncopied-attempts.ts";
import type { Reader, Schema } from "../../src/storage/schema/schema.ts";
import { baseChecksAt, leftByChecksOf } from "../../src/storage/tables/checks.ts";
import { commentsOfAttempts } from "../../src/storage/tables/comments.ts";
import { decisionsOfTasks } from "../../src/storage/tables/decisions.ts";
import { factsAfter, lastSeq, latestFacts } from "../../src/storage/tables/facts.ts";
import { intendedOperations, pageOperations } from "../../src/storage/tables/operations.ts";
import {
  pagePullRequests,
  pullRequestsOf,
  watchedPullRequests,
} from "../../src/storage/tables/pull-requests.ts";
import { listAnswerRules, openQuestions, questionsOfRuns } from "../../src/storage/tables/questions.ts";
import { positionsInQueue } from "../../src/storage/tables/run-queue.ts";
import { runsOfAttempt, unfinishedRuns } from "../../src/storage/tables/runs.ts";
import { getTaskTree, pageTasks } from "../../src/storage/tables/tasks.ts";
import { viewedFilesOf } from "../../src/storage/tables/viewed.ts";
import { listWorkers, workersOfAttempts } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { insertSampleRun } from "./sample-rows.ts";

const cursor = { at: "2026-01-02T12:00:00.000Z", id: "x" };

/** Every query that is asked while the engine works, or for a page: none may look at a whole table. */
const QUERIES: Readonly<Record<string, (db: Reader) => Promise<unknown>>> = {
  "the first page of all tasks": (db) => pageTasks(db, { all: true, cursor: null, limit: 50 }),
  "a later page of all tasks": (db) => pageTasks(db, { all: true, cursor, limit: 50 }),
  "the first page of open tasks": (db) => pageTasks(db, { all: false, cursor: null, limit: 50 }),
  "a later page of open tasks": (db) => pageTasks(db, { all: false, cursor, limit: 50 }),
  "the first page of attempts": (db) => pageAttempts(db, { cursor: null, limit: 50 }),
  "a later page of attempts": (db) => pageAttempts(db, { cursor, limit: 50 }),
  "the first page of runs": (db) => pageRuns(db, { cursor: null, limit: 50 }),
  "a later page of runs": (db) => pageRuns(db, { cursor, limit: 50 }),
  "a browser by its cookie": (db) => findBrowser(db, "hash"),
  "a token by its text": (db) => findAccessToken(db, "hash"),
  "somebody who comes from a provider": (db) => findPersonBySubject(db, { issuer: "i", subject: "s" }),
  "a page of what was done to the team": (db) => pageTeamActs(db, { cursor, limit: 50 }),
  "what may go of it": (db) => newestDueTeamAct(db, { before: cursor.at, most: 100 }),
  "browsers of streams": (db) => signedInAmong(db, ["a", "b"]),
  "one task": (db) => getTaskTree(db, "task-1"),
  "what checks left in an attempt": (db) => leftByChecksOf(db, "attempt-1"),
  "an attempt's runs": (db) => runsOfAttempt(db, "attempt-1"),
  "the queues of attempts": (db) => positionsInQueue(db, ["attempt-1", "attempt-2"]),
  "unfinished runs": unfinishedRuns,
  "facts after a number": (db) => factsAfter(db, 5, 100),
  "the latest number": lastSeq,
  "the latest facts of runs": (db) => latestFacts(db, { kind: "run.action", runIds: ["run-1", "run-2"] }),
  "an id by its beginning": (db) => findByPrefix(db, "run"),
  "attempts to clean": attemptsToClean,
  "a repository's branches": (db) => branchesOfRepositories(db, ["repo-1", "repo-2"]),
  "pull requests to look at": watchedPullRequests,
  "pull requests of attempts": (db) => pullRequestsOf(db, ["attempt-1"]),
  "a page of pull requests": (db) => pagePullRequests(db, { cursor, limit: 50 }),
  "begun operations": intendedOperations,
  "a page of operations": (db) => pageOperations(db, { subjects: null, cursor, limit: 50 }),
  "runs since a time": (db) => runsSince(db, cursor.at),
  "kept attempts": (db) => keptAttempts(db, { after: null, limit: 50 }),
  "a later page of kept attempts": (db) => keptAttempts(db, { after: "attempt-1", limit: 50 }),
  "open attempts of a repository": (db) => openAttemptsOf(db, "repo-1", { limit: 50 }),
  "how many are open": (db) => countOpenAttempts(db, "repo-1"),
  "past costs": (db) => pastCosts(db, { repository: "repo-1", agent: "claude-code", limit: 50 }),
  "rows of logs": (db) => logRows(db, ["run-1"]),
  "open questions": (db) => openQuestions(db, "repo-1"),
  "questions of runs": (db) => questionsOfRuns(db, ["run-1"]),
  rules: (db) => listAnswerRules(db, "repo-1"),
  "checks on a base": (db) => baseChecksAt(db, { repositoryId: "repo-1", baseSha: "a" }),
  "viewed files": (db) => viewedFilesOf(db, "attempt-1"),
  comments: (db) => commentsOfAttempts(db, ["attempt-1"]),
  "the last fetch": (db) => newestOf(db, { kind: "fetch", subject: "repo-1", status: "done" }),
  "the last clone, however it ended": (db) => newestOf(db, { kind: "clone", subject: "repo-1" }),
  "operations by kind": (db) => operationsOfKinds(db, ["undo"], "task-1"),
  "the decisions of tasks": (db) => decisionsOfTasks(db, ["task-1"]),
  workers: listWorkers,
  "what the depot lacks": (db) => uncopiedOf(db, { worker: "a", withinMs: 1_000 }),
  "the workers of attempts": (db) => workersOfAttempts(db, { than: "a", among: ["attempt-1"] }),
  "a page of a subject's operations": (db) => pageOperations(db, { subjects: ["run-1"], cursor, limit: 50 }),
};

describe("by an index, never through a whole table, SQLite reads", () => {
  for (const [what, ask] of Object.entries(QUERIES))
    test(what, async () => {
      await using folder = await tempDir();
      const target = { kind: "sqlite", file: join(folder.path, "tazuna.db") } as const;
      const db = (
        await openDatabase(target, { backupDir: folder.path, programVersion: "0.1.0" })
      )._unsafeUnwrap();
      await transact(db, insertSampleRun);
      const asked: CompiledQuery[] = [];
      await ask(noting(db.reader, asked));
      const steps: string[] = [];
      for (const query of asked) steps.push(...(await planOf(db.reader, query)));
      await db.close();
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.filter((step) => step.startsWith("SCAN") && !step.includes("INDEX"))).toEqual([]);
    });
});

/** The same reader, which also writes down everything that it is asked. */
function noting(reader: Kysely<Schema>, asked: CompiledQuery[]): Kysely<Schema> {
  return reader.withPlugin({
    transformQuery: ({ node, queryId }) => {
      asked.push(reader.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** The steps by which SQLite answers a query. */
async function planOf(reader: Kysely<Schema>, query: CompiledQuery): Promise<string[]> {
  const explained = { ...query, sql: `explain query plan ${query.sql}` } as CompiledQuery<{ detail: string }>;
  return (await reader.executeQuery(explained)).rows.map(({ detail }) => detail);
}
