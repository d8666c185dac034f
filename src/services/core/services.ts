/** Declares all services that the HTTP API and MCP may call, as one interface. */
import type { Result } from "neverthrow";
import type { Actor } from "../../domain/actor.ts";
import type { PlacedComment } from "../../domain/comment/comment.ts";
import type { Decision } from "../../domain/decision/decision.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import type { Draft } from "../../domain/draft/draft.ts";
import type { Fact, Operation } from "../../domain/operation.ts";
import type { ShipDraft } from "../../domain/pull-request/ship-draft.ts";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import type { AnswerRule } from "../../domain/question/answer-rule.ts";
import type { GivenAnswer } from "../../domain/question/take-answer.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Script } from "../../domain/repository/trusted-script.ts";
import type { LogPage } from "../../domain/run/log.ts";
import type { Situation } from "../../domain/situation/situation.ts";
import type { Cleaned, EmptiedTrash, RestoredEntry, TrashEntry } from "../../domain/trash/tidied.ts";
import type { AccessServices } from "./access-shapes.ts";
import type {
  AgentStatus,
  AppliedFiles,
  AttemptChecks,
  AttemptDetail,
  Comparison,
  ConfigValue,
  DiffFiles,
  DiffView,
  FileLines,
  ListedRepository,
  ListPage,
  MarkedFile,
  MergeAnswer,
  Picture,
  PullRequestPreview,
  RemovedRepository,
  ResolvedId,
  RunWithTask,
  ShownGate,
  TaskDetail,
  ViewedFiles,
} from "./answer-shapes.ts";
import type { AddAttempt, MarkSeen, Reply, ShipDraftChange, TakeBack, TakeLeft } from "./decide-shapes.ts";
import type { OpenTerminal, TerminalRequest } from "./open-terminal.ts";
import type { Refusal } from "./refusal.ts";
import type {
  AttemptQuery,
  CheckBase,
  Choose,
  CleanRequest,
  CommentChange,
  Compose,
  CreateTask,
  DiffOf,
  FileSide,
  FollowUp,
  ForgeWebhook,
  Fork,
  LinesQuery,
  LogQuery,
  MarkViewed,
  MergeRequest,
  NewComment,
  Once,
  OpenPullRequest,
  OperationQuery,
  PageQuery,
  Publish,
  QueueChange,
  Retry,
  Revert,
  ReviewRequest,
  RunQuery,
  SettingChange,
  SettingsQuery,
  TaskQuery,
} from "./request-shapes.ts";
import type {
  BranchList,
  FoundFiles,
  MachineServices,
  PlaceOfTask,
  RemovedLogs,
  SettingSet,
  StorageList,
  StoredLogs,
  TaskPreview,
} from "./screen-shapes.ts";

/** The calls for which the environment of the caller's shell counts; all others use the engine's own. */
export type ShellServices = Pick<
  Services,
  | "createTask"
  | "addAttempt"
  | "followUp"
  | "review"
  | "retry"
  | "publish"
  | "openPullRequest"
  | "reply"
  | "merge"
  | "revert"
  | "compose"
  | "fork"
  | "demo"
  | "addRepository"
  | "fetchRepository"
  | "cloneRepository"
  | "agents"
  | "doctor"
>;

export type Answer<T> = Promise<Result<T, Refusal>>;

/**
 * If a `repository` is a path, it may be any folder inside the checkout. `agents` and `config` take a path outside any
 * repository as "none"; `scripts`, `trust` and `createTask` refuse it (`bad_request`). Scripts without trust refuse
 * `createTask`, `followUp` and `retry` with `needs_person`, code `scripts_not_trusted`.
 */
