/** Reads parsed JSON of unknown shape without trusting it. */

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value itself if it is an object, else an empty one. */
export function record(value: unknown): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};
}

/** The value itself if it is an array, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array. */
export function records(value: unknown): readonly JsonRecord[] {
  return list(value).map(record);
}

/** The value itself if it is a string, else an empty one. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text of a content field: a string, or the `text` of its parts of these types, line by line. */
export function contentText(content: unknown, types: readonly string[]): string {
  if (typeof content === "string") return content;
  return records(content)
    .filter((part) => types.includes(text(part.type)))
    .map((part) => text(part.text))
    .join("\n");
}
