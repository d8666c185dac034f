/** Plays the services in memory, so that the doors can be tested without the house behind them. */
import { err, ok } from "neverthrow";
import type { Actor } from "../../src/domain/actor.ts";
import type { PlacedComment } from "../../src/domain/comment/comment.ts";
import type { Decision } from "../../src/domain/decision/decision.ts";
import type { Finding } from "../../src/domain/doctor/finding.ts";
import type { Fact, Operation } from "../../src/domain/operation.ts";
import type { ShipDraft } from "../../src/domain/pull-request/ship-draft.ts";
import type { Tracked } from "../../src/domain/pull-request/tracked.ts";
import type { Repository } from "../../src/domain/repository/repository.ts";
import type { Script } from "../../src/domain/repository/trusted-script.ts";
import type { LogLine, SentLog } from "../../src/domain/run/log.ts";
import { isEnded } from "../../src/domain/run/state.ts";
import type { Situation } from "../../src/domain/situation/situation.ts";
import type { Cleaned, EmptiedTrash, TrashEntry } from "../../src/domain/trash/tidied.ts";
import type {
  AgentStatus,
  AttemptDetail,
  ConfigValue,
  DiffView,
  ListedRepository,
  ListPage,
  PullRequestPreview,
  RunView,
  TaskDetail,
} from "../../src/services/core/answer-shapes.ts";
import type { OpenTerminal } from "../../src/services/core/open-terminal.ts";
import type { Refusal } from "../../src/services/core/refusal.ts";
import type { CreateTask, DiffOf, Once, PageQuery } from "../../src/services/core/request-shapes.ts";
import type { ListedWorker, OtherWorker, PlaceOfTask } from "../../src/services/core/screen-shapes.ts";
import type { Answer, Services } from "../../src/services/core/services.ts";
import { type MemoryAccess, memoryAccess } from "./memory-access.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED_PATCH } from "./sample-documents.ts";

export interface MemoryServices extends Services {
  /** Every call that changes something, as `name argument`. */
  readonly calls: string[];
  readonly created: CreateTask[];
  /** The environments that were handed over, by id. */
  readonly environments: Map<string, Readonly<Record<string, string>>>;
  /** The idempotency key of every creation that was asked for, refused ones too. */
  readonly keys: Once[];
  /** Makes the next call (or all, with `always`) of a service refuse. */
  refuse(service: keyof Services, refusal: Refusal | null, always?: boolean): void;
  /** Makes the next call of a service throw. */
  breakNext(service: keyof Services): void;
  add(detail: TaskDetail): TaskDetail;
  /** Changes a run and tells it as a fact. */
  change(runId: string, change: Partial<RunView>): void;
  changeAttempt(attemptId: string, change: Partial<AttemptDetail["attempt"]>): void;
  /** The agent was seen doing something. */
  act(runId: string, text: string): void;
  addFact(fact: Partial<Fact>): void;
  addLog(
    runId: string,
    lines: readonly LogLine[],
    options?: { readonly ended: boolean; readonly sent?: SentLog },
  ): void;
  /** By what is named (`attempt ID`): the other worker that holds it. */
  readonly elsewhere: Map<string, OtherWorker>;
  /** For whom services were asked for, in that order. */
  readonly actors: Actor[];
  /** What another worker answers. */
  askOther: Services["askWorker"];
  /** What happens to the runs of every new task, once it was created. */
  onCreated: (detail: TaskDetail) => void;
  readonly world: MemoryAccess & {
    agents: AgentStatus[];
    findings: Finding[];
    repositories: (Repository & Partial<ListedRepository>)[];
    config: ConfigValue[];
    scripts: Script[];
    operations: Operation[];
    pullRequests: Tracked[];
    workers: ListedWorker[];
    trash: TrashEntry[];
    emptied: EmptiedTrash;
    cleaned: Cleaned;
    diff: DiffView;
    /** Where the next task begins; null: here. */
    place: PlaceOfTask | null;
    listeners: number;
    factReads: number;
  };
}

