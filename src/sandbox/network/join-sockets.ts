/** Passes data between two sockets in both directions, until both have ended. */
import type { Socket } from "node:net";

/** Both must allow half-open connections. An error of either ends both. */
export function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    // The end of its data may still be on its way to a slow reader.
    from.on("close", () => (from.readableEnded ? to.destroySoon() : to.destroy()));
    from.pipe(to);
  }
}
