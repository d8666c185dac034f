/** Turns a JSON Schema, as zod writes it, into rows of a table: each field, what it may be, and what it means. */

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly pattern?: string;
  readonly [limit: string]: unknown;
}

export interface Field {
  /** Dotted; `[]` stands for every item of a list. */
  readonly name: string;
  readonly type: string;
  readonly limits: string;
  readonly required: boolean;
  readonly description: string;
}

/** The fields of an object, those of inner objects and of items below them. */
export function fieldsOf(schema: JsonSchema, prefix = ""): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const own = {
      name,
      type: typeOf(field),
      limits: limitsOf(field),
      required: schema.required?.includes(key) ?? false,
      description: field.description ?? "",
    };
    return [own, ...inside(field, name)];
  });
}

function inside(schema: JsonSchema, name: string): readonly Field[] {
  const variants = variantsOf(schema);
  if (variants.length > 0) return variants.flatMap((variant) => inside(variant, nameOf(variant, name)));
  if (schema.items !== undefined) return inside(schema.items, `${name}[]`);
  if (typeof schema.additionalProperties === "object")
    return inside(schema.additionalProperties, `${name}.*`);
  return fieldsOf(schema, name);
}

/** One of several objects is told by its field that is always the same, such as `kind`. */
function nameOf(variant: JsonSchema, name: string): string {
  const [fixed] = Object.values(variant.properties ?? {}).filter((field) => field.const !== undefined);
  return fixed === undefined ? name : `${name}(${String(fixed.const)})`;
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

function typeOf(schema: JsonSchema): string {
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(" or ");
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["anything"]);
  return types.join(" or ");
}

/** What zod writes for any whole number is no limit that anybody set. */
const ENDS_OF_INTEGERS: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const NUMBER = new Intl.NumberFormat("en-US");

function limitsOf(schema: JsonSchema): string {
  const said = (key: string, words: (value: string) => string) => {
    const value = schema[key];
    return typeof value === "number" && !ENDS_OF_INTEGERS.includes(value)
      ? [words(NUMBER.format(value))]
      : [];
  };
  const items = schema.items === undefined ? "" : limitsOf(schema.items);
  return [
    ...said("minimum", (min) => `at least ${min}`),
    ...said("maximum", (max) => `at most ${max}`),
    ...said("exclusiveMinimum", (bound) => `more than ${bound}`),
    ...said("minLength", (min) => (min === "1" ? "not empty" : `at least ${min} characters`)),
    ...said("maxLength", (max) => `at most ${max} characters`),
    ...(schema.pattern === undefined ? [] : [`matching \`${schema.pattern}\``]),
    ...said("minItems", (min) => `at least ${min} of them`),
    ...said("maxItems", (max) => `at most ${max} of them`),
    ...(items === "" ? [] : [`each ${items}`]),
    ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
  ].join(", ");
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
