/** Follows the facts of the server for as long as the page lives, and tells when the stream is down. */
import { followFacts } from "@contract/client/follow-events.ts";
import type { StreamMessage } from "./stream-messages.ts";

/** `again` follows again after the server refused, such as after a sign-in. */
export function tellFacts(tell: (message: StreamMessage) => void): { readonly again: () => void } {
  let after: number | null = null;
  let isFollowing = false;
  const follow = async () => {
    if (isFollowing) return;
    isFollowing = true;
    const end = await followFacts(
      {
        url: location.origin,
        token: null,
        isOurs: true,
        fetch: (url, init) => {
          tell({ kind: "down" });
          return fetch(url, init);
        },
      },
      {
        after,
        signal: new AbortController().signal,
        onOpen: (seq) => {
          after = seq;
          tell({ kind: "open" });
        },
        onReset: (seq) => {
          after = seq;
          tell({ kind: "reset" });
        },
        onFact: (fact) => {
          after = fact.seq;
          tell({ kind: "fact", fact });
        },
      },
    );
    isFollowing = false;
    if (end.reason === "lost") tell({ kind: "refused", code: end.error.code });
  };
  void follow();
  return { again: () => void follow() };
}
