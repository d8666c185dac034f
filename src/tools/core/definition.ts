/** Describes what a model is told about a tool: a name, a sentence, and its arguments as JSON Schema. */
import { z } from "zod";
import { frozen } from "./freeze.ts";

/** One argument, in the words of JSON Schema. */
export interface ArgumentDefinition {
  readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: ItemDefinition;
  readonly default?: string | number | boolean;
}

/** What a list holds: values of one type, or of several shapes. */
type ItemDefinition = { readonly type: string } | { readonly anyOf: readonly ShapeDefinition[] };

interface ShapeDefinition {
  readonly type: string;
  readonly properties?: Readonly<Record<string, { readonly type: string }>>;
  readonly required?: readonly string[];
}

export interface ToolDefinition {
  /** The name on the wire, in snake_case. */
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, ArgumentDefinition>>;
    readonly required: readonly string[];
  };
}

/** A definition derived from the schema of a caller's input. */
type DerivedDefinition<Name extends string, Given> = ToolDefinition & {
  readonly name: Name;
  readonly parameters: {
    readonly properties: { readonly [Argument in keyof Given]-?: ArgumentDefinition };
  };
};

/** What a tool takes, answers and refuses, and the definition that follows from it. */
export function contractOf<Name extends string, Input extends object, Given extends object, Output>({
  name,
  description,
  ...contract
}: {
  readonly name: Name;
  readonly description: string;
  readonly input: z.ZodType<Input, Given>;
  readonly output: z.ZodType<Output>;
  readonly codes: Readonly<Record<string, string>>;
}) {
  return { definition: describeArguments(contract.input, { name, description }), ...contract };
}

/** Derives the arguments from the schema that checks them. Limits and empty lists are left to the checks. */
export function describeArguments<Name extends string, Given extends object>(
  input: z.ZodType<object, Given>,
  { name, description }: { readonly name: Name; readonly description: string },
): DerivedDefinition<Name, Given> {
  let derived: DerivedDefinition<Name, Given>["parameters"] | null = null;
  return {
    name,
    description,
    // Derived when it is first read: most programs that load the library read no definition.
    get parameters() {
      derived ??= frozen(deriveParameters(input));
      return derived;
    },
  };
}

function deriveParameters<Name extends string, Given extends object>(
  input: z.ZodType<object, Given>,
): DerivedDefinition<Name, Given>["parameters"] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  const described = Object.entries(properties).map(([key, schema]) => [key, describeArgument(schema)]);
  return { type: "object", properties: Object.fromEntries(described), required };
}

function describeArgument(schema: z.core.JSONSchema._JSONSchema): ArgumentDefinition {
  const { type, items, enum: values, default: usual, description } = schema as ArgumentDefinition;
  return {
    type,
    ...(items === undefined ? {} : { items: describeItems(items) }),
    ...(values === undefined ? {} : { enum: values }),
    ...(usual === undefined || typeof usual === "object" ? {} : { default: usual }),
    description,
  };
}

function describeItems(items: ItemDefinition): ItemDefinition {
  return "anyOf" in items ? { anyOf: items.anyOf.map(describeShape) } : { type: items.type };
}

function describeShape({ type, properties, required }: ShapeDefinition): ShapeDefinition {
  if (properties === undefined) return { type };
  const types = Object.entries(properties).map(([name, field]) => [name, { type: field.type }]);
  return { type, properties: Object.fromEntries(types), ...(required ? { required } : {}) };
}
