/** Tells how long a working agent has said nothing. Nothing is decided by that: it may work all the same. */
import type { RunDocument } from "../task-document.ts";

/** An agent that thinks, or whose tool works, is often silent for a minute or two. */
const SILENT_MS = 4 * 60_000;

export type Silence = Pick<RunDocument, "status" | "phase" | "phase_since" | "last_action" | "started_at">;

/** Milliseconds at `now`; null if it does not work, or said something lately. */
export function silentFor(run: Silence, now: number): number | null {
  if (run.status !== "RUNNING" || run.phase !== "agent") return null;
  const ms = now - Date.parse(heardOf(run) ?? "");
  return ms >= SILENT_MS ? ms : null;
}

/** When its agent was heard last, UTC ISO. After a wait for a person or for a limit it counts from its return. */
export function heardOf({ last_action, phase_since, started_at }: Silence): string | null {
  const times = [last_action?.at, phase_since, started_at].filter((at) => typeof at === "string");
  return times.toSorted().at(-1) ?? null;
}
