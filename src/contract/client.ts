/** Offers the HTTP API as typed functions over a given `fetch`; works in a browser too. */
import type { Result } from "neverthrow";
import type { z } from "zod";
import type { TaskSettings } from "../domain/task/task-settings.ts";
import * as answers from "./answers.ts";
import { type FactDocument, factDocument } from "./fact.ts";
import { followStream, type StreamEnd } from "./follow-stream.ts";
import { type Caller, callJson, callRaw } from "./http-call.ts";
import type { ApiError } from "./problem.ts";
import type {
  CreateTaskRequest,
  FollowUpRequest,
  PublishRequest,
  RetryRequest,
  TrustRequest,
} from "./requests.ts";
import { createShellCalls } from "./shell-calls.ts";
import * as documents from "./task-document.ts";

export type Reply<T> = Promise<Result<T, ApiError>>;

/** Options of calls that create something: the same key and body is carried out once, even if it is sent again. */
export interface Once {
  readonly key?: string;
}

export interface FollowOptions {
  /** Everything after this number; null: from now on (facts), from the beginning (a log). */
  readonly after: number | null;
  readonly signal: AbortSignal;
  /** See `FollowStream`; no limit by default. */
  readonly retries?: number;
}

export type Client = ReturnType<typeof createClient>;

/** Ids are whole ids; `find` resolves prefixes. */
export function createClient(caller: Caller) {
  const { get, post, getForShell, postForShell } = callsOf(caller);
  const task = documents.taskDocument;
  return {
    health: () => get(answers.healthAnswer, "/health"),
    engine: () => get(answers.engineAnswer, "/engine"),
    leave: (body: { readonly only_idle: boolean }) => post(answers.leaveAnswer, "/engine/leave", body),
    find: (id: string) => get(answers.foundAnswer, "/find", { id }),

    createTask: (body: CreateTaskRequest, once?: Once) => postForShell(task, "/tasks", body, once),
    demo: (once?: Once) => postForShell(task, "/demo", {}, once),
    followUp: (attempt: string, body: FollowUpRequest, once?: Once) =>
      postForShell(task, `/attempts/${segment(attempt)}/runs`, body, once),
    retry: (run: string, body: RetryRequest, once?: Once) =>
      postForShell(task, `/runs/${segment(run)}/retry`, body, once),
    publish: (attempt: string, body: PublishRequest, once?: Once) =>
      postForShell(task, `/attempts/${segment(attempt)}/publish`, body, once),
    stop: (of: OneOf) => post(task, `/${of.type}s/${segment(of.id)}/stop`),
    cancel: (of: OneOf) => post(task, `/${of.type}s/${segment(of.id)}/cancel`),

    task: (id: string) => get(task, `/tasks/${segment(id)}`),
    tasks: (query: TaskQuery) =>
      get(answers.taskPage, "/tasks", { repository: null, failed: false, ...query }),
    attempts: (query: PageQuery) => get(answers.attemptPage, "/attempts", query),
    runs: (query: PageQuery) => get(answers.runPage, "/runs", query),
    attempt: (id: string) => get(documents.attemptAlone, `/attempts/${segment(id)}`),
    run: (id: string) => get(documents.runAlone, `/runs/${segment(id)}`),
    log: (run: string, query: { readonly after: number; readonly limit: number; readonly tail?: number }) =>
      get(answers.logPage, `/runs/${segment(run)}/events`, { ...query, tail: query.tail ?? null }),
    ...diffCalls(caller),
    operations: (query: PageQuery & { readonly subject: string | null }) =>
      get(answers.operationList, "/operations", query),

    restoreRun: (run: string) => post(answers.operationAnswer, `/runs/${segment(run)}/restore`),
    undo: (operation: string) => post(answers.operationAnswer, `/operations/${segment(operation)}/undo`),

    trash: () => get(answers.trashList, "/trash"),
    restoreTrash: (id: string) => post(answers.restoredAnswer, `/trash/${segment(id)}/restore`),
    clean: (body: { readonly id: string | null; readonly yes: boolean }) =>
      post(answers.cleanAnswer, "/clean", body),
    emptyTrash: (body: { readonly yes: boolean }) => post(answers.clearedAnswer, "/trash/empty", body),

    agents: (query: ConfigQuery) => getForShell(answers.agentList, "/agents", sent(query)),
    doctor: (query: ConfigQuery) => getForShell(answers.doctorAnswer, "/doctor", sent(query)),
    repositories: () => get(answers.repositoryList, "/repositories"),
    addRepository: (path: string, once?: Once) =>
      post(documents.repositoryDocument, "/repositories", { path }, once),
    moveRepository: (id: string, path: string) =>
      post(documents.repositoryDocument, `/repositories/${segment(id)}/move`, { path }),
    removeRepository: (id: string) => post(answers.removedAnswer, `/repositories/${segment(id)}/remove`),
    config: (query: ConfigQuery) => get(answers.configList, "/config", sent(query)),
    scripts: (query: { readonly repository: string }) => get(answers.scriptList, "/scripts", query),
    trust: (body: TrustRequest) => post(answers.scriptList, "/scripts/trust", body),
    link: (attempt: string | null) => post(answers.linkAnswer, "/links", { attempt }),

    followFacts: (options: FollowFacts) => followFacts(caller, options),
    followLog: (run: string, options: FollowLog) => followLog(caller, run, options),
  };
}

