/** Follows the facts of the server for as long as the page lives, and tells when the stream is down. */
import { followFacts } from "@contract/client/follow-events.ts";
import type { StreamMessage } from "./stream-messages.ts";

interface Following {
  /** Tries at once: after the server refused, or in place of the next pause. */
  again(): void;
}

export function tellFacts(tell: (message: StreamMessage) => void): Following {
  let after: number | null = null;
  let isOpen = false;
  let isAsking = false;
  let following: AbortController | null = null;
  const opened = (kind: "open" | "reset") => (seq: number) => {
    after = seq;
    isOpen = true;
    tell({ kind });
  };
  const ask = async (url: string, init: RequestInit) => {
    isOpen = false;
    isAsking = true;
    tell({ kind: "down" });
    try {
      return await fetch(url, init);
    } finally {
      isAsking = false;
    }
  };
  const follow = async () => {
    const own = new AbortController();
    following = own;
    const end = await followFacts(
      { url: location.origin, token: null, isOurs: true, fetch: ask },
      {
        after,
        signal: own.signal,
        onOpen: opened("open"),
        onReset: opened("reset"),
        onFact: (fact) => {
          after = fact.seq;
          tell({ kind: "fact", fact });
        },
      },
    );
    if (following !== own) return;
    following = null;
    if (end.reason === "lost") tell({ kind: "refused", code: end.error.code });
  };
  void follow();
  return {
    again: () => {
      if (following !== null && (isOpen || isAsking)) return;
      following?.abort();
      void follow();
    },
  };
}
