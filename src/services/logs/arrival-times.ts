/** Knows when each line of stdout came, and from that how long each call of a tool took. */
import type { AgentEvent } from "../../domain/agent/events.ts";
import { type Arrival, parseArrival } from "../../keeper/times.ts";

interface ArrivalTimes {
  add(noted: readonly { readonly text: string }[]): void;
  /**
   * When the line that starts at this byte came, in milliseconds since 1970. Null if the keeper did not note it. Ask
   * in the order of the lines.
   */
  at(start: number): number | null;
}

export function createArrivalTimes(): ArrivalTimes {
  let noted: Arrival[] = [];
  let first = 0;
  let ms: number | null = null;
  return {
    add: (lines) => {
      noted = noted.slice(first);
      first = 0;
      for (const { text } of lines) {
        const arrival = parseArrival(text);
        if (arrival === null) continue;
        // What was noted for a line that could not be written after all belongs to no line.
        while ((noted.at(-1)?.out ?? -1) >= arrival.out) noted.pop();
        noted.push(arrival);
      }
    },
    at: (start) => {
      for (let next = noted[first]; next !== undefined && next.out <= start; next = noted[first]) {
        ms = next.ms;
        first += 1;
      }
      return ms;
    },
  };
}

/** Adds to the end of a call how long it took, if the agent did not tell that itself. */
export function createToolClock() {
  let begun = new Map<string, number>();
  return (events: readonly AgentEvent[], ms: number | null): readonly AgentEvent[] => {
    const came = new Set<string>();
    return events.map((event) => {
      // A new session of the agent may count its calls from the beginning again.
      if (event.kind === "session") begun = new Map();
      if (event.kind === "tool_call" && !begun.has(event.id)) {
        came.add(event.id);
        if (ms !== null) begun.set(event.id, ms);
      }
      if (event.kind !== "tool_call_update" || event.status === "in_progress") return event;
      const since = came.has(event.id) ? undefined : begun.get(event.id);
      begun.delete(event.id);
      if (event.durationMs !== undefined || since === undefined || ms === null || ms < since) return event;
      return { ...event, durationMs: ms - since };
    });
  };
}
