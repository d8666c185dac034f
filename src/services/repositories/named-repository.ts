/** Finds the known repository that a person names by its id, a prefix of its id, or its name. */
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { notFound, type Refusal, refused } from "../core/refusal.ts";

/** A whole id wins over a name, and a name over ids that begin with it. */
export function namedRepository(all: readonly Repository[], text: string): Result<Repository, Refusal> {
  const [known, ...others] =
    [
      all.filter(({ id }) => id === text),
      all.filter(({ name }) => name === text),
      all.filter(({ id }) => text !== "" && id.startsWith(text)),
    ].find((fitting) => fitting.length > 0) ?? [];
  if (known === undefined) return err(notFound("repository", text));
  if (others.length === 0) return ok(known);
  const candidates = [known, ...others];
  const named = candidates.map((one) => `${one.id} (${one.path})`).join(", ");
  return refused("bad_request", "ambiguous_id", `"${text}" fits several repositories: ${named}.`, {
    remedy: `Name one of them by its id: ${candidates.map(({ id }) => id).join(" or ")}.`,
    details: { candidates: candidates.map((one) => ({ type: "repository", id: one.id })) },
  });
}
