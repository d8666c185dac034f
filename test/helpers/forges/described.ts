/** Judges requests and answers by the published description of a forge: whatever it does not allow is a fault. */
import { z } from "zod";

type Json = Readonly<Record<string, unknown>>;

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export interface Exchange {
  readonly method: string;
  /** Behind the address of the API, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly sent: unknown;
  readonly status: number;
  /** Undefined if the answer is no JSON. */
  readonly answer: unknown;
}

/** Sentences on what is wrong; none if all is well. */
export function judgeBy(description: Description): (exchange: Exchange) => readonly string[] {
  const patterns = Object.entries(description.paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    methods: methods as Readonly<Record<string, Operation>>,
  }));
  const breaches = breachesIn(description);
  return (exchange) => {
    const { method, path, query, sent, status, answer } = exchange;
    for (const { pattern, methods } of patterns) {
      const parts = pattern.exec(path)?.groups;
      const operation = methods[method.toLowerCase()];
      if (parts === undefined || operation === undefined) continue;
      const given = { path: new Map(Object.entries(parts)), query: new Map(query) };
      const faults = [
        ...faultsOfParameters(operation, given, breaches),
        ...breaches(operation.requestBody, sent, "what was sent"),
        ...faultsOfAnswer(operation, { status, answer }, breaches),
      ];
      return faults.map((fault) => `${operation.operationId}: ${fault}`);
    }
    return [`${method} ${path} is described nowhere`];
  };
}

type Breaches = (content: Content | undefined, value: unknown, what: string) => readonly string[];

function faultsOfParameters(
  { parameters }: Operation,
  given: Readonly<Record<string, ReadonlyMap<string, string>>>,
  breaches: Breaches,
): readonly string[] {
  const known = new Set(parameters.filter((one) => one.in === "query").map(({ name }) => name));
  const unknown = [...(given.query?.keys() ?? [])].filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => `no parameter ${name} is known`),
    ...parameters.flatMap(({ name, in: where, required, schema }) => {
      const text = given[where]?.get(name);
      if (text === undefined) return required ? [`${name} is missing`] : [];
      const value = schema.type === "integer" ? Number(text) : text;
      return breaches({ content: { "application/json": { schema } } }, value, name);
    }),
  ];
}

function faultsOfAnswer(
  { responses }: Operation,
  { status, answer }: { readonly status: number; readonly answer: unknown },
  breaches: Breaches,
): readonly string[] {
  // Redirects, limits and faults of a server are described nowhere.
  if ((status >= 300 && status < 400) || status === 429 || status >= 500) return [];
  const described = responses[String(status)];
  if (described === undefined) return [`it is never answered with ${status}`];
  return breaches(described, answer, `the answer ${status}`);
}

function breachesIn({ components }: Description): Breaches {
  const readers = new Map<Json, z.ZodType>();
  const readerOf = (schema: Json) => {
    const known =
      readers.get(schema) ?? z.fromJSONSchema(withDefinitions(schema, components.schemas) as never);
    readers.set(schema, known);
    return known;
  };
  return (content, value, what) => {
    const schema = content?.content?.["application/json"]?.schema;
    if (schema === undefined) return value === undefined ? [] : [`${what} has a body`];
    const read = readerOf(schema).safeParse(value);
    if (read.success) return [];
    return read.error.issues.map(({ path, message }) => `${[what, ...path].join(".")}: ${message}`);
  };
}

/** In the words of JSON Schema, which knows `null` as a type and definitions beside the schema. */
function withDefinitions(schema: Json, schemas: Readonly<Record<string, unknown>>): unknown {
  const said = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(said);
    if (typeof node !== "object" || node === null) return node;
    const { nullable, $ref, ...rest } = node as Json;
    const plain =
      typeof $ref === "string"
        ? { $ref: $ref.replace("#/components/schemas/", "#/$defs/") }
        : Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, said(value)]));
    return nullable === true ? { anyOf: [plain, { type: "null" }] } : plain;
  };
  const $defs = Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, said(one)]));
  return { ...(said(schema) as Json), $defs };
}
