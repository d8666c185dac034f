/** Lists the repositories that Tazuna knows: which are demos, which lie on another worker, and which are cloned anew when needed. */
import { ok } from "neverthrow";
import { listRepositories } from "../../storage/tables/repositories.ts";
import { workersOfRepositories } from "../../storage/team/workers.ts";
import { wasPutAway, wentLast } from "../clones/put-away-before.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { shortId } from "../core/refusal.ts";
import type { Services } from "../core/services.ts";
import { demosOf } from "./demo-place.ts";

export async function listedRepositories(
  context: Uses<"db" | "paths" | "owner">,
): ReturnType<Services["repositories"]> {
  const all = await listRepositories(context.db.reader, null);
  const demos = new Set((await demosOf(context, all)).map(({ repository }) => repository.id));
  const than = ownWorker(context);
  const others = than === null ? new Map() : await workersOfRepositories(context.db.reader, than);
  const away = new Set<string>();
  for (const one of all) {
    const { reader } = context.db;
    // The disk of another machine is not seen from here.
    if (others.has(one.id) ? await wentLast(reader, one.id) : await wasPutAway(reader, one)) away.add(one.id);
  }
  return ok(
    all.map((repository) => {
      const other = others.get(repository.id);
      const worker =
        other === undefined ? {} : { worker: { ...other, name: other.name ?? shortId(other.id) } };
      return { ...repository, ...worker, demo: demos.has(repository.id), putAway: away.has(repository.id) };
    }),
  );
}
