/** Describes arguments that are texts of a limited length. */
import { z } from "zod";

/** UTF-16 units. */
interface TextLimit {
  readonly most: number;
}

/**
 * A text that may be empty. The length is checked here and declared as metadata. `max` and `min` of zod read `length`
 * of any value. They throw if that is an object without a prototype.
 */
export function text({ most }: TextLimit): z.ZodString {
  const flaw = `must not be longer than ${most} characters`;
  return z
    .string()
    .refine((given) => given.length <= most, flaw)
    .meta({ maxLength: most });
}

/** A text with at least one character. */
export function filledText(limit?: TextLimit): z.ZodString {
  const limited = limit === undefined ? z.string() : text(limit);
  return limited.refine((given) => given !== "", "must not be empty").meta({ minLength: 1 });
}
