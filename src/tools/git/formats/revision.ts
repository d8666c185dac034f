/** Checks a text that should name a commit or a range of commits. */
import { filledText } from "../../core/text.ts";

/** Git itself finds out whether it exists. Here it must only be a name, and not an option. */
export const revision = filledText({ max: 1_000 })
  .refine((text) => !text.startsWith("-"), "must not begin with a dash")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  .refine((text) => !/[\0-\x1f\x7f]/.test(text), "must not hold a control character");
