/** Does an act again whose git somebody killed in the middle of it: only for acts of which every step may be repeated. */
import type { Result } from "neverthrow";
import { wasKilled } from "./git-error.ts";

const MOST_TRIES = 4;

/** The first answer that is no kill, or the last one. Nothing is waited for: what an act left behind is its own to look at. */
export async function overKilled<Value, Fault extends { readonly kind: string }>(
  act: () => Promise<Result<Value, Fault>>,
): Promise<Result<Value, Fault>> {
  for (let tries = 1; ; tries++) {
    const done = await act();
    if (done.isOk() || tries === MOST_TRIES || !wasKilled(done.error)) return done;
  }
}
