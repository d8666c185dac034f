/** Finds the one operation that an id, or the beginning of one, means. */
import { err, ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import { operationsByPrefix } from "../../storage/find-operations.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";

export async function findOperation(
  context: ServiceContext,
  prefix: string,
): Promise<Result<Operation, Refusal>> {
  const [first, ...others] = await operationsByPrefix(context.db.reader, prefix);
  if (first === undefined)
    return err(
      refuse("not_found", "not_found", `No operation has the id "${prefix}".`, {
        remedy: "`tazuna activity` shows the ids; any unique prefix will do.",
        details: { id: prefix },
      }),
    );
  if (others.length === 0) return ok(first);
  return err(
    refuse("bad_request", "ambiguous_id", `"${prefix}" is the beginning of several ids.`, {
      remedy: "Give more characters of it.",
      details: { candidates: [first, ...others].map(({ id, kind }) => ({ id, kind })) },
    }),
  );
}