/** What an attempt changed, as a whole and in parts. */
function diffCalls(caller: Caller) {
  const { get } = callsOf(caller);
  return {
    diff: (attempt: string, query: { readonly other: string | null; readonly path?: string | null }) =>
      get(answers.diffAnswer, `/attempts/${segment(attempt)}/diff`, { ...query, path: query.path ?? null }),
    diffFiles: (attempt: string, query: PageQuery & { readonly other: string | null }) =>
      get(answers.diffFilesAnswer, `/attempts/${segment(attempt)}/diff`, { ...query, files: "only" }),
    /** The whole patch, byte for byte, as it is made. */
    patch: (attempt: string, query: { readonly other: string | null }) =>
      callRaw(caller, { method: "GET", path: `/attempts/${segment(attempt)}/patch`, query }),
  };
}

/** Plain calls, and those for which the environment of the caller's shell holds. */
function callsOf(caller: Caller) {
  const get = <S extends z.ZodType>(schema: S, path: string, query: Query = {}) =>
    callJson(caller, { method: "GET", path, query }, schema);
  const post = <S extends z.ZodType>(schema: S, path: string, body: unknown = {}, once: Once = {}) =>
    callJson(caller, { method: "POST", path, body, headers: onceHeader(once) }, schema);
  const call = createShellCalls(caller);
  const getForShell = <S extends z.ZodType>(schema: S, path: string, query: Query) =>
    call({ method: "GET", path, query }, schema);
  const postForShell = <S extends z.ZodType>(schema: S, path: string, body: unknown, once: Once = {}) =>
    call({ method: "POST", path, body, headers: onceHeader(once) }, schema);
  return { get, post, getForShell, postForShell };
}

interface OneOf {
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
}

interface ConfigQuery {
  readonly repository: string | null;
  readonly settings: TaskSettings;
}

function sent({ repository, settings }: ConfigQuery): Query {
  return { repository, settings: JSON.stringify(settings) };
}

/** Selects tasks: see `tasksQuery`. */
export type TaskQuery = PageQuery & {
  readonly all: boolean;
  readonly repository?: string | null;
  readonly failed?: boolean;
};

/** The start of a page (the `next` of another one, or null), and the most items in it. */
export type PageQuery = {
  readonly cursor: string | null;
  readonly limit: number;
};

type Query = Readonly<Record<string, string | number | boolean | null>>;

export interface FollowFacts extends FollowOptions {
  /**
   * Called each time the stream opens, with the number it goes on from. A document that is read now is not older than
   * that.
   */
  readonly onOpen: (seq: number) => void;
  readonly onFact: (fact: FactDocument) => void;
}

export interface FollowLog extends FollowOptions {
  readonly onLine: (line: answers.LogLine) => void;
}

/** Every fact in order, none missed, until the signal or until the stream is lost. */
function followFacts(caller: Caller, options: FollowFacts): Promise<StreamEnd> {
  return followStream({
    ...streamOptions(caller, "/events", options),
    onEvent: ({ event, id, data }) => {
      if (event === "open") options.onOpen(Number(id));
      const fact = event === "fact" ? factDocument.safeParse(parseJson(data)) : null;
      if (fact?.success) options.onFact(fact.data);
      return undefined;
    },
  });
}

/** Every line of a run's log in order; ends with `ended` once the run has ended and all was read. */
function followLog(caller: Caller, run: string, options: FollowLog): Promise<StreamEnd> {
  return followStream({
    ...streamOptions(caller, `/runs/${segment(run)}/events`, options),
    onEvent: ({ event, data }) => {
      if (event === "end") return "end";
      const line = event === "line" ? answers.logLine.safeParse(parseJson(data)) : null;
      if (line?.success) options.onLine(line.data);
      return undefined;
    },
  });
}

function streamOptions(caller: Caller, path: string, options: FollowOptions) {
  return {
    open: (lastId: string | null, signal: AbortSignal) =>
      callRaw(caller, {
        method: "GET",
        path,
        headers: { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) },
        signal,
      }),
    after: options.after === null ? null : String(options.after),
    signal: options.signal,
    retries: options.retries ?? Number.POSITIVE_INFINITY,
  };
}

function onceHeader(once: Once): Readonly<Record<string, string>> {
  return once.key === undefined ? {} : { "idempotency-key": once.key };
}

/** An id, encoded as one segment of a path. */
function segment(id: string): string {
  return encodeURIComponent(id);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
