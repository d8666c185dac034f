/** Takes over the environments of callers' shells, and finds the one for a request. Only programs have one. */
import type { Context, Hono } from "hono";
import { MOST_ENVIRONMENT_BYTES } from "../../contract/limits.ts";
import { environmentRequest } from "../../contract/requests.ts";
import { ENVIRONMENT_HEADER, ENVIRONMENT_UNKNOWN } from "../../contract/shell-calls.ts";
import type { Services, ShellServices } from "../../services/core/services.ts";
import type { Env } from "./exchange.ts";
import { type Problem, problemResponse } from "./problem-response.ts";
import { parseBody, readJsonText } from "./read-request.ts";

/** Handles every request that names a shell; add it before the routes. */
export function addCallerShell(api: Hono<Env>, services: Services): void {
  api.use(async (c, next) => {
    const id = c.req.header(ENVIRONMENT_HEADER);
    if (id !== undefined) {
      if (c.get("caller") !== "program") return problemResponse(PROGRAMS_ONLY);
      const own = services.inShell(id);
      if (own === null) return problemResponse(UNKNOWN);
      c.set("shell", own);
    }
    return next();
  });
  api.post("/environments", async (c) => {
    if (c.get("caller") !== "program") return problemResponse(PROGRAMS_ONLY);
    const text = await readJsonText(c.req.raw, MOST_ENVIRONMENT_BYTES);
    const body = text.andThen((read) => parseBody(environmentRequest, read));
    if (body.isErr()) return problemResponse(body.error);
    const { id, variables } = body.value;
    services.keepEnvironment(id, Object.fromEntries(variables));
    return Response.json({ id }, { status: 201 });
  });
}

/** The services for the caller's shell, or for the engine's own environment. */
export function shellOf(c: Context<Env>, services: Services): ShellServices {
  return c.get("shell") ?? services;
}

const PROGRAMS_ONLY: Problem = {
  kind: "forbidden",
  code: "programs_only",
  message: "Only a program with the bearer token has an environment to hand over.",
  remedy: "Leave it out: what a browser asks for gets the engine's own environment.",
};

const UNKNOWN: Problem = {
  kind: "conflict",
  code: ENVIRONMENT_UNKNOWN,
  message: "The environment that the request names is not known, or not any more.",
  remedy: "Hand it over with `POST /api/v1/environments`, or leave the header out; then ask again.",
};
