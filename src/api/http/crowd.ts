/** Limits how many connections of one client address may be at work at once: requests and open streams. */
import type { Problem } from "./problem-response.ts";

/** Idle connections are not counted: the socket closes them by itself. */
const MAX_AT_ONCE = 100;

interface Crowd {
  /** Call the returned function when the request was answered. Null if the address is at its limit. */
  enter(address: string): (() => void) | null;
}

/** `streamsOf` counts the open streams of an address. */
export function createCrowd(streamsOf: (address: string) => number): Crowd {
  const answering = new Map<string, number>();
  const add = (address: string, more: number): void => {
    const now = (answering.get(address) ?? 0) + more;
    if (now === 0) answering.delete(address);
    else answering.set(address, now);
  };
  return {
    enter(address) {
      if ((answering.get(address) ?? 0) + streamsOf(address) >= MAX_AT_ONCE) return null;
      add(address, 1);
      return () => add(address, -1);
    },
  };
}

export const TOO_MANY: Problem = {
  kind: "failed",
  code: "too_many_connections",
  message: `There are ${MAX_AT_ONCE} requests and streams of this address under way already.`,
  remedy: "Close some streams (pages that are open, `tazuna logs --follow`), then ask again.",
  status: 429,
};
