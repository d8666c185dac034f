/** Lists the repositories that Tazuna knows, and says which of them are demos. */
import { ok } from "neverthrow";
import { listRepositories } from "../../storage/tables/repositories.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Services } from "../core/services.ts";
import { demosOf } from "./demo-place.ts";

export async function listedRepositories(
  context: Uses<"db" | "paths">,
): ReturnType<Services["repositories"]> {
  const all = await listRepositories(context.db.reader, null);
  const demos = new Set((await demosOf(context, all)).map(({ repository }) => repository.id));
  return ok(all.map((repository) => ({ ...repository, demo: demos.has(repository.id) })));
}