export interface Services extends MachineServices, AccessServices {
  /** The same services, for this caller: what it asks for names it. */
  by(actor: Actor): Services;
  /** The name of this worker among the others; null if the database serves one engine alone. */
  ownName(): Promise<string | null>;
  /** Takes the environment of a caller's shell, under an id that the caller made up; kept in memory only. */
  keepEnvironment(id: string, variables: Readonly<Record<string, string>>): void;
  /** The calls that work in that shell's environment; null if the id is not known. */
  inShell(id: string): ShellServices | null;
  /** The other worker on which a new task begins; null if it begins here, or if its creation is refused. */
  placeOfTask(input: CreateTask): Answer<PlaceOfTask | null>;
  createTask(input: CreateTask, once?: Once): Answer<TaskDetail>;
  /** The task with the attempt that it adds, and no other. */
  addAttempt(input: AddAttempt, once?: Once): Answer<TaskDetail>;
  /** The run it adds is the attempt's last, and has the highest number. */
  followUp(input: FollowUp, once?: Once): Answer<TaskDetail>;
  /**
   * Stops a run. For an attempt, or for every attempt of a task, stops the run that works and holds the queued ones.
   * Answers once the request is saved; the run ends soon after.
   */
  stop(id: string): Answer<TaskDetail>;
  /**
   * Cancels a run, an attempt or every attempt of a task; answers once the request is saved. The attempt is `canceled`
   * at once, and `removed` after its clean-up.
   */
  cancel(id: string): Answer<TaskDetail>;
  /** Answers the question of a run, or of the run of an attempt that asks. The first of several answers counts. */
  answer(id: string, given: GivenAnswer): Answer<TaskDetail>;
  /** Lets a run that waits for its provider's limit, or that of an attempt, try once at once. */
  resume(id: string): Answer<TaskDetail>;
  /** What people allow from now on: in one repository (by its id or name), or in all. */
  answerRules(repository: string | null): Answer<readonly AnswerRule[]>;
  /** By its id, or a unique prefix of it; answers with what it was. */
  removeAnswerRule(id: string): Answer<AnswerRule>;
  /** The run it adds has the attempt's highest number; it goes before the runs that are held. */
  retry(input: Retry, once?: Once): Answer<TaskDetail>;
  /** Changes the words of a run in the queue, or its place in the queue of its attempt. Refused once it has begun. */
  changeQueued(change: QueueChange): Answer<void>;
  /** Takes a run out of the queue; it ends, and its words are kept. Refused once it has begun. */
  removeQueued(runId: string): Answer<void>;
  /** Another agent reads the patch and comments on it. The run it adds is like that of a retry. */
  review(input: ReviewRequest, once?: Once): Answer<TaskDetail>;
  /** The comments on an attempt's patch, the oldest first. */
  comments(attemptId: string): Answer<readonly PlacedComment[]>;
  /** Keeps a person's comment as a draft, until a follow-up sends it. */
  addComment(input: NewComment, once?: Once): Answer<PlacedComment>;
  /** Changes the words of a draft, closes a thread or opens it again. */
  changeComment(change: CommentChange): Answer<PlacedComment>;
  /** Deletes a draft; answers with what it was. */
  removeComment(id: string): Answer<PlacedComment>;
  checks(attemptId: string): Answer<AttemptChecks>;
  /** Begins to run a check on the attempt's base, unless it runs or has a result there. */
  checkBase(input: CheckBase): Answer<void>;
  /** What the publish gate and the checks came to on what the attempt left last. */
  gate(attemptId: string): Answer<ShownGate>;
  /** With `look` git is asked; without it no git is started, and what it said last is shown. */
  situation(attemptId: string, options: { readonly look: boolean }): Answer<Situation>;
  /** Opens a shell in the attempt's worktree. It ends when nobody reads it for a while. */
  openTerminal(request: TerminalRequest): Answer<{ readonly id: string }>;
  terminal(asked: { readonly id: string; readonly outside: boolean }): Answer<OpenTerminal>;
  viewed(attemptId: string): Answer<ViewedFiles>;
  markViewed(mark: MarkViewed): Answer<MarkedFile>;
  /** Answers with the newest run that was seen. */
  markSeen(mark: MarkSeen): Answer<{ readonly run: string | null }>;
  /** The run it adds is like that of a retry. */
  publish(input: Publish, once?: Once): Answer<TaskDetail>;
  /** Takes back what was allowed or left out, as long as nothing has come of it. */
  takeBack(input: TakeBack): Answer<TaskDetail>;
  /** Merges an attempt into the local branch that it began from. One that is merged already is answered with that. */
  merge(request: MergeRequest): Answer<MergeAnswer>;
  /** The task with the attempt that it adds, and no other. */
  revert(input: Revert, once?: Once): Answer<TaskDetail>;
  /** The task with the attempt that it adds, and no other. */
  compose(input: Compose, once?: Once): Answer<TaskDetail>;
  /** The same. */
  fork(input: Fork, once?: Once): Answer<TaskDetail>;
  /** Puts an attempt's patch into the user's checkout, uncommitted, if that is clean. */
  apply(attempt: string): Answer<AppliedFiles>;
  /** Opens the pull request of an attempt or run, links the one that is there, or updates it. */
  openPullRequest(input: OpenPullRequest, once?: Once): Answer<Tracked>;
  /** What `openPullRequest` would send with its defaults. No forge is asked. */
  previewPullRequest(attempt: string): Answer<PullRequestPreview>;
  /** Says something on a pull request in the person's name, marked as Tazuna's own; answers with what is there then. */
  reply(input: Reply, once?: Once): Answer<Tracked>;
  /** Keeps the words of a later commit and of a later pull request. */
  keepShipDraft(change: ShipDraftChange): Answer<ShipDraft>;
  /** A forge says that something happened. `off`: no secret is set. */
  forgeWebhook(call: ForgeWebhook): Promise<"off" | "refused" | "taken">;
  /** The newest first. */
  pullRequests(query: PageQuery): Answer<ListPage<Tracked>>;
  /** By its id or its attempt's. */
  pullRequest(id: string): Answer<Tracked>;
  find(idOrPrefix: string): Answer<ResolvedId>;
  task(id: string): Answer<TaskDetail>;
  /** Every list is newest first. */
  tasks(query: TaskQuery): Answer<ListPage<TaskDetail>>;
  attempts(query: AttemptQuery): Answer<ListPage<AttemptDetail>>;
  runs(query: RunQuery): Answer<ListPage<RunWithTask>>;
  log(runId: string, query: LogQuery): Answer<LogPage>;
  /** The diff of everything, or of one file. */
  diff(of: DiffOf, options: { readonly path: string | null }): Answer<DiffView>;
  diffFiles(of: DiffOf, query: PageQuery): Answer<DiffFiles>;
  /** Lines of one side of a changed file. */
  lines(of: DiffOf, asked: LinesQuery): Answer<FileLines>;
  /** The same, if it is a picture. */
  picture(of: DiffOf, file: FileSide): Answer<Picture>;
  /** The whole patch, byte for byte, made while it is read. */
  patch(of: DiffOf): Answer<ReadableStream<Uint8Array>>;
  /** Compares the attempts of a task. Names are hidden only as long as nothing was decided. */
  compare(taskId: string, options: { readonly hideNames: boolean }): Answer<Comparison>;
  /** Chooses an attempt of its task. The earlier decision stays as history. */
  choose(input: Choose, once?: Once): Answer<Decision>;
  /** Newest first, those that were replaced too; of one task (by its id), or of all. */
  decisions(query: PageQuery & { readonly task: string | null }): Answer<ListPage<Decision>>;
  operations(query: OperationQuery): Answer<ListPage<Operation>>;
  /** The newest first. */
  trash(): Answer<readonly TrashEntry[]>;
  /** Restores an entry, by a unique prefix of its id or its attempt's. A repeated call gets the first answer. */
  restoreTrash(id: string): Answer<RestoredEntry>;
  /** Deletes entries that are proven to be ours, not in use and in a snapshot. Without `yes` it only says which. */
  emptyTrash(options: { readonly yes: boolean }): Answer<EmptiedTrash>;
  /**
   * Puts attempts into the trash that are finished and safe. One that may hold work goes only if its id (or its task's)
   * is given, by a unique prefix. Without `yes` it only says what would go.
   */
  clean(request: CleanRequest): Answer<Cleaned>;
  /** What takes room, and which of it may go: from the last scan, which is renewed in the background. */
  storage(query: PageQuery): Answer<StorageList>;
  scanStorage(): Answer<Pick<StorageList, "scanning" | "scanned_at">>;
  /** What agents printed, run by run, the largest first. */
  storedLogs(query: PageQuery): Answer<StoredLogs>;
  /** Deletes it for good, for these runs. */
  removeLogs(runs: readonly string[]): Answer<RemovedLogs>;
  /** Puts the files of the run's attempt back to what the run left; answers with the operation. */
  restoreRun(runId: string): Answer<Operation>;
  /** Lays the edits of a worker that came back into the worktree. Null if the offer was only dropped. */
  takeLeft(asked: TakeLeft): Answer<Operation | null>;
  /** Takes a unique prefix of its id. Answers with the operation that undid it, also if that was done before. */
  undo(operation: string): Answer<Operation>;
  taskDraft(): Answer<Draft | null>;
  /** Null throws it away. */
  keepTaskDraft(content: Draft["content"] | null): Answer<Draft | null>;
  /** What a new task would do. Makes nothing, and asks no remote. */
  previewTask(input: CreateTask): Answer<TaskPreview>;
  agents(query: SettingsQuery): Answer<readonly AgentStatus[]>;
  /** Examines the machine, the data folder, the agents and every repository, offline; changes nothing. */
  doctor(query: SettingsQuery): Answer<readonly Finding[]>;
  repositories(): Answer<readonly ListedRepository[]>;
  branches(of: { readonly id: string; readonly query: string }): Answer<BranchList>;
  /** Files of the base that a new task would have, or of `base`. */
  files(of: {
    readonly id: string;
    readonly query: string;
    readonly base: string | null;
  }): Answer<FoundFiles>;
  /** `gone` ends the fetch, unless others wait for it too. */
  fetchRepository(id: string, gone: AbortSignal): Answer<{ readonly fetched_at: string | null }>;
  addRepository(path: string): Answer<Repository>;
  /** Clones from an address, or answers with what was cloned from it before. `gone` ends the clone. */
  cloneRepository(url: string, gone: AbortSignal): Answer<Repository>;
  moveRepository(id: string, path: string): Answer<Repository>;
  /** Takes a repository out of the list. Refused while an attempt on it is not put away. Deletes nothing. */
  removeRepository(named: string): Answer<RemovedRepository>;
  config(query: SettingsQuery): Answer<readonly ConfigValue[]>;
  changeSetting(change: SettingChange): Answer<SettingSet>;
  /** The JSON Schema of the settings. */
  configSchema(): Answer<Readonly<Record<string, unknown>>>;
  scripts(query: { readonly repository: string }): Answer<readonly Script[]>;
  trust(query: {
    readonly repository: string;
    readonly hashes: readonly string[] | "all";
  }): Answer<readonly Script[]>;
  facts(query: { readonly after: number; readonly limit: number }): Answer<readonly Fact[]>;
  /** The number of the latest fact; 0 if there is none. */
  lastFact(): Answer<number>;
  /** Calls `listener` whenever there may be new facts; returns a function that ends the subscription. */
  onFacts(listener: () => void): () => void;
  /** A scratch repository with its own bare remote and two demo attempts; with `ask` one of them asks a question. */
  demo(input: { readonly ask: boolean }, once?: Once): Answer<TaskDetail>;
  /** Removes every demo; refused, with nothing removed, if one of them holds anything of a person. */
  removeDemo(): Answer<readonly Repository[]>;
}
