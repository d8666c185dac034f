/** Describes the answers that screens ask for: what a new task would do, what takes room, what is left. */
import type { Result } from "neverthrow";
import type { Actor } from "../../domain/actor.ts";
import type { LogVerdict } from "../../domain/clean/log-verdict.ts";
import type { StorageVerdict } from "../../domain/clean/storage-verdict.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import type { AskedAnswer, AskedCall, HeldThing } from "../../domain/worker/asked.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import type { ListPage } from "./answer-shapes.ts";
import type { Refusal } from "./refusal.ts";

/** What a new task would do; see `contract/endpoints/drafts.ts`. */
export interface TaskPreview {
  readonly repository: { readonly id: string | null; readonly name: string; readonly path: string };
  readonly base: {
    readonly name: string;
    readonly sha: string;
    readonly fetched_at: string | null;
    readonly checkout: { readonly ahead: number; readonly behind: number } | null;
  } | null;
  readonly base_problem: string | null;
  readonly worker: ChosenWorker | null;
  readonly attempts: readonly {
    readonly agent: string;
    readonly model: string | null;
    readonly ready: boolean;
    readonly reason: string | null;
    readonly remedy: string | null;
    readonly starts: "now" | "queued";
    readonly waits_for: Waiting | null;
    readonly goes_to: ChosenWorker | null;
    readonly estimate: {
      readonly low_usd: number;
      readonly high_usd: number;
      readonly runs: number;
    } | null;
  }[];
  readonly scripts: { readonly untrusted: number };
  readonly disk: {
    readonly need_bytes: number | null;
    readonly free_bytes: number;
    readonly floor_bytes: number;
  };
  readonly open_attempts: number;
  /** What the newest of them change; `files` counts what is not named too. */
  readonly changing: readonly {
    readonly attempt: string;
    readonly task: string;
    readonly title: string;
    readonly paths: readonly string[];
    readonly files: number;
  }[];
}

/** The newest first. `truncated`: there are more than were looked at. */
export interface BranchList {
  readonly items: readonly {
    readonly name: string;
    readonly remote: boolean;
    readonly tag: boolean;
    readonly sha: string;
    readonly at: string;
  }[];
  readonly next: null;
  readonly truncated: boolean;
}

/** The best first. `truncated`: there are more than were looked at. */
export interface FoundFiles {
  readonly items: readonly { readonly path: string }[];
  readonly next: null;
  readonly truncated: boolean;
}

/** What takes room; see `contract/endpoints/trash.ts`. */
export interface StorageItem {
  readonly attempt: string | null;
  readonly task: string | null;
  readonly title: string;
  readonly repository: { readonly id: string; readonly name: string } | null;
  readonly agent: string | null;
  readonly state: string | null;
  readonly path: string | null;
  readonly branch: string | null;
  readonly bytes: number | null;
  readonly scanned_at: string | null;
  readonly last_used_at: string | null;
  readonly dirty: boolean | null;
  readonly unpushed: boolean | null;
  readonly verdict: StorageVerdict | "not_ours" | null;
  readonly reason: string | null;
  readonly remedy: string | null;
}

export interface StorageList extends ListPage<StorageItem> {
  readonly totals: Readonly<
    Record<"worktrees" | "trash" | "logs" | "database" | "clones" | "sent_logs", number | null> & {
      readonly free: number;
    }
  >;
  readonly scanned_at: string | null;
  readonly scanning: boolean;
}

/** What agents printed, the largest first; see `contract/endpoints/trash.ts`. */
export interface StoredLogs {
  readonly items: readonly {
    readonly run: string;
    readonly number: number;
    readonly attempt: string;
    readonly agent: string;
    readonly task: string;
    readonly title: string;
    readonly repository: { readonly id: string; readonly name: string };
    readonly bytes: number;
    readonly sent_bytes: number;
    readonly ended_at: string | null;
    readonly verdict: LogVerdict;
    readonly reason: string;
  }[];
  readonly next: string | null;
  /** How many there are in all. */
  readonly count: number;
  readonly scanned_at: string | null;
}

export interface RemovedLogs {
  readonly removed: readonly { readonly run: string; readonly bytes: number }[];
  readonly kept: readonly { readonly run: string; readonly reason: string }[];
}

/** What this machine has left for runs; see `contract/endpoints/engine.ts`. */
export interface Capacity {
  readonly slots: { readonly used: number; readonly limit: number };
  readonly logins: readonly { readonly login: string; readonly resume_at: string; readonly reason: string }[];
  readonly spent_today_usd: number;
  readonly budget_usd: number | null;
  readonly disk: { readonly free_bytes: number; readonly floor_bytes: number; readonly path: string };
}

