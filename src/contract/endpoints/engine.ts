/** Describes the endpoints of the engine itself: health, state, leaving, sign-in links, callers' environments. */
import { z } from "zod";
import { MAX_ENVIRONMENT_BYTES } from "../limits.ts";
import type { Endpoints } from "./endpoint.ts";
import { nothing, text } from "./fields.ts";

export const ENGINE_KINDS = ["background", "terminal", "command"] as const;

const engineAnswer = z.object({
  pid: z.number(),
  version: z.string(),
  url: z.string(),
  /** UTC ISO. */
  since: z.string(),
  /** The data folder. */
  home: z.string(),
  kind: z.enum(ENGINE_KINDS),
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
    method: "GET",
    path: "/openapi.json",
    summary: "Describes every endpoint as OpenAPI 3.1.",
    request: z.object({}),
    answer: z.record(z.string(), z.unknown()),
    codes: [],
    open: true,
  },
  health: {
    method: "GET",
    path: "/health",
    summary: "Says that Tazuna answers, and its version.",
    request: z.object({}),
    answer: z.object({ name: z.literal("tazuna"), version: z.string() }),
    codes: [],
    open: true,
  },
  engine: {
    method: "GET",
    path: "/engine",
    summary: "Shows the engine's process and its unfinished runs.",
    request: nothing,
    answer: engineAnswer,
    codes: [],
  },
  leave: {
    method: "POST",
    path: "/engine/leave",
    summary: "Asks the engine to end; with `only_idle`, only if it is idle.",
    request: z.strictObject({ only_idle: z.boolean().default(false) }),
    answer: z.object({ leaving: z.boolean() }),
    codes: [],
  },
  link: {
    method: "POST",
    path: "/links",
    summary: "Makes a link that signs a browser in once.",
    request: z.strictObject({ attempt: text.nullable().default(null) }),
    answer: z.object({ url: z.string() }),
    codes: [],
  },
  keepEnvironment: {
    method: "POST",
    path: "/environments",
    summary: "Takes the environment of the caller's shell, under an id that the caller makes up.",
    request: z.strictObject({ id: z.uuid(), variables: z.array(z.tuple([variableName, variableValue])) }),
    answer: z.object({ id: z.string() }),
    codes: ["programs_only"],
    creates: true,
    secret: true,
    maxBytes: MAX_ENVIRONMENT_BYTES,
  },
} as const satisfies Endpoints;
