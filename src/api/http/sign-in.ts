/** Signs browsers in: a link that works once becomes a session cookie that outlives the server. */
import type { Context } from "hono";
import { getSignedCookie, setSignedCookie } from "hono/cookie";

const LINK_LIFE_MS = 10 * 60_000;
const SESSION_LIFE_MS = 30 * 24 * 3600_000;
const MAX_LINKS = 100;

export interface BrowserSessions {
  /** A fresh code for a link; it works once. */
  issueCode(): string;
  /** Uses a code up and gives the answer the cookie of a new session. False if the code is unknown, used or too old. */
  redeem(code: string, c: Context): Promise<boolean>;
  /** Whether the request carries a session of ours that has not expired. */
  holds(c: Context): Promise<boolean>;
}

/** Sessions are signed, not stored: `secret` keeps them valid over restarts. */
export function createBrowserSessions(options: {
  readonly secret: string;
  readonly now: () => number;
}): BrowserSessions {
  const codes = new Map<string, number>();
  return {
    issueCode() {
      for (const [code, expires] of codes)
        if (expires < options.now() || codes.size >= MAX_LINKS) codes.delete(code);
      const code = crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
      codes.set(code, options.now() + LINK_LIFE_MS);
      return code;
    },
    async redeem(code, c) {
      const expires = codes.get(code);
      codes.delete(code);
      if (expires === undefined || expires < options.now()) return false;
      const until = String(options.now() + SESSION_LIFE_MS);
      await setSignedCookie(c, cookieName(c), until, options.secret, {
        path: "/",
        maxAge: SESSION_LIFE_MS / 1000,
        httpOnly: true,
        secure: isSecure(c),
        sameSite: "Strict",
      });
      return true;
    },
    async holds(c) {
      const until = await getSignedCookie(c, options.secret, cookieName(c));
      return until ? Number(until) >= options.now() : false;
    },
  };
}

/** The address of a fresh link; with an attempt it leads to that attempt on the page. */
export function signInLink(sessions: BrowserSessions, origin: string, attempt: string | null): string {
  const url = new URL("/sign-in", origin);
  url.searchParams.set("code", sessions.issueCode());
  if (attempt !== null) url.searchParams.set("attempt", attempt);
  return url.href;
}

/**
 * Cookies ignore ports: the name keeps two servers of one machine apart. Over https, browsers take a name that begins
 * with `__Host-` only from this very host: no neighbour below the same domain can plant one.
 */
function cookieName(c: Context): string {
  const { port } = new URL(c.req.url);
  return isSecure(c) ? `__Host-tazuna_${port || "443"}` : `tazuna_${port || "80"}`;
}

function isSecure(c: Context): boolean {
  return new URL(c.req.url).protocol === "https:";
}