/** A data folder whose engine works on the same Postgres; see `contract/endpoints/engine.ts`. */
export interface ListedWorker extends Pick<Worker, "id" | "name" | "state" | "version"> {
  readonly slots: { readonly used: number; readonly limit: number };
  readonly agents: readonly string[];
  readonly labels: readonly string[];
  readonly pinned: number;
  /** Null if it may begin runs. */
  readonly drain: {
    readonly since: string;
    /** Who asked for it; null if its own end did, or if that is not known. */
    readonly by: Actor | null;
    /** When the runs that still go on then are stopped; null if none is. */
    readonly stops_at: string | null;
    /** Those that go on. */
    readonly runs: number;
  } | null;
  /** Null if it tells nearly the time of the database. */
  readonly clock: { readonly ahead_ms: number; readonly begins_nothing: boolean } | null;
  /** Its program does not know all that the one of this worker knows. */
  readonly older: boolean;
  readonly here: boolean;
  readonly started_at: string;
  readonly seen_at: string;
  readonly seen_s: number;
}

/** What a drain is asked for with. */
export interface WorkerDrain {
  /** Its name or its id. */
  readonly worker: string;
  /** After so long, what still goes on is stopped; null to wait for it. */
  readonly withinMs: number | null;
  /** `start`: of a worker that leaves. Its next start ends the drain. */
  readonly until: "resume" | "start";
}

/** Another worker on the same Postgres. */
export interface OtherWorker {
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** `clones`: it has no clone of the repository, and makes one first. */
export interface ChosenWorker extends OtherWorker {
  readonly clones: boolean;
}

/** Another worker on which a new task begins. */
export interface PlaceOfTask {
  readonly worker: OtherWorker;
  /** The id of the repository there. */
  readonly repository: string;
  /** Whether it may begin here if that worker refuses it. */
  readonly orHere: boolean;
  /** It has no clone, and makes one before it answers. */
  readonly clones: boolean;
}

interface AskingHow {
  /** Its answer is waited for as long as its engine lives: it clones first, which has a limit of its own. */
  readonly clones: boolean;
}

/** What a worker asks another one, and its answer. */
export type { AskedAnswer, AskedCall };

/** What is known of machines, and asked of them. */
export interface MachineServices {
  drainWorker(drain: WorkerDrain): Promise<Result<ListedWorker, Refusal>>;
  resumeWorker(named: string): Promise<Result<ListedWorker, Refusal>>;
  /** As it was before it was removed. */
  removeWorker(named: string): Promise<Result<ListedWorker, Refusal>>;
  capacity(): Promise<Result<Capacity, Refusal>>;
  /** An invitation for one worker; `origin` is where this server is reached. The one answer that holds its secret. */
  inviteWorker(origin: string): Promise<Result<MadeInvite, Refusal>>;
  /** What a worker with this secret would join. Changes nothing. */
  joinOffer(secret: string): Promise<Result<JoinOffer, Refusal>>;
  /** Exchanges the secret, once. */
  admitWorker(secret: string, wanted: JoinRequest): Promise<Result<Admitted, Refusal>>;
  /** This worker first. Empty if no other one can work on the database. */
  workers(): Promise<Result<readonly ListedWorker[], Refusal>>;
  /** The other worker that has to answer a call with this id; null if this one does. */
  holderToAsk(thing: HeldThing, id: string): Promise<OtherWorker | null>;
  /**
   * Lets it answer. `worker_silent`: nothing was done, and nothing will be. `outcome_unknown`: it began, and gave no answer.
   */
  askWorker(worker: OtherWorker, call: AskedCall, how?: AskingHow): Promise<Result<AskedAnswer, Refusal>>;
}

/** A setting that was written, or taken out of its file. */
export interface SettingSet {
  readonly file: string;
  readonly key: string;
  /** Null if it was taken out. */
  readonly value: unknown;
  readonly unset: boolean;
  /** What the file held before; null if it did not name the key. */
  readonly before: { readonly value: unknown } | null;
}

export interface MadeInvite {
  readonly url: string;
  /** What is typed on the machine that joins. */
  readonly command: string;
  /** UTC ISO, by the database's clock. */
  readonly expiresAt: string;
  /** The server, or its Postgres, is reached from its own machine alone. */
  readonly localServer: boolean;
  readonly localDatabase: boolean;
}

/** What a worker should know before it uses its invitation up. */
export interface JoinOffer {
  /** Of the server's program. */
  readonly version: string;
  readonly protocol: number;
  /** The newest change of the tables. */
  readonly schema: string;
  /** By the database's clock. */
  readonly now: string;
}

export interface JoinRequest {
  /** The `worker-id` of its data folder. */
  readonly worker: string;
  /** Refused if another worker has it; null takes the one of the machine, with a number if need be. */
  readonly name: string | null;
  readonly host: string;
  readonly version: string;
  readonly protocol: number;
  readonly slots: number;
}

export interface Admitted {
  readonly name: string;
  /** The address of the Postgres with a login. */
  readonly database: string;
  /** The login is that of the server, since it may make none. */
  readonly shared: boolean;
}
