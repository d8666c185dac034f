/** Remembers, in memory only, the last answers of forges and the limits that they named. */
import { createHash } from "node:crypto";

/** An answer that a conditional request can confirm. */
export interface RememberedAnswer {
  readonly etag: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface ForgeMemory {
  answer(key: string): RememberedAnswer | undefined;
  keep(key: string, answer: RememberedAnswer): void;
  /** Until when this login may not ask; null if it may. */
  parkedUntil(login: string, now: Date): Date | null;
  park(login: string, until: Date): void;
}

const MAX_BYTES = 32 * 1024 * 1024;

/** One for the whole engine, so that the next poll knows what the last one was told. */
export function createForgeMemory(): ForgeMemory {
  const answers = new Map<string, RememberedAnswer>();
  const parked = new Map<string, Date>();
  let bytes = 0;
  const drop = (key: string) => {
    bytes -= answers.get(key)?.body.length ?? 0;
    answers.delete(key);
  };
  return {
    answer: (key) => {
      const known = answers.get(key);
      if (known === undefined) return undefined;
      // The most recently used stand last.
      answers.delete(key);
      answers.set(key, known);
      return known;
    },
    keep: (key, answer) => {
      drop(key);
      answers.set(key, answer);
      bytes += answer.body.length;
      for (const oldest of answers.keys()) {
        if (bytes <= MAX_BYTES) break;
        drop(oldest);
      }
    },
    parkedUntil: (login, now) => {
      const until = parked.get(login);
      if (until !== undefined && until > now) return until;
      parked.delete(login);
      return null;
    },
    park: (login, until) => void parked.set(login, until),
  };
}

/** Names who asks which forge; a limit is one login's. The token itself is not kept. */
export function loginOf(origin: string, token: string | null): string {
  return createHash("sha256")
    .update(`${origin}\0${token ?? ""}`)
    .digest("hex");
}
