/** Describes the endpoints of the engine itself: health, state, leaving, sign-in links, callers' environments. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { nothing, text } from "./fields.ts";
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
  leave: {
    ...ROUTES.leave,
    summary: "Asks the engine to end; with `only_idle`, only if it is idle.",
    request: z.strictObject({ only_idle: z.boolean().default(false) }),
    answer: z.object({ leaving: z.boolean() }),
    codes: [],
  },
  link: {
    ...ROUTES.link,
    summary: "Makes a link that signs a browser in once.",
    request: z.strictObject({ attempt: text.nullable().default(null) }),
    answer: z.object({ url: z.string() }),
    codes: [],
  },
  keepEnvironment: {
    ...ROUTES.keepEnvironment,
    summary: "Takes the environment of the caller's shell, under an id that the caller makes up.",
    request: z.strictObject({ id: z.uuid(), variables: z.array(z.tuple([variableName, variableValue])) }),
    answer: z.object({ id: z.string() }),
    codes: ["programs_only"],
  },
} as const satisfies Endpoints;
