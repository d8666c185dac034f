/** Reads untrusted JSON, whole or line by line; every reader returns a plain value instead of throwing. */
import type { AgentEvent } from "../../domain/agent/events.ts";
import { oneLine } from "./shorten.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

/** The object on a line. Null if the line is blank, cut off, a bare value or not JSON. */
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

/** The text, or null if there is none. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A usable number (at least zero, and too small to overflow in a sum), else 0. */
export function amount(value: unknown): number {
  return amountOrNull(value) ?? 0;
}

export function amountOrNull(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}

/** A line reader for `AgentParser.feed`. */
export function jsonFeed(
  handle: (event: JsonObject) => readonly AgentEvent[],
): (line: string) => readonly AgentEvent[] {
  return (line) => {
    const event = objectOf(line);
    return event === null ? strayLine(line) : handle(event);
  };
}

/** A CLI's text between its events is worth showing; half an event (a killed process) is not. */
function strayLine(line: string): readonly AgentEvent[] {
  const text = oneLine(line, 500);
  return text === "" || text.startsWith("{") ? [] : [{ kind: "warning", text }];
}
