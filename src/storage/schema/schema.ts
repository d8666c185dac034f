/** Describes the tables: each derives its columns from its entity. In the database their names are in snake_case. */
import type { Generated, Kysely, Transaction } from "kysely";
import { browserSchema } from "../../domain/access/browser.ts";
import { knownPersonSchema, personSchema } from "../../domain/access/person.ts";
import { signInCodeSchema } from "../../domain/access/sign-in-code.ts";
import { signInFlowSchema } from "../../domain/access/sign-in-flow.ts";
import { teamActSchema } from "../../domain/access/team-act.ts";
import { accessTokenSchema } from "../../domain/access/token.ts";
import { attemptSchema } from "../../domain/attempt/attempt.ts";
import { snapshotSchema } from "../../domain/attempt/snapshot.ts";
import { commentSchema } from "../../domain/comment/comment.ts";
import { decisionSchema } from "../../domain/decision/decision.ts";
import { depotSchema, protectionSchema } from "../../domain/depot/depot.ts";
import { draftSchema } from "../../domain/draft/draft.ts";
import { idempotencyKeySchema } from "../../domain/idempotency-key.ts";
import { noticeSchema } from "../../domain/notification/notice.ts";
import { factSchema, operationSchema } from "../../domain/operation.ts";
import { trackedSchema } from "../../domain/pull-request/tracked.ts";
import { answerRuleSchema } from "../../domain/question/answer-rule.ts";
import { questionSchema } from "../../domain/question/question.ts";
import { repositorySchema } from "../../domain/repository/repository.ts";
import { trustedScriptSchema } from "../../domain/repository/trusted-script.ts";
import { baseCheckSchema } from "../../domain/run/base-check.ts";
import { checkSchema } from "../../domain/run/check.ts";
import { logSeriesSchema, type SentFile } from "../../domain/run/log-series.ts";
import { loginHoldSchema } from "../../domain/run/login-hold.ts";
import { runSchema } from "../../domain/run/run.ts";
import { taskSchema } from "../../domain/task/task.ts";
import { seenRunSchema, viewedFileSchema } from "../../domain/viewed/viewed.ts";
import { askedSchema } from "../../domain/worker/asked.ts";
import { inviteSchema } from "../../domain/worker/invite.ts";
import { leftWorktreeSchema } from "../../domain/worker/left-worktree.ts";
import { workerSchema } from "../../domain/worker/worker.ts";
import { type ColumnsOf, entityTable } from "./entity-table.ts";

/** Anything that can be read from: the database's reader, or an open transaction. */
export type Reader = Kysely<Schema>;

/** A transaction, also one that tells no fact. */
export type OpenTransaction = Transaction<Schema>;

declare const writing: unique symbol;

/**
 * A transaction that `transact` opened. Every write needs one. So a change and its fact are always written together,
 * and facts only in the order of their numbers.
 */
export type WriteTransaction = OpenTransaction & { readonly [writing]: true };

export const repositories = entityTable("repositories", repositorySchema, {});
export const tasks = entityTable("tasks", taskSchema, {});
export const attempts = entityTable("attempts", attemptSchema, { spread: ["base", "session"] });
export const runs = entityTable("runs", runSchema, { renamed: { commit: "commitSha" }, spread: ["lease"] });
/** The part of a run's row that says what it has used. */
export const runUsage = entityTable(
  "runs",
  runSchema.pick({ id: true, usage: true, endedAt: true, phase: true }),
  {},
);
/** The part of a run's row that a look at the queue reads. */
export const queuedRuns = entityTable(
  "runs",
  runSchema.pick({
    ...{ id: true, attemptId: true, kind: true, status: true, phase: true, held: true, options: true },
    ...{ stopRequest: true, agentStartedAt: true, resumeAt: true, lease: true },
  }),
  { spread: ["lease"] },
);
/** The part of a run's row that says what its creator allowed. */
export const runOptions = entityTable("runs", runSchema.pick({ id: true, options: true }), {});
export const facts = entityTable("facts", factSchema, { key: ["seq"] });
export const operations = entityTable("operations", operationSchema, {
  renamed: { before: "beforeState", after: "afterState" },
  spread: ["subject"],
});
export const snapshots = entityTable("snapshots", snapshotSchema, {
  key: ["attemptId", "number"],
  renamed: { commit: "commitSha" },
});
const CHECK_KEY = { key: ["runId", "name"] } as const;
export const checks = entityTable("checks", checkSchema, CHECK_KEY);
/** The part of a check's row that says what the check left. */
export const checkLeft = entityTable("checks", checkSchema.pick({ name: true, leftBehind: true }), CHECK_KEY);
export const pullRequests = entityTable("pull_requests", trackedSchema, { spread: ["head"] });
export const trustedScripts = entityTable("trusted_scripts", trustedScriptSchema, {
  key: ["repositoryId", "hash"],
});
export const drafts = entityTable("drafts", draftSchema, { key: ["name"] });
export const decisions = entityTable("decisions", decisionSchema, {});
export const comments = entityTable("comments", commentSchema, {});
export const baseChecks = entityTable("base_checks", baseCheckSchema, {
  key: ["repositoryId", "baseSha", "hash"],
});
export const viewedFiles = entityTable("viewed_files", viewedFileSchema, { key: ["attemptId", "path"] });
export const seenRuns = entityTable("seen_runs", seenRunSchema, { key: ["attemptId"] });
export const questions = entityTable("questions", questionSchema, {});
export const answerRules = entityTable("answer_rules", answerRuleSchema, {});
export const accessTokens = entityTable("access_tokens", accessTokenSchema, {});
export const browsers = entityTable("browsers", browserSchema, {});
export const people = entityTable("people", personSchema, {});
/** The part of a row that says who asks. */
export const knownPeople = entityTable("people", knownPersonSchema, {});
export const teamActs = entityTable("team_acts", teamActSchema, {});
const signInFlows = entityTable("sign_in_flows", signInFlowSchema, { key: ["hash"] });
const signInCodes = entityTable("sign_in_codes", signInCodeSchema, { key: ["linked"] });
export const idempotencyKeys = entityTable("idempotency_keys", idempotencyKeySchema, { key: ["key"] });
export const loginHolds = entityTable("login_holds", loginHoldSchema, { key: ["login"] });
const notices = entityTable("notices", noticeSchema, { key: ["hook", "seq"] });
export const workers = entityTable("workers", workerSchema, {});
export const requests = entityTable("requests", askedSchema, {});
export const invites = entityTable("invites", inviteSchema, { key: ["hash"] });
export const depots = entityTable("depot", depotSchema, {});
export const protections = entityTable("protections", protectionSchema, { key: ["attemptId"] });
export const leftWorktrees = entityTable("left_worktrees", leftWorktreeSchema, {
  key: ["attemptId", "workerId"],
});
export const logSeries = entityTable("log_series", logSeriesSchema, { key: ["runId", "workerId"] });

