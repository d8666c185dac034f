/** Finds the one thing in the trash that a person means. */
import { err, ok, type Result } from "neverthrow";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { type TrashedWorktree, trashedWorktrees } from "./trash-entries.ts";

/** By the beginning of its id, or of its attempt's: then it is what was trashed last of that attempt. */
export async function findTrashed(
  context: ServiceContext,
  prefix: string,
): Promise<Result<TrashedWorktree, Refusal>> {
  const all = await trashedWorktrees(context);
  const whole = all.filter(({ id }) => id === prefix);
  const meant =
    whole.length > 0
      ? whole
      : all.filter((each) => each.id.startsWith(prefix) || each.attemptId.startsWith(prefix));
  const [first, ...others] = latestOfEach(meant);
  if (first === undefined || prefix === "")
    return err(
      refuse("not_found", "not_found", `Nothing in the trash has the id "${prefix}".`, {
        remedy: "`tazuna trash list` shows the ids; any unique prefix will do, and that of an attempt too.",
        details: { id: prefix },
      }),
    );
  if (others.length === 0) return ok(first);
  return err(
    refuse("bad_request", "ambiguous_id", `"${prefix}" is the beginning of several ids.`, {
      remedy: "Give more characters of it.",
      details: {
        candidates: [first, ...others].slice(0, 10).map(({ id, attemptId }) => ({ id, attempt: attemptId })),
      },
    }),
  );
}

function latestOfEach(entries: readonly TrashedWorktree[]): readonly TrashedWorktree[] {
  return [...new Map(entries.map((entry) => [entry.attemptId, entry])).values()];
}
