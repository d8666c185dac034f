/** Limits how many requests and open streams one client address may have at the same time. */
import type { Problem } from "./problem-response.ts";

/** Idle connections are not counted, because the server closes them. */
const MAX_AT_ONCE = 100;

interface ConnectionLimit {
  /** Call the returned function when the request was answered. Null if the address is at its limit. */
  enter(address: string): (() => void) | null;
}

/** `streamsOf` counts the open streams of an address. */
export function createConnectionLimit(streamsOf: (address: string) => number): ConnectionLimit {
  const requests = new Map<string, number>();
  const add = (address: string, more: number): void => {
    const count = (requests.get(address) ?? 0) + more;
    if (count === 0) requests.delete(address);
    else requests.set(address, count);
  };
  return {
    enter(address) {
      if ((requests.get(address) ?? 0) + streamsOf(address) >= MAX_AT_ONCE) return null;
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
