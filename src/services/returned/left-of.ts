/** Tells people which workers came back with edits of an attempt that it does not have. */
import { isOffer, type LeftWorktree } from "../../domain/worker/left-worktree.ts";
import { leftOfAttempts } from "../../storage/team/left-worktrees.ts";
import type { Uses } from "../core/context-parts.ts";
import { shortId } from "../core/refusal.ts";

interface CameBack extends LeftWorktree {
  /** Of its worker, for people. */
  readonly name: string;
}

/** By attempt: what is offered. */
export async function offersOf(
  { db }: Pick<Uses<"db">, "db">,
  attempts: readonly string[],
): Promise<ReadonlyMap<string, readonly CameBack[]>> {
  if (db.kind === "sqlite") return new Map();
  const offers = (await leftOfAttempts(db.reader, attempts)).filter(isOffer);
  const named = offers.map(({ name, ...left }) => ({ ...left, name: name ?? shortId(left.workerId) }));
  return Map.groupBy(named, ({ attemptId }) => attemptId);
}
