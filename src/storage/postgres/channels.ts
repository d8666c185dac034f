/** Knows who hears which channel of an engine's one listening session, also while that session is opened anew. */
import type { ListenSql } from "../schema/opened-database.ts";

interface Session {
  query(text: string): Promise<unknown>;
}

export interface Channels {
  readonly listen: ListenSql;
  /** A session has begun: it hears all channels, and those that are added later. */
  opened(session: Session): Promise<void>;
  closed(session: Session): void;
  heard(channel: string, payload: string): void;
}

interface Hearer {
  readonly onPayload: (payload: string) => void;
  readonly onConnect: () => void;
}

export function createChannels(): Channels {
  const all = new Map<string, Hearer>();
  let current: Session | null = null;
  const hear = (session: Session, channel: string) => session.query(`listen "${channel}"`);
  return {
    listen: async (channel, onPayload, onConnect) => {
      all.set(channel, { onPayload, onConnect });
      if (current !== null) await hear(current, channel);
      return { close: async () => void all.delete(channel) };
    },
    opened: async (session) => {
      current = session;
      for (const channel of all.keys()) await hear(session, channel);
      for (const { onConnect } of all.values()) onConnect();
    },
    closed: (session) => {
      if (current === session) current = null;
    },
    heard: (channel, payload) => all.get(channel)?.onPayload(payload),
  };
}
