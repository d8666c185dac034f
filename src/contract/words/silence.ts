/** Tells how long a working agent has said nothing. Nothing is decided by that: it may work all the same. */
import type { RunDocument } from "../task-document.ts";

/** An agent that thinks, or whose tool works, is often silent for a minute or two. */
const SILENT_MS = 4 * 60_000;

export type Silence = Pick<RunDocument, "status" | "phase" | "last_action" | "started_at">;

/** Milliseconds at `now`; null if it does not work, or said something lately. */
export function silentFor(
  { status, phase, last_action: last, started_at }: Silence,
  now: number,
): number | null {
  if (status !== "RUNNING" || phase !== "agent") return null;
  const since = Date.parse(last?.at ?? started_at ?? "");
  const ms = now - since;
  return ms >= SILENT_MS ? ms : null;
}
