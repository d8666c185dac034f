/** Gives a creation that got no answer its first key if it is sent again. */
import type { Caller } from "@contract/client/http-call.ts";

type Send = Caller["fetch"];

const KEY = "idempotency-key";
/** Who asks for the same later means another one. */
const SAME_MS = 600_000;

/** Equal creations are one as long as the first of them is under way, too. */
export function createSendOnce(send: Send, now: () => number = Date.now): Send {
  const unanswered = new Map<string, { readonly key: string; readonly at: number }>();
  return async (url, init) => {
    const headers = new Headers(init.headers);
    const own = headers.get(KEY);
    if (own === null) return send(url, init);
    const asked = `${url}\n${init.body}`;
    const before = unanswered.get(asked);
    const key = before !== undefined && now() - before.at < SAME_MS ? before.key : own;
    unanswered.set(asked, { key, at: now() });
    headers.set(KEY, key);
    const answer = await send(url, { ...init, headers });
    // What stands between may answer that it lost the server.
    if (answer.status < 500) unanswered.delete(asked);
    return answer;
  };
}
