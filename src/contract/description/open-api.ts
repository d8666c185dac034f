/** Describes the HTTP API as OpenAPI 3.1, by derivation from the endpoint table. */
import { z } from "zod";
import { CODES, type Code } from "../codes.ts";
import { type Endpoint, hasBody, pathsOf, scopeOf } from "../endpoints/endpoint.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { PROBLEM_TYPE } from "../problem.ts";
import { problemDocument } from "../problem-document.ts";
import { attemptAlone, listedTask, repositoryDocument, runAlone, taskDocument } from "../task-document.ts";

type Json = Readonly<Record<string, unknown>>;
type Row = Endpoint & { readonly name: string };

/** Schemas with a name of their own in the document. */
const NAMED = {
  Task: taskDocument,
  ListedTask: listedTask,
  Attempt: attemptAlone,
  Run: runAlone,
  Repository: repositoryDocument,
  Problem: problemDocument,
};
const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED)) names.add(schema, { id });

/** The whole document; `version` is that of Tazuna. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Record<string, Row[]>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    for (const path of pathsOf(endpoint.path)) {
      const methods = paths[path.replace(":id", "{id}")] ?? {};
      const method = endpoint.method.toLowerCase();
      methods[method] = [...(methods[method] ?? []), { ...endpoint, name }];
      paths[path.replace(":id", "{id}")] = methods;
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tazuna", version },
    servers: [{ url: "/api/v1" }],
    security: [{ token: [] }],
    paths: mapped(paths, (methods, path) => mapped(methods, (rows) => operation(rows, path))),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: mapped(NAMED, (schema) => written(schema)),
    },
  };
}

/** The rows of one path and method: the last one holds for requests that no other one takes. */
function operation(rows: readonly Row[], path: string): Json {
  const main = rows.at(-1);
  if (main === undefined) throw new Error(`no row for ${path}`);
  const thing = /^\/(\w+)s\/\{id\}/.exec(path)?.[1] ?? "";
  const isOneOf = main.path.includes(":things");
  return {
    operationId: isOneOf ? `${main.name}${thing[0]?.toUpperCase()}${thing.slice(1)}` : main.name,
    summary: rows
      .map(({ summary }) => summary)
      .toReversed()
      .join(" "),
    ...(main.open === true
      ? { security: [] }
      : { description: `An access token needs the scope \`${scopeOf(main)}\`.` }),
    parameters: parametersOf(rows, path),
    ...(hasBody(main)
      ? { requestBody: { content: { "application/json": { schema: written(main.request) } } } }
      : {}),
    responses: { ...answersOf(rows), ...problemsOf(rows) },
  };
}

function parametersOf(rows: readonly Row[], path: string): readonly Json[] {
  const query = hasBody(rows[0] ?? { method: "GET" })
    ? {}
    : Object.assign({}, ...rows.map(({ request }) => request.shape));
  const header = (name: string) => ({ name, in: "header", schema: { type: "string" } });
  return [
    ...(path.includes("{id}")
      ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }]
      : []),
    ...Object.entries<z.ZodType>(query).map(([name, schema]) => ({
      name,
      in: "query",
      required: !schema.safeParse(undefined).success,
      schema: written(bare(schema)),
    })),
    ...(rows.some(({ creates, secret }) => creates && !secret) ? [header("Idempotency-Key")] : []),
    ...(rows.some(({ inShell }) => inShell) ? [header("Tazuna-Environment")] : []),
    ...(rows.some(({ type }) => type === "text/event-stream") ? [header("Last-Event-ID")] : []),
  ];
}

function answersOf(rows: readonly Row[]): Json {
  const types = Object.groupBy(rows, ({ type = "application/json" }) => type);
  const content = mapped(types, (same = []) => {
    const [schema, ...others] = same.map(({ answer }) => schemaOf(answer));
    return { schema: others.length === 0 ? schema : { oneOf: [schema, ...others] } };
  });
  const status = rows.some(({ creates }) => creates) ? "201" : "200";
  const read = rows.some(
    ({ method, open, type }) => method === "GET" && !open && type !== "text/event-stream",
  );
  return { [status]: { description: "The answer.", ...(read ? { headers: SEQ } : {}), content } };
}

const SEQ: Json = {
  "Tazuna-Seq": {
    description:
      "The number of the last fact that the answer contains. `/events?after=N` brings what follows.",
    schema: { type: "integer" },
  },
};

function problemsOf(rows: readonly Row[]): Json {
  const codes = [...new Set(rows.flatMap(codesOf))].toSorted();
  const byStatus = Object.groupBy(codes, (code) => String(CODES[code]));
  return mapped(byStatus, (same = []) => ({
    description: `Refused: ${same.map((code) => `\`${code}\``).join(", ")}.`,
    content: {
      [PROBLEM_TYPE]: {
        schema: { allOf: [schemaOf(problemDocument), { properties: { code: { enum: same } } }] },
      },
    },
  }));
}

/** Every code that a row may answer with: its own, and those that all rows of its kind share. */
function codesOf({
  method,
  codes,
  open,
  secret,
  inShell,
  asksHolder,
  placesTask,
  type,
}: Row): readonly Code[] {
  const takesBody = hasBody({ method });
  return [
    ...codes,
    ...DOOR_CODES,
    ...(open ? [] : DATABASE_CODES),
    ...(open ? [] : (["token_required", "token_expired", "scope_too_small", "too_many_failures"] as const)),
    ...(takesBody ? BODY_CODES : []),
    ...(takesBody && !secret ? KEY_CODES : []),
    ...(method === "DELETE" ? (["origin_missing"] as const) : []),
    ...(!takesBody && !open ? (["bad_request"] as const) : []),
    ...(inShell ? (["programs_only", "environment_unknown"] as const) : []),
    ...(asksHolder || placesTask ? HOLDER_CODES : []),
    ...(type === "text/event-stream" ? (["last_event_id"] as const) : []),
  ];
}

const DOOR_CODES = [
  "host_not_allowed",
  "origin_not_allowed",
  "not_through_proxy",
  "not_over_https",
  "too_many_connections",
  "internal",
] as const satisfies readonly Code[];

/** Of a call that another worker answers. */
const HOLDER_CODES = [
  "worker_silent",
  "outcome_unknown",
  "answer_too_large",
] as const satisfies readonly Code[];

const DATABASE_CODES = [
  "database_corrupt",
  "database_locked",
  "database_newer",
  "database_older",
  "database_read_only",
  "database_unreachable",
  "disk_full",
] as const satisfies readonly Code[];

const BODY_CODES = [
  "bad_json",
  "bad_request",
  "body_too_large",
  "content_type",
  "origin_missing",
] as const satisfies readonly Code[];

const KEY_CODES = ["idempotency_key", "idempotency_key_reused"] as const satisfies readonly Code[];

/** A reference if the schema has a name. */
function schemaOf(schema: z.ZodType): Json {
  const id = names.get(schema)?.id;
  return id === undefined ? written(schema) : { $ref: `#/components/schemas/${id}` };
}

/** As JSON Schema. Callers may meet further fields in answers, so that all are written as inputs. */
function written(schema: z.ZodType): Json {
  const { $schema, $defs, id, ...json } = z.toJSONSchema(schema, { io: "input", metadata: names });
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** A query string has no null, and says nothing for a default. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return bare(schema.unwrap() as z.ZodType);
  return schema;
}

function mapped<T, U>(
  all: Readonly<Record<string, T>>,
  make: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, make(value, key)]));
}
