/** Copies attempts on which nothing works, and of which the depot lacks something: found by what is stored, not by what was told. */
import { uncopiedOf } from "../../storage/queries/uncopied-attempts.ts";
import type { Uses } from "../core/context-parts.ts";
import type { CopyTries } from "./try-copies.ts";

/** If the depot is away, so many tries of one look are enough. */
const MAX_FAILURES = 5;

interface Resting {
  readonly worker: string;
  readonly tries: CopyTries;
  /** By attempt that ended: the snapshot of a try that did not fail. If it is found once more, it is not tried again. */
  readonly settled: Map<string, string>;
}

/** One after the other. After an engine's death, or a time without a depot, they may be many. */
export async function copyResting(
  context: Uses<"db" | "timing" | "engineStop">,
  { worker, tries, settled }: Resting,
  /** By attempt: what runs of this engine work on. */
  held: ReadonlyMap<string, unknown>,
): Promise<void> {
  // What the trash has dropped after that time is not in a depot either.
  const found = await uncopiedOf(context.db.reader, { worker, withinMs: context.timing.trashKeepMs });
  const lacking = found.filter(
    ({ attemptId, commit }) => !held.has(attemptId) && (commit === null || settled.get(attemptId) !== commit),
  );
  // Those that never failed come first: the others never take all the tries.
  const inTurn = lacking.toSorted((a, b) => tries.failures(a.attemptId) - tries.failures(b.attemptId));
  let failures = 0;
  for (const { attemptId, commit } of inTurn) {
    if (context.engineStop.aborted || failures >= MAX_FAILURES) return;
    if (!tries.isDue(attemptId)) continue;
    await tries.begin(attemptId, null);
    if (tries.failures(attemptId) > 0) failures++;
    else if (commit !== null) settled.set(attemptId, commit);
  }
}
