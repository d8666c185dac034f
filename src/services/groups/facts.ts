/** Joins what tells facts. */
import { ok } from "neverthrow";
import { factsAfter, lastSeq } from "../../storage/tables/facts.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";

export function factServices(context: ServiceContext) {
  return {
    facts: async ({ after, limit }) => ok(await factsAfter(context.db.reader, after, limit)),
    lastFact: async () => ok(await lastSeq(context.db.reader)),
    onFacts: (listener) => context.newFacts.subscribe(listener),
  } satisfies Partial<Services>;
}
