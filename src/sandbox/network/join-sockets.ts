/** Hands on what each of two sockets sends to the other, until both have ended. */
import type { Socket } from "node:net";

/** Both must allow to be closed by half. Errors of either end both. */
export function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    // The end of what it sent may still be on its way to one who reads slowly.
    from.on("close", () => (from.readableEnded ? to.destroySoon() : to.destroy()));
    from.pipe(to);
  }
}
