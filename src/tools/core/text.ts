/** Describes arguments that are texts of a limited length. */
import { z } from "zod";

/** UTF-16 units. */
interface TextLimit {
  readonly max: number;
}

/**
 * A text that may be empty. The length is checked here and declared as metadata. `max` and `min` of zod read `length`
 * of any value. They throw if that is an object without a prototype.
 */
export function text({ max }: TextLimit): z.ZodString {
  const flaw = `must not be longer than ${max} characters`;
  return z
    .string()
    .refine((given) => given.length <= max, flaw)
    .meta({ maxLength: max });
}

/** A text with at least one character. */
export function filledText(limit?: TextLimit): z.ZodString {
  const limited = limit === undefined ? z.string() : text(limit);
  return limited.refine((given) => given !== "", "must not be empty").meta({ minLength: 1 });
}
