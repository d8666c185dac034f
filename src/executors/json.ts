/** Reads JSON of which nothing is certain: every reader answers with a plain value instead of throwing. */

export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

/** The object on a line, or null where the line is none (blank, cut off, a bare value, not JSON). */
export function objectOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function object(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

/** The list, or an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or an empty one. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text, or null where there is none. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A number that can be counted with (from zero, far from overflowing in a sum), else 0. */
export function amount(value: unknown): number {
  return amountOrNull(value) ?? 0;
}

export function amountOrNull(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
