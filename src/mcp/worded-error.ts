/** Gives an error of an issue tool the fixed words of seed 004, and the code to programs. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolError } from "../tools/core/result.ts";
import { toStructuredCallToolResult } from "./structured-result.ts";

/** The seed's text for a code, letter by letter; null where it has none. */
export type Wording = (error: ToolError) => readonly string[] | null;

/**
 * The seed fixes these texts whole, so none of them begins with the code, as those of other tools do: for a program the code
 * is in `_meta.error`, as everywhere. Codes that the seed does not know follow the rule of the product.
 */
export function wordedError(error: ToolError, wording: Wording): CallToolResult {
  const { code, message, retriable, details } = error;
  const result = toStructuredCallToolResult(wording(error) ?? [`${code}: ${message}`], null, true);
  return { ...result, _meta: { error: { code, retriable, details } } };
}
