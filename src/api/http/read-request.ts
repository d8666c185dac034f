/** Reads bodies and query strings: JSON only, by a schema of the contract. */
import type { MiddlewareHandler } from "hono";
import { err, ok, type Result } from "neverthrow";
import { type BadInput, parseRequest } from "../../contract/parse-request.ts";
import { cleanLine } from "../../contract/text.ts";
import { type Problem, problemResponse } from "./problem-response.ts";

type Schema = Parameters<typeof parseRequest>[0];

/** Refuses bodies that are not said to be JSON. */
export const refuseOtherTypes: MiddlewareHandler = async (c, next) => {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return problemResponse(NOT_JSON_TYPE);
  return next();
};

/** The body's text; call it after the limit of its length. */
export async function readText(request: Request): Promise<Result<string, Problem>> {
  const bytes = await request.arrayBuffer();
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return err(badJson("it is not UTF-8"));
  }
}

/** Parses a JSON text by the schema; an empty body is an empty object. */
export function parseBody<S extends Schema>(schema: S, text: string) {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (cause) {
    return err(badJson(cleanLine(cause instanceof Error ? cause.message : String(cause)).slice(0, 200)));
  }
  return parseRequest(schema, value).mapErr((bad) => badRequest(bad, "body"));
}

/** Parses the query string by the schema; a name that is given twice is refused. */
export function parseQuery<S extends Schema>(schema: S, url: string) {
  const search = new URL(url).searchParams;
  const names = [...search.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    return err(badRequest({ message: `"${twice}" is given twice.`, details: { path: twice } }, "query"));
  return parseRequest(schema, Object.fromEntries(search)).mapErr((bad) => badRequest(bad, "query"));
}

/** The number of the last event that a returning reader has; it is newer than the one in the address. */
export function lastEventId(request: Request): Result<number | null, Problem> {
  const last = request.headers.get("last-event-id") ?? "";
  if (last === "") return ok(null);
  return /^\d{1,15}$/.test(last) ? ok(Number(last)) : err(BAD_LAST_EVENT);
}

const NOT_JSON_TYPE: Problem = {
  kind: "bad_request",
  code: "content_type",
  message: "Changes are taken as application/json only.",
  remedy: "Send the header `Content-Type: application/json`.",
  status: 415,
};

export function tooLarge(max: number): Problem {
  return {
    kind: "bad_request",
    code: "body_too_large",
    message: `The body is larger than ${max / 1_048_576} MiB.`,
    remedy: "Put long material into a file of the repository and name it in the issue.",
    status: 413,
  };
}

const BAD_LAST_EVENT: Problem = {
  kind: "bad_request",
  code: "last_event_id",
  message: "The Last-Event-ID is not a number of ours.",
  remedy: "Send the id of the last event that was received, or none.",
};

function badJson(why: string): Problem {
  return {
    kind: "bad_request",
    code: "bad_json",
    message: `The body is not JSON: ${why}.`,
    remedy: "Send one JSON object.",
  };
}

function badRequest(bad: BadInput, where: "body" | "query"): Problem {
  return {
    kind: "bad_request",
    code: "bad_request",
    message: bad.message,
    remedy: `Correct the ${where} and send it again.`,
    details: { in: where, ...bad.details },
  };
}
