/** Lets an engine listen on the one connection that it has for what waits for no turn. */
import { setTimeout as delay } from "node:timers/promises";
import type { Notification, Pool } from "pg";
import { FACT_CHANNEL } from "../schema/fact-channel.ts";
import type { Channels } from "./channels.ts";

export interface Hearing {
  /** A fact of that number was written by the connection `session`. */
  readonly heard: (session: number, seq: number) => void;
  readonly channels: Channels;
}

/** So often the session is asked whether it still lives: one that was dropped without a word hears nothing. */
const PING_MS = 30_000;
const LEAVE_MS = 1_000;

interface Session {
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * The connection is in use by others at once, and listens on. They notice if it no longer answers; a ping does so if
 * nobody asks it anything.
 */
export async function openSession(pool: Pool, { heard, channels }: Hearing): Promise<Session> {
  const client = await pool.connect();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let [isOurs, hasEnded] = [true, false];
  let facts: string | undefined;
  const hear = ({ processId, channel, payload = "" }: Notification) =>
    channel === facts ? heard(processId, Number(payload)) : channels.heard(channel, payload);
  client.on("notification", hear);
  const over = () => {
    hasEnded = true;
    resolve();
  };
  client.once("error", over);
  client.once("end", over);
  // Later it may be in the transaction of somebody else.
  const session = { query: (text: string) => (isOurs ? client : pool).query(text) };
  try {
    const { rows } = await client.query<{ name: string }>(`select ${FACT_CHANNEL} as name`);
    facts = rows[0]?.name;
    await client.query(`listen "${facts}"`);
    await channels.opened(session);
  } catch (error) {
    channels.closed(session);
    client.release(true);
    throw error;
  }
  isOurs = false;
  client.release();
  const ping = setInterval(() => pool.query("select 1").catch(() => resolve()), PING_MS);
  ping.unref();
  return {
    ended,
    close: async () => {
      clearInterval(ping);
      channels.closed(session);
      client.off("notification", hear);
      if (hasEnded) return;
      // One that does not answer is left to whoever asks it next.
      const silent = pool.query("unlisten *").catch(() => undefined);
      await Promise.race([silent, delay(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}
