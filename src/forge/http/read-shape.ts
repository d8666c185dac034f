/** Reads what a forge answered by a schema, so that nothing unknown goes further. */
import type { z } from "zod";
import { ForgeFailure, unavailable } from "./forge-failure.ts";

/** `what` names the thing in the message. */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue === undefined ? "" : ` (${issue.path.join(".") || "the whole"}: ${issue.message})`;
  throw new ForgeFailure(
    unavailable(`The forge described ${what} in a form that Tazuna does not know${place}.`, {
      status: 200,
      transient: false,
    }),
  );
}
