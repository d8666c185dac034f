/**
 * Describes the endpoints of the engine itself: health, state, capacity, leaving, sign-in links, access tokens,
 * environments.
 */
import { z } from "zod";
import { accessTokenSchema } from "../../domain/access/token.ts";
import { WORKER_STATES } from "../../domain/worker/worker.ts";
import { documentOf, without } from "../document-of.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, text } from "./fields.ts";
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
  version: z.string(),
  /** Open attempts whose files lie there. */
  pinned: z.number(),
  /** It is the one that answers. */
  here: z.boolean(),
  /** UTC ISO, by the clock of the database, as the next one. */
  started_at: z.string(),
  seen_at: z.string(),
  /** How many seconds ago that was when it was asked. No clocks are compared. */
  seen_s: z.number(),
});
export type WorkerDocument = z.output<typeof workerDocument>;

/** All but what it is recognized by. */
export const accessTokenFields = without(accessTokenSchema.shape, "hash");
const accessToken = z.object(documentOf(accessTokenFields));
export type AccessTokenDocument = z.infer<typeof accessToken>;

const newToken = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,59}$/, "must be 1 to 60 letters, digits, dots, dashes and underscores"),
  scope: accessTokenSchema.shape.scope,
  /** How long it opens something. */
  days: z.number().int("must be a whole number").min(1).max(366, "must be at most 366").default(90),
});

const variableName = z.string().regex(/^[^=\0]+$/, "is not the name of a variable");
const variableValue = z.string().refine((value) => !value.includes("\0"), "must not contain a NUL character");

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
  link: {
    ...ROUTES.link,
    summary: "Makes a link that signs a browser in once, and a short code that does the same.",
    request: z.strictObject({ attempt: text.nullable().default(null) }),
    answer: z.object({
      url: z.string(),
      /** Such as `K7QM-4XRD-9TPA`, to be typed on a page that is not signed in; used up together with the link. */
      code: z.string(),
    }),
    codes: [],
  },
  accessTokens: {
    ...ROUTES.accessTokens,
    summary: "Lists the access tokens, the oldest first, without the tokens themselves.",
    request: nothing,
    answer: listOf(accessToken),
    codes: [],
  },
  addAccessToken: {
    ...ROUTES.addAccessToken,
    summary: "Makes an access token. This answer alone holds the token itself.",
    request: newToken,
    answer: accessToken.extend({ token: z.string() }),
    codes: ["token_name_taken"],
  },
  removeAccessToken: {
    ...ROUTES.removeAccessToken,
    summary: "Removes an access token, by its name or its id: it opens nothing any more.",
    request: nothing,
    answer: accessToken,
    codes: ["not_found", "ambiguous_id"],
  },
  keepEnvironment: {
    ...ROUTES.keepEnvironment,
    summary: "Takes the environment of the caller's shell, under an id that the caller makes up.",
    request: z.strictObject({ id: z.uuid(), variables: z.array(z.tuple([variableName, variableValue])) }),
    answer: z.object({ id: z.string() }),
    codes: ["programs_only"],
  },
} as const satisfies Endpoints;
