/** Tells the name under which the other workers on the same Postgres know this one. */
import { workerNamed } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";

/** Null on an SQLite, which serves one engine alone. A worker keeps its name, so it is read once. */
export function createOwnName(context: Uses<"db" | "owner">): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    const id = ownWorker(context);
    if (id === null) return null;
    known ??= await workerNamed(context.db.reader, id);
    return known;
  };
}