/** Services over arrays. Ids are made of counters: task-0001…, padded so that prefixes can be tested. */
export function memoryServices(): MemoryServices {
  const tasks: TaskDetail[] = [];
  const facts: Fact[] = [];
  const logs = new Map<string, { lines: LogLine[]; ended: boolean; sent?: SentLog }>();
  const listeners = new Set<() => void>();
  const refusals = new Map<string, { refusal: Refusal; always: boolean }>();
  const broken = new Set<string>();
  let counter = 0;

  const gate = async <T>(service: keyof Services, answer: () => T | Refusal): Answer<T> => {
    if (broken.delete(service)) throw new Error(`broken on purpose: ${service}`);
    const refused = refusals.get(service);
    if (refused && !refused.always) refusals.delete(service);
    if (refused) return err(refused.refusal);
    const value = answer();
    return isRefusal(value) ? err(value) : ok(value as T);
  };
  const addFact = (fact: Partial<Fact>) => {
    facts.push({
      seq: (facts.at(-1)?.seq ?? 0) + 1,
      at: "2026-01-02T03:04:05.000Z",
      kind: "run.state",
      taskId: null,
      attemptId: null,
      runId: null,
      data: {},
      ...fact,
    });
    for (const listener of listeners) listener();
  };
  const place = (runId: string) => {
    for (const [t, task] of tasks.entries())
      for (const [a, attempt] of task.attempts.entries())
        for (const [r, run] of attempt.runs.entries())
          if (run.id === runId) return { t, a, r, task, attempt, run };
    return null;
  };
  const replaceRun = (runId: string, change: Partial<RunView>) => {
    const at = place(runId);
    if (at === null) throw new Error(`no run ${runId}`);
    const runs = at.attempt.runs.with(at.r, { ...at.run, ...change });
    const { attempt } = at.attempt;
    const patch = change.patch ? { ...PUSHED_PATCH, ...change.patch } : attempt.patch;
    const attempts = at.task.attempts.with(at.a, { attempt: { ...attempt, patch }, runs });
    tasks[at.t] = { ...at.task, attempts };
    return { ...at, run: { ...at.run, ...change } };
  };
  const change = (runId: string, what: Partial<RunView>) => {
    const { run, attempt, task } = replaceRun(runId, what);
    addFact({
      kind: "run.state",
      taskId: task.task.id,
      attemptId: attempt.attempt.id,
      runId,
      data: { status: run.status, phase: run.phase },
    });
  };
  const taskOf = (id: string) => tasks.find((detail) => detail.task.id === id) ?? missing("task", id);
  const taskOfAttempt = (id: string) =>
    tasks.find((detail) => detail.attempts.some(({ attempt }) => attempt.id === id)) ??
    missing("attempt", id);
  const idsOf = () =>
    tasks.flatMap(({ task, attempts }) => [
      { type: "task" as const, id: task.id, attemptId: null, taskId: task.id },
      ...attempts.flatMap(({ attempt, runs }) => [
        { type: "attempt" as const, id: attempt.id, attemptId: attempt.id, taskId: task.id },
        ...runs.map((run) => ({ type: "run" as const, id: run.id, attemptId: attempt.id, taskId: task.id })),
      ]),
    ]);
  const addRun = (attemptId: string, more: Partial<RunView>) => {
    const detail = taskOfAttempt(attemptId);
    if (isRefusal(detail)) return detail;
    counter += 1;
    const attempts = detail.attempts.map((each) =>
      each.attempt.id === attemptId
        ? {
            ...each,
            runs: [
              ...each.runs,
              aRun({ id: id("run", counter), attemptId, number: each.runs.length + 1, ...more }),
            ],
          }
        : each,
    );
    const next = { ...detail, attempts };
    tasks[tasks.indexOf(detail)] = next;
    return next;
  };
  const stopRuns = (detail: TaskDetail | Refusal, wanted: (run: RunView) => boolean) => {
    if (isRefusal(detail)) return detail;
    for (const { runs } of detail.attempts)
      for (const run of runs)
        if (wanted(run) && !isEnded(run.status))
          change(run.id, { status: "CANCELED", phase: null, endedAt: "2026-01-02T03:05:05.000Z" });
    return taskOf(detail.task.id);
  };

  const access: MemoryAccess = { tokens: new Map(), browsers: new Map() };
  const changeWorker = (named: string, change: (worker: ListedWorker) => Partial<ListedWorker>) => {
    const found = services.world.workers.find(({ id, name }) => id === named || name === named);
    if (found === undefined) return missing("worker", named);
    const changed = { ...found, ...change(found) };
    services.world.workers = services.world.workers.with(services.world.workers.indexOf(found), changed);
    return changed;
  };

  const services: MemoryServices = {
    ...memoryAccess(access, () => addFact({ kind: "browsers.changed" })),
    calls: [],
    created: [],
    environments: new Map(),
    keys: [],
    world: {
      agents: [],
      findings: [],
      repositories: [aRepository()],
      config: [],
      scripts: [],
      operations: [],
      pullRequests: [],
      ...access,
      workers: [],
      trash: [],
      emptied: { removed: [], kept: [] },
      cleaned: { removed: [], kept: [] },
      diff: { files: [], patch: "" },
      place: null,
      listeners: 0,
      factReads: 0,
    },
    actors: [],
    elsewhere: new Map(),
    askOther: async () => ok({ status: 200, type: "application/json", body: "" }),
    onCreated: () => {},
    refuse(service, refusal, always = false) {
      if (refusal === null) refusals.delete(service);
      else refusals.set(service, { refusal, always });
    },
    breakNext(service) {
      broken.add(service);
    },
    add(detail) {
      tasks.push(detail);
      return detail;
    },
    change,
    changeAttempt(attemptId, what) {
      const detail = taskOfAttempt(attemptId);
      if (isRefusal(detail)) throw new Error(detail.message);
      const attempts = detail.attempts.map((each) =>
        each.attempt.id === attemptId ? { ...each, attempt: { ...each.attempt, ...what } } : each,
      );
      tasks[tasks.indexOf(detail)] = { ...detail, attempts };
      addFact({ kind: "attempt.changed", taskId: detail.task.id, attemptId });
    },
    act(runId, text) {
      const { attempt, task } = replaceRun(runId, {
        lastAction: { at: "2026-01-02T03:04:05.000Z", text },
      });
      addFact({
        kind: "run.action",
        taskId: task.task.id,
        attemptId: attempt.attempt.id,
        runId,
        data: { text },
      });
    },
    addFact,
    addLog(runId, lines, options = { ended: false }) {
      const log = logs.get(runId) ?? { lines: [], ended: false };
      logs.set(runId, { ...options, lines: [...log.lines, ...lines] });
    },

    by(actor) {
      services.actors.push(actor);
      return this;
    },
    ownName: async () => null,
    holderToAsk: async (thing, id) => services.elsewhere.get(`${thing} ${id}`) ?? null,
    askWorker: (worker, call) => services.askOther(worker, call),
    keepEnvironment: (id, variables) => void services.environments.set(id, variables),
    inShell: (id) => {
      if (!services.environments.has(id)) return null;
      services.calls.push(`inShell ${id}`);
      return services;
    },
    placeOfTask: () => gate("placeOfTask", () => services.world.place),
    createTask: (input, once = null) => {
      services.keys.push(once);
      return gate("createTask", () => {
        services.calls.push(`createTask ${input.issue}`);
        services.created.push(input);
        counter += 1;
        const taskId = id("task", counter);
        const detail: TaskDetail = {
          task: aTask({ id: taskId, title: input.title ?? input.issue, issue: input.issue }),
          repository: aRepository({ path: input.repository }),
          attempts: input.agents.map((agent, index) => {
            const attemptId = id("attempt", counter * 100 + index);
            const runId = id("run", counter * 100 + index);
            return {
              attempt: anAttempt({ id: attemptId, taskId, number: index + 1, agent: agent.id }),
              runs: [aRun({ id: runId, attemptId, instruction: input.issue })],
            };
          }),
        };
        tasks.push(detail);
        addFact({ kind: "task.created", taskId });
        setTimeout(() => services.onCreated(detail), 5);
        return detail;
      });
    },
    followUp: ({ attempt, instruction, mergeBase }, once = null) => {
      services.keys.push(once);
      return gate("followUp", () => {
        services.calls.push(`followUp ${attempt} ${instruction} ${mergeBase}`);
        const detail = addRun(attempt, { instruction: instruction ?? "" });
        if (!isRefusal(detail)) setTimeout(() => services.onCreated(detail), 5);
        return detail;
      });
    },
    retry: ({ run, from }, once = null) => {
      services.keys.push(once);
      return gate("retry", () => {
        services.calls.push(`retry ${run} ${from}`);
        const at = place(run);
        const detail = at === null ? missing("run", run) : addRun(at.attempt.attempt.id, {});
        if (!isRefusal(detail)) setTimeout(() => services.onCreated(detail), 5);
        return detail;
      });
    },
    publish: ({ attempt, allow, reason }, once = null) => {
      services.keys.push(once);
      return gate("publish", () => {
        services.calls.push(`publish ${attempt} ${allow.join(",")} ${reason}`);
        const detail = addRun(attempt, {});
        if (!isRefusal(detail)) setTimeout(() => services.onCreated(detail), 5);
        return detail;
      });
    },
    revert: ({ attempt, agent }, once = null) => {
      services.keys.push(once);
      return gate("revert", () => {
        services.calls.push(`revert ${attempt} ${agent}`);
        return addRun(attempt, {});
      });
    },
    compose: ({ task, take }, once = null) => {
      services.keys.push(once);
      return gate("compose", () => {
        const takes = take.map(({ attempt, path }) => `${attempt}:${path}`);
        services.calls.push(`compose ${task} ${takes.join(" ")}`);
        const detail = addRun(take[0]?.attempt ?? "", {});
        if (!isRefusal(detail)) setTimeout(() => services.onCreated(detail), 5);
        return detail;
      });
    },
    addAttempt: ({ task, agent }, once = null) => {
      services.keys.push(once);
      return gate<TaskDetail>("addAttempt", () => {
        services.calls.push(`addAttempt ${task} ${agent.id}`);
        return missing("task", task);
      });
    },
    takeBack: ({ attempt }) => gate<TaskDetail>("takeBack", () => missing("attempt", attempt)),
    reply: ({ id }) => gate<Tracked>("reply", () => missing("pull request", id)),
    keepShipDraft: ({ attempt }) => gate<ShipDraft>("keepShipDraft", () => missing("attempt", attempt)),
    fork: ({ run, agent }, once = null) => {
      services.keys.push(once);
      return gate("fork", () => {
        services.calls.push(`fork ${run} ${agent.id}`);
        const at = place(run);
        const detail = at === null ? missing("run", run) : addRun(at.attempt.attempt.id, {});
        if (!isRefusal(detail)) setTimeout(() => services.onCreated(detail), 5);
        return detail;
      });
    },
    apply: (attempt) =>
      gate("apply", () => {
        services.calls.push(`apply ${attempt}`);
        const found = taskOfAttempt(attempt);
        return isRefusal(found) ? found : { files: [], path: "/garden" };
      }),
    merge: ({ attempt, squash, here }) =>
      gate("merge", () => {
        services.calls.push(`merge ${attempt} ${squash} ${here}`);
        const found = taskOfAttempt(attempt);
        if (isRefusal(found)) return found;
        const commit = "e".repeat(40);
        return { target: "main", commit, by: "tazuna", repository: "/garden", remote: null } as const;
      }),
    answer: (any, given) =>
      gate("answer", () => {
        services.calls.push(`answer ${any} ${given.kind} ${given.text ?? ""} ${given.expect}`);
        const found = idsOf().find((each) => each.id === any);
        return found === undefined ? missing("run", any) : taskOf(found.taskId);
      }),
    stop: (any) =>
      gate("stop", () => {
        services.calls.push(`stop ${any}`);
        const found = idsOf().find((each) => each.id === any);
        if (found === undefined) return missing("task, attempt or run", any);
        return stopRuns(
          taskOf(found.taskId),
          (run) => any === found.taskId || [run.id, run.attemptId].includes(any),
        );
      }),
    changeQueued: ({ run, instruction, position }) =>
      gate("changeQueued", () => {
        services.calls.push(`changeQueued ${run} ${instruction} ${position}`);
        if (instruction !== null) change(run, { instruction });
      }),
    removeQueued: (run) =>
      gate("removeQueued", () => {
        services.calls.push(`removeQueued ${run}`);
        change(run, { status: "CANCELED", phase: null, position: null });
      }),
    cancel: (any) =>
      gate("cancel", () => {
        services.calls.push(`cancel ${any}`);
        const found = idsOf().find((each) => each.id === any);
        if (found === undefined) return missing("task, attempt or run", any);
        for (const { attempt } of (taskOf(found.taskId) as TaskDetail).attempts)
          if (found.type === "task" || attempt.id === found.attemptId)
            services.changeAttempt(attempt.id, { state: "canceled" });
        return stopRuns(
          taskOf(found.taskId),
          (run) => found.type === "task" || run.attemptId === found.attemptId,
        );
      }),
    find: (prefix) =>
      gate("find", () => {
        const hits = idsOf().filter((each) => each.id === prefix || each.id.startsWith(prefix));
        const [hit] = hits.filter((each) => each.id === prefix).concat(hits.length === 1 ? hits : []);
        return hit ?? (hits.length === 0 ? missing("task, attempt or run", prefix) : AMBIGUOUS);
      }),
    task: (taskId) => gate("task", () => taskOf(taskId)),
    tasks: ({ cursor, limit, all, repository, failed }) =>
      gate("tasks", () => {
        const words = ["tasks", repository, all ? "all" : null, failed ? "failed" : null];
        services.calls.push(words.filter((word) => word !== null).join(" "));
        const open = tasks.filter(
          (each) => all || each.attempts.some(({ attempt }) => attempt.state === "open"),
        );
        return pageOf(open, { cursor, limit });
      }),
    attempts: (query) =>
      gate("attempts", () =>
        pageOf(
          tasks.flatMap(({ attempts }) => attempts),
          query,
        ),
      ),
    runs: (query) =>
      gate("runs", () =>
        pageOf(
          tasks.flatMap(({ task, attempts }) =>
            attempts.flatMap(({ runs }) => runs.map((run) => ({ run, taskId: task.id }))),
          ),
          query,
        ),
      ),
    log: (runId, { after: asked, limit, tail }) =>
      gate("log", () => {
        if (place(runId) === null) return missing("run", runId);
        const log = logs.get(runId) ?? { lines: [], ended: false };
        const after = tail === null ? asked : Math.max(asked, log.lines.length - tail);
        const lines = log.lines.filter((line) => line.n > after).slice(0, limit);
        const next = lines.at(-1)?.n ?? after;
        const total = log.lines.at(-1)?.n ?? 0;
        const previous = after > 0 ? after + 1 : null;
        return { lines, next, previous, total, ended: log.ended && next === total, sent: log.sent ?? null };
      }),
    diff: (of, { path }) =>
      gate("diff", () => {
        services.calls.push(`diff ${sidesIn(of)} ${path}`);
        return services.world.diff;
      }),
    diffFiles: (of, { cursor, limit }) =>
      gate("diffFiles", () => {
        services.calls.push(`diffFiles ${sidesIn(of)}`);
        const from = Number(cursor ?? 0);
        const files = services.world.diff.files.slice(from, from + limit);
        const next = from + limit < services.world.diff.files.length ? String(from + limit) : null;
        return { files, next };
      }),
    lines: () => gate("lines", () => ({ sha: "0".repeat(40), lines: [], total: 0 })),
    picture: () => gate("picture", () => ({ type: "image/png" as const, bytes: new Uint8Array() })),
    patch: (of) =>
      gate("patch", () => {
        services.calls.push(`patch ${sidesIn(of)}`);
        return new Blob([services.world.diff.patch]).stream();
      }),
    review: ({ attempt }, once = null) => {
      services.keys.push(once);
      return gate("review", () => addRun(attempt, { kind: "review" }));
    },
    comments: () => gate("comments", () => []),
    gate: () => gate("gate", () => ({ run: null, tree: null, rows: [], leftOut: [] })),
    situation: (attempt) => gate<Situation>("situation", () => missing("attempt", attempt)),
    previewPullRequest: (attempt) =>
      gate<PullRequestPreview>("previewPullRequest", () => missing("attempt", attempt)),
    checks: () => gate("checks", () => ({ baseSha: null, items: [] })),
    openTerminal: ({ attempt }) => gate<{ id: string }>("openTerminal", () => missing("attempt", attempt)),
    terminal: ({ id }) => gate<OpenTerminal>("terminal", () => missing("terminal", id)),
    checkBase: ({ attempt }) => gate<void>("checkBase", () => missing("attempt", attempt)),
    viewed: () => gate("viewed", () => ({ items: [], seen: null })),
    markViewed: ({ path, viewed }) => gate("markViewed", () => ({ path, viewed, at: null })),
    markSeen: ({ run }) => gate("markSeen", () => ({ run })),
    addComment: ({ attempt }) => gate<PlacedComment>("addComment", () => missing("attempt", attempt)),
    changeComment: ({ id }) => gate<PlacedComment>("changeComment", () => missing("comment", id)),
    removeComment: (id) => gate<PlacedComment>("removeComment", () => missing("comment", id)),
    compare: (task) =>
      gate("compare", () => {
        const found = taskOf(task);
        return isRefusal(found) ? found : { task: found, attempts: [] };
      }),
    choose: ({ attempt }) => gate<Decision>("choose", () => missing("attempt", attempt)),
    decisions: () => gate("decisions", () => ({ items: [], next: null })),
    openPullRequest: ({ attempt, title, body, draft }, once = null) => {
      services.keys.push(once);
      return gate("openPullRequest", () => {
        services.calls.push(`openPullRequest ${attempt} ${title} ${body} ${draft}`);
        return (
          services.world.pullRequests.find((one) => one.attemptId === attempt) ?? missing("attempt", attempt)
        );
      });
    },
    forgeWebhook: async ({ body }) => {
      services.calls.push(`forgeWebhook ${body}`);
      return body.includes("secret") ? "taken" : "refused";
    },
    pullRequests: (query) => gate("pullRequests", () => pageOf(services.world.pullRequests, query)),
    pullRequest: (id) =>
      gate(
        "pullRequest",
        () => services.world.pullRequests.find((one) => one.id === id) ?? missing("pull request", id),
      ),
    operations: ({ subject, ...query }) =>
      gate("operations", () =>
        pageOf(
          services.world.operations.filter(({ subject: { id } }) => subject === null || id === subject),
          query,
        ),
      ),
    takeLeft: ({ attempt, worker, discard }) =>
      gate("takeLeft", () => {
        services.calls.push(`takeLeft ${attempt} ${worker} ${discard}`);
        return null;
      }),
    restoreRun: (runId) =>
      gate("restoreRun", () => {
        services.calls.push(`restoreRun ${runId}`);
        return services.world.operations.find(({ before }) => before?.run === runId) ?? missing("run", runId);
      }),
    undo: (operation) =>
      gate("undo", () => {
        services.calls.push(`undo ${operation}`);
        return (
          services.world.operations.find(({ before }) => before?.of === operation) ??
          missing("operation", operation)
        );
      }),
    storage: () =>
      gate("storage", () => ({
        items: [],
        next: null,
        totals: {
          worktrees: null,
          trash: null,
          logs: null,
          database: null,
          clones: null,
          sent_logs: null,
          free: 1,
        },
        scanned_at: null,
        scanning: true,
      })),
    storedLogs: () => gate("storedLogs", () => ({ items: [], next: null, count: 0, scanned_at: null })),
    removeLogs: () => gate("removeLogs", () => ({ removed: [], kept: [] })),
    inviteWorker: async (origin) =>
      gate("inviteWorker", () => ({
        url: `${origin}/join/tzj_x`,
        command: `tazuna worker --join ${origin}/join/tzj_x`,
        expiresAt: "2026-01-02T12:15:00.000Z",
        localServer: true,
        localDatabase: false,
      })),
    joinOffer: () =>
      gate("joinOffer", () => ({
        version: "0.1.0",
        protocol: 1,
        schema: "0001",
        now: "2026-01-02T12:00:00.000Z",
      })),
    admitWorker: (secret) =>
      gate("admitWorker", () => ({ name: secret, database: "postgres://db.example/tazuna", shared: false })),
    answerRules: () => gate("answerRules", () => []),
    removeAnswerRule: async (id) => err(missing("rule", id)),
    resume: (any) =>
      gate("resume", () => {
        const found = idsOf().find((each) => each.id === any);
        return found === undefined ? missing("run", any) : taskOf(found.taskId);
      }),
    scanStorage: () => gate("scanStorage", () => ({ scanning: true, scanned_at: null })),
    configSchema: () => gate("configSchema", () => ({ type: "object" })),
    changeSetting: ({ key, value }) =>
      gate("changeSetting", () => ({
        file: "/data/config.json",
        key,
        value: JSON.parse(value ?? "null"),
        unset: value === null,
        before: null,
      })),
    trash: () => gate("trash", () => services.world.trash),
    restoreTrash: (entry) =>
      gate("restoreTrash", () => {
        services.calls.push(`restoreTrash ${entry}`);
        return { entry, path: `/data/worktrees/${entry}` };
      }),
    clean: ({ ids, yes }) =>
      gate("clean", () => {
        services.calls.push(`clean ${ids} ${yes}`);
        return services.world.cleaned;
      }),
    emptyTrash: ({ yes }) =>
      gate("emptyTrash", () => {
        services.calls.push(`emptyTrash ${yes}`);
        return services.world.emptied;
      }),
    agents: ({ repository }) =>
      gate("agents", () => {
        services.calls.push(`agents ${repository}`);
        return services.world.agents;
      }),
    doctor: ({ repository }) =>
      gate("doctor", () => {
        services.calls.push(`doctor ${repository}`);
        return services.world.findings;
      }),
    repositories: () =>
      gate("repositories", () =>
        services.world.repositories.map((one) => ({ demo: false, putAway: false, ...one })),
      ),
    addRepository: (path) =>
      gate("addRepository", () => {
        services.calls.push(`addRepository ${path}`);
        return aRepository({ path });
      }),
    cloneRepository: (url) =>
      gate("cloneRepository", () => {
        services.calls.push(`cloneRepository ${url}`);
        return aRepository({ url });
      }),
    removeRepository: (named) =>
      gate("removeRepository", () => {
        services.calls.push(`removeRepository ${named}`);
        return { repository: aRepository({ id: named }), tasks: 2, trashed: 1 };
      }),
    moveRepository: (repositoryId, path) =>
      gate("moveRepository", () => {
        services.calls.push(`moveRepository ${repositoryId} ${path}`);
        return aRepository({ id: repositoryId, path });
      }),
    config: ({ repository }) =>
      gate("config", () => {
        services.calls.push(`config ${repository}`);
        return services.world.config;
      }),
    scripts: () => gate("scripts", () => services.world.scripts),
    trust: ({ repository, hashes }) =>
      gate("trust", () => {
        services.calls.push(`trust ${repository} ${hashes}`);
        services.world.scripts = services.world.scripts.map((script) => ({
          ...script,
          trusted: script.trusted || hashes === "all" || hashes.includes(script.hash),
        }));
        return services.world.scripts;
      }),
    facts: ({ after, limit }) =>
      gate("facts", () => {
        services.world.factReads += 1;
        return facts.filter((fact) => fact.seq > after).slice(0, limit);
      }),
    lastFact: () => gate("lastFact", () => facts.at(-1)?.seq ?? 0),
    onFacts(listener) {
      listeners.add(listener);
      services.world.listeners = listeners.size;
      return () => {
        listeners.delete(listener);
        services.world.listeners = listeners.size;
      };
    },
    capacity: () =>
      gate("capacity", () => ({
        slots: { used: 0, limit: 8 },
        logins: [],
        spent_today_usd: 0,
        budget_usd: null,
        disk: { free_bytes: 1, floor_bytes: 1, path: "/data" },
      })),
    workers: () => gate("workers", () => services.world.workers),
    drainWorker: ({ worker, withinMs, until }) =>
      gate("drainWorker", () => {
        services.calls.push(`drainWorker ${worker} ${withinMs} ${until}`);
        const drain = {
          since: "2026-01-02T03:04:05.000Z",
          by: null,
          stops_at: withinMs === null ? null : "2026-01-02T04:04:05.000Z",
        };
        return changeWorker(worker, ({ slots }) => ({ drain: { ...drain, runs: slots.used } }));
      }),
    resumeWorker: (named) => gate("resumeWorker", () => changeWorker(named, () => ({ drain: null }))),
    removeWorker: (named) =>
      gate("removeWorker", () => {
        const removed = changeWorker(named, () => ({}));
        services.world.workers = services.world.workers.filter((worker) => worker !== removed);
        return removed;
      }),
    taskDraft: () => gate("taskDraft", () => null),
    keepTaskDraft: () => gate("keepTaskDraft", () => null),
    previewTask: () =>
      gate("previewTask", () => ({
        repository: { id: null, name: "shop", path: "/r" },
        base: null,
        base_problem: "none",
        worker: null,
        attempts: [],
        scripts: { untrusted: 0 },
        disk: { need_bytes: null, free_bytes: 1, floor_bytes: 1 },
        open_attempts: 0,
        changing: [],
      })),
    branches: () => gate("branches", () => ({ items: [], next: null, truncated: false })),
    files: () => gate("files", () => ({ items: [], next: null, truncated: false })),
    fetchRepository: () => gate("fetchRepository", () => ({ fetched_at: null })),
    removeDemo: () => gate("removeDemo", () => []),
    demo: (_, once) => services.createTask({ ...DEMO, agents: [DEMO_AGENT, DEMO_AGENT] }, once),
  };
  return services;
}

