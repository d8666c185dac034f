/** Judges requests and answers by GitHub's own OpenAPI description: whatever it does not allow is a fault. */
import { z } from "zod";
import description from "../../fixtures/github/openapi.json";

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Json & { readonly type?: string };
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}
interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

/** One operation, as it was asked for. */
export interface Operation {
  /** As `pulls/create`. */
  readonly id: string;
  readonly path: string;
  /** By the names in the path. */
  readonly parts: Readonly<Record<string, string>>;
  readonly described: Described;
}

const PATHS = Object.entries(description.paths as unknown as Record<string, Record<string, Described>>).map(
  ([path, methods]) => ({ pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`), methods }),
);

/** Null if GitHub's description (as far as it was kept) has no such operation. */
export function operationOf(method: string, path: string): Operation | null {
  for (const { pattern, methods } of PATHS) {
    const found = pattern.exec(path);
    const described = methods[method.toLowerCase()];
    if (found === null || described === undefined) continue;
    const parts = Object.entries(found.groups ?? {}).map(([name, part]) => [name, decodeURIComponent(part)]);
    return { id: described.operationId, path, parts: Object.fromEntries(parts), described };
  }
  return null;
}

/** What GitHub would not take: a parameter or a property that is missing, unknown, or of another kind. */
export function faultsOfRequest(
  { described, parts }: Operation,
  { query, body }: { readonly query: URLSearchParams; readonly body: unknown },
): readonly string[] {
  const { parameters, requestBody } = described;
  const known = new Set(parameters.filter((one) => one.in === "query").map(({ name }) => name));
  const given = { path: new Map(Object.entries(parts)), query: new Map(query), header: new Map() };
  const schema = jsonSchema(requestBody);
  return [
    ...[...query.keys()].filter((name) => !known.has(name)).map((name) => `no parameter ${name} is known`),
    ...parameters.flatMap((one) => {
      const text = given[one.in].get(one.name);
      if (text === undefined) return one.required === true ? [`${one.name} is missing`] : [];
      return breaches(one.schema, one.schema.type === "integer" ? Number(text) : text, one.name);
    }),
    ...(body === undefined && requestBody?.required !== true ? [] : breaches(schema, body, "body")),
  ];
}

/** What GitHub would never say. Errors that it may answer to anything are described nowhere but in its guides. */
export function faultsOfAnswer(
  { described }: Operation,
  { status, data }: { readonly status: number; readonly data: unknown },
): readonly string[] {
  const response = described.responses[String(status)];
  if (response !== undefined) return breaches(jsonSchema(response), data, `the answer ${status}`);
  if (![301, 304, 307, 401, 403, 404, 429].includes(status) && status < 500)
    return [`it is never answered with ${status}`];
  return status === 304 ? [] : breaches(BASIC_ERROR, data, `the answer ${status}`);
}

const BASIC_ERROR: Json = { $ref: "#/components/schemas/basic-error" };

/** GitHub's own example of a shape. */
export function example(name: keyof (typeof description)["components"]["examples"]): Json {
  const { value } = description.components.examples[name] as { readonly value: Json | readonly Json[] };
  return Array.isArray(value) ? value[0] : (value as Json);
}

function jsonSchema(given: Content | undefined): Json | null {
  return given?.content?.["application/json"]?.schema ?? null;
}

const readers = new Map<Json, z.ZodType>();

function breaches(schema: Json | null, value: unknown, what: string): readonly string[] {
  if (schema === null) return value === undefined || value === null ? [] : [`${what} has a body`];
  const reader = readers.get(schema) ?? z.fromJSONSchema(whole(schema), { defaultTarget: "openapi-3.0" });
  readers.set(schema, reader);
  const read = reader.safeParse(value);
  if (read.success) return [];
  return read.error.issues.map(({ path, message }) => `${[what, ...path].join(".")}: ${message}`);
}

/** With the schemas that it is made of, below the name under which the reader looks for them. */
function whole(schema: Json): Json {
  const definitions: Record<string, unknown> = {};
  const closed = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(closed);
    if (typeof node !== "object" || node === null) return node;
    const { $ref, properties, additionalProperties } = node as Json;
    if (typeof $ref === "string") {
      const name = $ref.slice("#/components/schemas/".length) as keyof typeof description.components.schemas;
      if (!Object.hasOwn(definitions, name)) {
        definitions[name] = {};
        definitions[name] = closed(description.components.schemas[name]);
      }
      return { $ref: `#/definitions/${name}` };
    }
    const inside = Object.entries(node).map(([key, value]) => [key, closed(value)]);
    // A property that is described nowhere is a slip of the pen.
    const isOpen = properties === undefined || additionalProperties !== undefined;
    return Object.fromEntries(isOpen ? inside : [...inside, ["additionalProperties", false]]);
  };
  return { ...(closed(schema) as Json), definitions };
}
