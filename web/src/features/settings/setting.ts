/** Reads from the schema how a setting is written, and what a person's text means. */

/** As far as this page understands JSON Schema. */
export interface SettingSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly anyOf?: readonly SettingSchema[];
}

/** Of a dotted key; null if the schema does not name it. */
export function schemaOf(schema: SettingSchema | undefined, key: string): SettingSchema | null {
  return key
    .split(".")
    .reduce<SettingSchema | null>((at, name) => at?.properties?.[name] ?? null, schema ?? null);
}

/** The values to choose from; empty if it is written freely. */
export function choicesOf(schema: SettingSchema | null): readonly string[] {
  if (schema === null) return [];
  if (schema.type === "boolean") return ["true", "false"];
  return (schema.enum ?? []).map(String);
}

/** As a person edits it: a text without quotes, anything else as JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a person's text means: JSON if it is that, else the text itself. A setting of text takes digits as text. */
export function valueOfText(text: string, schema: SettingSchema | null): unknown {
  const trimmed = text.trim();
  if (trimmed === "null" || trimmed === "") return null;
  if (schema?.type === "string") return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}
