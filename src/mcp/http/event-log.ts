/** Remembers the last events of one HTTP session, so that a client can go on after its stream broke. */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface Remembered {
  readonly number: number;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly chars: number;
}

/** UTF-16 units of all remembered events of a session; the newest event is always kept. */
const MAX_CHARS = 4 * 1024 * 1024;

export function createEventLog(): EventStore {
  const events: Remembered[] = [];
  let chars = 0;
  let last = 0;
  const find = (id: string) => events.find(({ number }) => String(number) === id);
  return {
    async storeEvent(stream, message) {
      last += 1;
      const event = { number: last, stream, message, chars: JSON.stringify(message).length };
      events.push(event);
      chars += event.chars;
      while (chars > MAX_CHARS && events.length > 1) chars -= events.shift()?.chars ?? 0;
      return String(event.number);
    },
    getStreamIdForEventId: async (id) => find(id)?.stream,
    async replayEventsAfter(id, { send }) {
      const from = find(id);
      if (from === undefined) throw new Error("That event is not remembered any more.");
      const missed = events.filter(({ number, stream }) => number > from.number && stream === from.stream);
      // A stream's first event only gives its starting point, and holds no message.
      for (const { number, message } of missed) if ("jsonrpc" in message) await send(String(number), message);
      return from.stream;
    },
  };
}
