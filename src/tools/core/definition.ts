/** Describes what a model is told about a tool: a name, a sentence, and its arguments as JSON Schema. */

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
