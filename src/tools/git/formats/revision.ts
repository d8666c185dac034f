/** Checks a text that should name a commit or a range of commits. */
import { z } from "zod";

/** Git itself finds out whether it exists. Here it must only be a name, and not an option. */
export const revision = z
  .string()
  .min(1, "must not be empty")
  .max(1_000, "must not be longer than 1000 characters")
  .refine((text) => !text.startsWith("-"), "must not begin with a dash")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  .refine((text) => !/[\0-\x1f\x7f]/.test(text), "must not hold a control character");
