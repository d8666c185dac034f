/** Does what is stored for a run or an attempt of this data folder, once another engine says so. */
import { isEnded } from "../../domain/run/state.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { cleanUpNow } from "../attempts/keep-cleaning.ts";
import type { CleanUpContext } from "../core/context-parts.ts";
import { carryOutRequest, type StopContext } from "./stop-run.ts";

/** May be repeated: only what rows say counts. */
export async function lookAt(
  context: StopContext & CleanUpContext,
  at: { readonly run: string | null; readonly attempt: string | null },
): Promise<void> {
  const { reader } = context.db;
  const run = at.run === null ? null : await getRun(reader, at.run);
  if (run !== null && run.stopRequest !== null && !isEnded(run.status))
    await carryOutRequest(context, run.id);
  const attempt = at.attempt === null ? null : await getAttempt(reader, at.attempt);
  if (attempt?.state === "canceled") await cleanUpNow(context, attempt.id);
  context.dispatcher().poke();
}
