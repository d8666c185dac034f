/** Derives how the values of one column are written and read, from the schema of its field. */
import { z } from "zod";

interface Codec {
  readonly write: (value: unknown) => unknown;
  /** The stored value, for the field's schema to check. Throws if it is not the JSON that it should be. */
  readonly read: (stored: unknown) => unknown;
}

/** Text, numbers and words of a list are stored as they are. Booleans become 0 and 1, times text, all else JSON. */
export function codecOf(field: z.ZodType): Codec {
  if (field instanceof z.ZodNullable) return codecOf(field.unwrap() as z.ZodType);
  if (field instanceof z.ZodISODateTime) return TIME;
  switch (field.def.type) {
    case "string":
    case "number":
    case "enum":
      return AS_IT_IS;
    case "boolean":
      return BOOLEAN;
    default:
      return JSON_TEXT;
  }
}

/** The column of a time given in any ISO form. Throws if it is not a time, because it could not be read back. */
export function toTime(text: string): string {
  const time = new Date(text).toISOString();
  if (time.length !== "2026-01-02T12:00:00.000Z".length) throw new RangeError(`${text} is too far away`);
  return time;
}

/** What is read is what is stored. */
export const asStored = (stored: unknown): unknown => stored;

const AS_IT_IS: Codec = { write: (value) => value, read: asStored };
const TIME: Codec = { write: (time) => (time === null ? null : toTime(String(time))), read: asStored };
const BOOLEAN: Codec = {
  write: (value) => value,
  read: (stored) => (stored === 0 || stored === 1 ? stored === 1 : stored),
};
const JSON_TEXT: Codec = {
  write: (value) => (value === null ? null : JSON.stringify(value)),
  read: (stored) => (stored === null ? null : JSON.parse(String(stored))),
};
