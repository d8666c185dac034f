/** Reads bodies and query strings: JSON only, of bounded size, by a schema of the contract. */
import { err, ok, type Result } from "neverthrow";
import { MOST_BODY_BYTES } from "../../contract/limits.ts";
import { type BadInput, parseRequest } from "../../contract/parse-request.ts";
import { cleanLine } from "../../contract/text.ts";
import type { Problem } from "./problem-response.ts";

type Schema = Parameters<typeof parseRequest>[0];

/** The body's text, if its type is JSON and it is not too long. */
export async function readJsonText(
  request: Request,
  most = MOST_BODY_BYTES,
): Promise<Result<string, Problem>> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return err(NOT_JSON_TYPE);
  if (Number(request.headers.get("content-length") ?? "0") > most) return err(tooLarge(most));
  const bytes = await readBounded(request, most);
  if (bytes === null) return err(tooLarge(most));
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

async function readBounded(request: Request, most: number): Promise<Uint8Array | null> {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

const NOT_JSON_TYPE: Problem = {
  kind: "bad_request",
  code: "content_type",
  message: "Changes are taken as application/json only.",
  remedy: "Send the header `Content-Type: application/json`.",
  status: 415,
};

function tooLarge(most: number): Problem {
  return {
    kind: "bad_request",
    code: "body_too_large",
    message: `The body is larger than ${most / 1_048_576} MiB.`,
    remedy: "Put long material into a file of the repository and name it in the issue.",
    status: 413,
  };
}

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