interface OfWorker {
  /** Of operations: the data folder that did it. Of attempts and repositories: the one that
   * holds the files. Of runs: the one that drives them. Null for nobody. */
  workerId: string | null;
}

/** Every table, with the columns that are no fields of its entity. */
export interface Schema {
  repositories: ColumnsOf<typeof repositories> &
    OfWorker & {
      /** Null while it is in the list. */
      removedAt: string | null;
    };
  tasks: ColumnsOf<typeof tasks> & {
    /**
     * 1 if the task has an open attempt, or one that cannot be cleaned up. It is stored, so that a page of open
     * tasks is read without the attempts.
     */
    open: number;
  };
  attempts: ColumnsOf<typeof attempts> &
    OfWorker & {
      /** The repository in which it works: that of its task, or another clone of it. */
      repositoryId: string;
    };
  runs: ColumnsOf<typeof runs> &
    OfWorker & {
      /** Place in the queue of all runs; smaller is earlier. */
      queuePlace: number;
      /** Grows by one each time the lease is taken; never decreases. */
      leaseEpoch: number;
      /** What it counts for while its lease holds: a repository and a login. Null if it counts for nothing. */
      slotRepository: string | null;
      slotLogin: string | null;
      /** The least protocol of a worker that may work on it; null if an earlier program made it. */
      needsProtocol: number | null;
      /**
       * What it waited for at its worker's last look at the queue (`waiting-runs.ts`). Null for nothing, or if an earlier program
       * looked.
       */
      waitsFor: string | null;
    };
  facts: Omit<ColumnsOf<typeof facts>, "seq"> & { seq: Generated<number> };
  operations: ColumnsOf<typeof operations> & OfWorker;
  snapshots: ColumnsOf<typeof snapshots>;
  checks: ColumnsOf<typeof checks>;
  pullRequests: ColumnsOf<typeof pullRequests>;
  trustedScripts: ColumnsOf<typeof trustedScripts>;
  drafts: ColumnsOf<typeof drafts>;
  decisions: ColumnsOf<typeof decisions>;
  comments: ColumnsOf<typeof comments>;
  baseChecks: ColumnsOf<typeof baseChecks>;
  viewedFiles: ColumnsOf<typeof viewedFiles>;
  seenRuns: ColumnsOf<typeof seenRuns>;
  questions: ColumnsOf<typeof questions>;
  answerRules: ColumnsOf<typeof answerRules>;
  accessTokens: ColumnsOf<typeof accessTokens>;
  browsers: ColumnsOf<typeof browsers>;
  people: ColumnsOf<typeof people>;
  teamActs: ColumnsOf<typeof teamActs>;
  signInFlows: ColumnsOf<typeof signInFlows>;
  signInCodes: ColumnsOf<typeof signInCodes>;
  idempotencyKeys: ColumnsOf<typeof idempotencyKeys>;
  loginHolds: ColumnsOf<typeof loginHolds>;
  notices: ColumnsOf<typeof notices>;
  workers: ColumnsOf<typeof workers> & {
    /** SHA-256 of the key by which its engine is let into the depot; null before. */
    depotKey: string | null;
  };
  requests: ColumnsOf<typeof requests>;
  invites: ColumnsOf<typeof invites>;
  depot: ColumnsOf<typeof depots>;
  protections: ColumnsOf<typeof protections>;
  leftWorktrees: ColumnsOf<typeof leftWorktrees>;
  logSeries: ColumnsOf<typeof logSeries>;
  logPacks: {
    runId: string;
    workerId: string;
    first: number;
    last: number;
    hash: string;
    place: string;
    /** Of the object. */
    bytes: number;
    at: string;
  };
  logChunks: {
    runId: string;
    workerId: string;
    /** Counts from 1 for each run and worker. */
    number: number;
    file: SentFile;
    fromByte: number;
    toByte: number;
    epoch: number;
    at: string;
    /** Compressed (zstd). */
    bytes: Uint8Array;
  };
  schemaMigrations: {
    name: string;
    /** The version of the program that applied it. */
    program: string;
  };
}
