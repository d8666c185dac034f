/** Follows the facts of one engine over all that happens to it, as a page that is left open does. */
import { setTimeout as delay } from "node:timers/promises";
import { httpApi } from "../../helpers/http-api.ts";

export interface FactReader {
  readonly name: string;
  /** The numbers of the facts, as they came. */
  readonly seen: readonly number[];
  stop(): Promise<void>;
}

const AGAIN_MS = 200;

/** Begins at the first fact. It comes back with the last number that it saw. */
export function readFacts(name: string, home: string): FactReader {
  const seen: number[] = [];
  const stop = new AbortController();
  const follow = async () => {
    const { client } = await httpApi({ home });
    await client.followFacts({
      after: seen.at(-1) ?? 0,
      signal: stop.signal,
      retries: 0,
      onOpen: () => {},
      onFact: ({ seq }) => void seen.push(seq),
    });
  };
  const reading = (async () => {
    while (!stop.signal.aborted) {
      await follow().catch(() => undefined);
      await delay(AGAIN_MS);
    }
  })();
  return {
    ...{ name, seen },
    stop: () => {
      stop.abort();
      return reading;
    },
  };
}
