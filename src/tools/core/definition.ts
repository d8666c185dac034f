/** Describes what a model is told about a tool: a name, a sentence, and its arguments as JSON Schema. */
import { z } from "zod";

/** One argument, in the words of JSON Schema. */
export interface ArgumentDefinition {
  readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: string };
  readonly default?: string | number | boolean;
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

/** Derives the arguments from the schema that checks them. Limits and empty lists are left to the checks. */
export function describeArguments<Name extends string, Given extends object>(
  input: z.ZodType<object, Given>,
  { name, description }: { readonly name: Name; readonly description: string },
): DerivedDefinition<Name, Given> {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  const described = Object.entries(properties).map(([key, schema]) => [key, describeArgument(schema)]);
  const parameters = { type: "object", properties: Object.fromEntries(described), required } as const;
  return { name, description, parameters };
}

function describeArgument(schema: z.core.JSONSchema._JSONSchema): ArgumentDefinition {
  const { type, items, enum: values, default: usual, description } = schema as ArgumentDefinition;
  return {
    type,
    ...(items === undefined ? {} : { items: { type: items.type } }),
    ...(values === undefined ? {} : { enum: values }),
    ...(usual === undefined || typeof usual === "object" ? {} : { default: usual }),
    description,
  };
}
