/** Describes the endpoints of the engine itself: health, state, capacity, workers and how they join, tools, leaving. */
import { z } from "zod";
import { actorSchema } from "../../domain/actor.ts";
import { WORKER_STATES } from "../../domain/worker/worker.ts";
import { admitted, joinOffer, joinRequest, madeInvite } from "../join-documents.ts";
import { MAX_WITHIN_S } from "../limits.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const engineAnswer = z.object({
  pid: z.number(),
  version: z.string(),
  url: z.string(),
  /** UTC ISO. */
  since: z.string(),
  /** The data folder. */
  home: z.string(),
  kind: z.enum(["background", "terminal", "command"]),
  /** No run works, waits or is queued, and no client watches. */
  idle: z.boolean(),
  runs: z.array(
    z.object({
      id: z.string(),
      attempt: z.string(),
      status: z.string(),
      phase: z.string().nullable(),
    }),
  ),
});
export type EngineAnswer = z.output<typeof engineAnswer>;

const toolDocument = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** JSON Schema. */
  parameters: z.unknown(),
});
export type ToolDocument = z.output<typeof toolDocument>;

/** What is left for runs. */
const capacityAnswer = z.object({
  /** Runs that work now, and how many may; `limits.parallel` of the data folder's settings. */
  slots: z.object({ used: z.number(), limit: z.number() }),
  /** Logins whose limit of the provider is used up. */
  logins: z.array(z.object({ login: z.string(), resume_at: z.string(), reason: z.string() })),
  /** Known costs of the runs that worked today, in the time zone of the engine. */
  spent_today_usd: z.number(),
  /** The most that one run may cost (`limits.cost_usd`); null if nothing limits it. */
  budget_usd: z.number().nullable(),
  /** Below the floor no run begins. */
  disk: z.object({ free_bytes: z.number(), floor_bytes: z.number(), path: z.string() }),
});

/** A data folder whose engine works on the same Postgres. */
const workerDocument = z.object({
  id: z.string(),
  /** Unique; for people. */
  name: z.string(),
  state: z.enum(WORKER_STATES),
  /** Runs that it drives now, and how many it may. */
  slots: z.object({ used: z.number(), limit: z.number() }),
  /** The ids of the agents that are ready there. */
  agents: z.array(z.string()),
  /** What it is good for. */
  labels: z.array(z.string()),
  version: z.string(),
  /** Open attempts whose files lie there. */
  pinned: z.number(),
  /** Null if it may begin runs. */
  drain: z
    .object({
      /** UTC ISO, by the clock of the database, as the next one. */
      since: z.string(),
      /** Who asked for it; null if its own end did, or if that is not known. */
      by: actorSchema.nullable(),
      /** When the runs that still go on then are stopped; null if none is. */
      stops_at: z.string().nullable(),
      /** Those that go on; without any it is drained. */
      runs: z.number(),
    })
    .nullable(),
  /** How far its clock is ahead of the database's. Null if that is at most 2 s. */
  clock: z
    .object({
      ahead_ms: z.number(),
      /** It is so far off that it begins no run. */
      begins_nothing: z.boolean(),
    })
    .nullable(),
  /** Its program is older than the one that answers. It gets no runs that it does not know. */
  older: z.boolean(),
  /** It is the one that answers. */
  here: z.boolean(),
  /** UTC ISO, by the clock of the database, as the next one. */
  started_at: z.string(),
  seen_at: z.string(),
  /** How many seconds ago that was when it was asked. No clocks are compared. */
  seen_s: z.number(),
});
export type WorkerDocument = z.output<typeof workerDocument>;

const INVITE_CODES = [
  "database_not_shared",
  "invited_itself",
  "invite_unknown",
  "invite_used",
  "invite_expired",
  "too_many_failures",
] as const;

export const ENGINE_ENDPOINTS = {
  description: {
    ...ROUTES.description,
    summary: "Describes every endpoint as OpenAPI 3.1.",
    request: z.object({}),
    answer: z.record(z.string(), z.unknown()),
    codes: [],
  },
  health: {
    ...ROUTES.health,
    summary: "Says that Tazuna answers, and its version.",
    request: z.object({}),
    answer: z.object({ name: z.literal("tazuna"), version: z.string() }),
    codes: [],
  },
  engine: {
    ...ROUTES.engine,
    summary: "Shows the engine's process and its unfinished runs.",
    request: nothing,
    answer: engineAnswer,
    codes: [],
  },
  capacity: {
    ...ROUTES.capacity,
    summary: "Says what is left for runs: slots, logins, money, room on the disk.",
    request: nothing,
    answer: capacityAnswer,
    codes: [],
  },
  workers: {
    ...ROUTES.workers,
    summary: "Lists the workers on the same Postgres, the one that answers first; empty on SQLite.",
    request: nothing,
    answer: listOf(workerDocument),
    codes: [],
  },
  drainWorker: {
    ...ROUTES.drainWorker,
    summary: "Drains a worker, by its name or its id: it begins no run until it is resumed.",
    request: z.strictObject({
      /** After so long, what still goes on there is stopped; null to wait for it. */
      within_s: z
        .number()
        .int("must be a whole number")
        .min(1)
        .max(MAX_WITHIN_S, "must be at most 7 days")
        .nullable()
        .default(null),
    }),
    answer: workerDocument,
    codes: ["not_found", "database_not_shared"],
  },
  resumeWorker: {
    ...ROUTES.resumeWorker,
    summary: "Lets a worker that drains begin runs again.",
    request: nothing,
    answer: workerDocument,
    codes: ["not_found", "database_not_shared"],
  },
  removeWorker: {
    ...ROUTES.removeWorker,
    summary: "Removes a worker that is not there or has drained. Its open runs end; its files stay there.",
    request: nothing,
    answer: workerDocument,
    codes: ["not_found", "database_not_shared", "worker_works"],
  },
  inviteWorker: {
    ...ROUTES.inviteWorker,
    summary:
      "Makes an invitation, by which one worker joins within 15 minutes. This answer alone holds its secret.",
    request: nothing,
    answer: madeInvite,
    codes: ["database_not_shared", "invited_itself"],
  },
  joinOffer: {
    ...ROUTES.joinOffer,
    summary: "Says what a worker with this invitation would join; the invitation stays good.",
    request: nothing,
    answer: joinOffer,
    codes: [...INVITE_CODES, "too_few_connections"],
  },
  admitWorker: {
    ...ROUTES.admitWorker,
    summary: "Exchanges an invitation for the address of the Postgres with a login, once.",
    request: joinRequest,
    answer: admitted,
    codes: [...INVITE_CODES, "other_version", "worker_name_taken", "already_joined", "worker_removed"],
  },
  tools: {
    ...ROUTES.tools,
    summary: "Lists the tools that agents may be given, as a model is told about them.",
    request: nothing,
    answer: listOf(toolDocument),
    codes: [],
  },
  leave: {
    ...ROUTES.leave,
    summary: "Asks the engine to end; with `only_idle`, only if it is idle.",
    request: z.strictObject({ only_idle: z.boolean().default(false) }),
    answer: z.object({ leaving: z.boolean() }),
    codes: [],
  },
} as const satisfies Endpoints;
