/** Finds the environment of the caller's shell for a request. Only programs that may do everything have one. */
import type { Hono } from "hono";
import { ENVIRONMENT_HEADER, ENVIRONMENT_UNKNOWN } from "../../contract/client/http-call.ts";
import type { Services } from "../../services/core/services.ts";
import { type Problem, problemResponse } from "./problem-response.ts";
import type { Env } from "./request-context.ts";

/** Handles every request that names a shell; add it before the routes. */
export function addCallerShell(api: Hono<Env>, services: Services): void {
  api.use(async (c, next) => {
    const id = c.req.header(ENVIRONMENT_HEADER);
    if (id !== undefined) {
      const scope = c.get("access")?.scope ?? "admin";
      if (c.get("caller") !== "program" || scope !== "admin") return problemResponse(PROGRAMS_ONLY);
      const shellServices = (c.get("services") ?? services).inShell(id);
      if (shellServices === null) return problemResponse(UNKNOWN);
      c.set("shell", shellServices);
    }
    return next();
  });
}

export const PROGRAMS_ONLY: Problem = {
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
