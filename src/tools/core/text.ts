/** Describes arguments that are texts of a limited length. */
import { z } from "zod";

/** UTF-16 units. */
interface TextLimit {
  readonly most: number;
}

/**
 * A text that may be empty. Its length is checked here, because `max` and `min` of zod read `length` of any value, and
 * throw if that is an object without a prototype.
 */
export function text({ most }: TextLimit): z.ZodString {
  return z.string().refine((given) => given.length <= most, `must not be longer than ${most} characters`);
}

/** A text with at least one character. */
export function filledText(limit: TextLimit = { most: Number.MAX_SAFE_INTEGER }): z.ZodString {
  return text(limit).refine((given) => given !== "", "must not be empty");
}