/** In the order in which they were added; the cursor is a number. */
function pageOf<T>(all: readonly T[], { cursor, limit }: PageQuery): ListPage<T> {
  const from = cursor === null ? 0 : Number(cursor);
  const next = from + limit < all.length ? String(from + limit) : null;
  return { items: all.slice(from, from + limit), next };
}

const DEMO_AGENT = { id: "demo", model: null };
const DEMO: CreateTask = {
  repository: "/tmp/demo",
  title: "Greet people by name",
  issue: "Greet people by name.",
  context: null,
  constraints: null,
  base: null,
  agents: [],
  publish: null,
  branch: null,
  fromWorktree: false,
  offline: false,
  budgetUsd: null,
  settings: {},
  worker: null,
  onLabels: [],
};

const AMBIGUOUS: Refusal = {
  kind: "bad_request",
  code: "ambiguous_id",
  message: "The id begins more than one thing.",
  remedy: "Give more of it.",
  details: {},
};

function missing(what: string, id: string): Refusal {
  return {
    kind: "not_found",
    code: "not_found",
    message: `No ${what} has the id "${id}".`,
    remedy: "`tazuna list --all` shows the ids.",
    details: { id },
  };
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "remedy" in value && "kind" in value;
}

/** Ids of which the first eight characters differ, as the real ones do. */
function id(kind: "task" | "attempt" | "run", number: number): string {
  return `${kind[0]}${String(number).padStart(7, "0")}-${kind}-${number}`;
}

function sidesIn(of: DiffOf): string {
  return "run" in of ? `run ${of.run}` : `${of.attempt} ${of.other ?? of.since ?? of.worker ?? null}`;
}
