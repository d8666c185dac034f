/** Hands the creation of a task on to the other worker on which it begins (ADR 0090). */
import type { Context } from "hono";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { createTaskRequest } from "../../contract/endpoints/tasks.ts";
import type { Services } from "../../services/core/services.ts";
import { handOn, responseOf } from "../http/ask-holder.ts";
import { problemResponse } from "../http/problem-response.ts";
import { parseBody } from "../http/read-request.ts";
import type { Env } from "../http/request-context.ts";
import { asked } from "./task-handlers.ts";

/** The name under which the call says where it was placed. Only another worker may say it. */
const PLACED = "placed";

interface Placing {
  readonly endpoint: Endpoint;
  readonly services: Pick<Services, "placeOfTask" | "askWorker">;
  readonly text: string;
}

/**
 * Null if the task begins here. Also if the other worker refused it, and a clone is here: then it waits here. The body goes
 * along as it is, so that its idempotency key means the same on both.
 */
export async function placeElsewhere(
  c: Context<Env>,
  { endpoint, services, text }: Placing,
): Promise<Response | null> {
  if (endpoint.placesTask === undefined || c.env?.asked !== undefined) return null;
  const body = parseBody(createTaskRequest, text);
  if (body.isErr()) return null;
  const placed = await services.placeOfTask(asked(body.value));
  if (placed.isErr()) return problemResponse(placed.error);
  if (placed.value === null) return null;
  const { worker, repository, orHere, clones } = placed.value;
  const path = `${new URL(c.req.url).pathname}?${new URLSearchParams({ [PLACED]: repository })}`;
  const answered = await handOn(c, { services, worker, path, body: text, clones });
  if (answered.isErr())
    return orHere && answered.error.code === "worker_silent" ? null : problemResponse(answered.error);
  const { status } = answered.value;
  const isRefused = status >= 400 && status < 500;
  return orHere && isRefused ? null : responseOf(answered.value, worker);
}

/** The request as another worker placed it: in a repository of this one. */
export function asPlaced<Request extends object>(c: Context<Env>, endpoint: Endpoint, request: Request) {
  const repository = c.req.query(PLACED);
  const isPlaced = endpoint.placesTask === true && c.env?.asked !== undefined && repository !== undefined;
  return isPlaced ? { ...request, repository } : request;
}
