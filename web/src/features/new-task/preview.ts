/** Sorts what the server says about a task that is not made yet. */
import type { PreviewAnswer } from "@contract/endpoints/drafts.ts";

export type Preview = PreviewAnswer;
type Attempt = Preview["attempts"][number];

/** Those that begin at once, by agent. */
export function startingNow({ attempts }: Preview): readonly string[] {
  return attempts.filter(({ starts, ready }) => starts === "now" && ready).map(({ agent }) => agent);
}

interface Waiting {
  readonly agents: readonly string[];
  readonly reason: NonNullable<Attempt["waits_for"]>;
}

/** Those that wait, together if they wait for the same. */
export function waitingFor({ attempts }: Preview): readonly Waiting[] {
  const waiting = attempts.flatMap(({ agent, waits_for: reason }) =>
    reason === null ? [] : [{ agent, reason }],
  );
  return [...Map.groupBy(waiting, ({ reason }) => JSON.stringify(reason)).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ agents: group.map(({ agent }) => agent), reason: first.reason }];
  });
}

/** The range of all attempts together; null if one of them is not known. */
export function costOf({ attempts }: Preview): { readonly low: number; readonly high: number } | null {
  const known = attempts.flatMap(({ estimate }) => estimate ?? []);
  if (attempts.length === 0 || known.length < attempts.length) return null;
  return {
    low: known.reduce((sum, { low_usd: low }) => sum + low, 0),
    high: known.reduce((sum, { high_usd: high }) => sum + high, 0),
  };
}

/** `codex ×2, gemini`. */
export function counted(agents: readonly string[]): string {
  return [...Map.groupBy(agents, (agent) => agent)]
    .map(([agent, { length }]) => (length === 1 ? agent : `${agent} ×${length}`))
    .join(", ");
}

/** A base that was fetched longer ago is worth a fetch. */
const FRESH_MS = 600_000;

export function isStale(fetchedAt: string | null, now: number): boolean {
  return fetchedAt === null || now - Date.parse(fetchedAt) > FRESH_MS;
}
