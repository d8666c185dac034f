/** Signs browsers in: a link that works once becomes a session cookie that outlives the server. */
import type { Context } from "hono";
import { getSignedCookie, setSignedCookie } from "hono/cookie";
import type { SignInCodeStore } from "./api-options.ts";

const LINK_LIFE_MS = 10 * 60_000;
const SESSION_LIFE_MS = 30 * 24 * 3600_000;

/** Twelve signs of these, none of which is easily taken for another: 60 random bits. */
const TYPED_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const TYPED_LENGTH = 12;
const LINKED_BYTES = 24;
/** In base64url. */
const LINKED_LENGTH = (LINKED_BYTES / 3) * 4;

/** Either signs one browser in; once one was used, neither works any more. */
interface SignInCodes {
  /** For a link. */
  readonly linked: string;
  /** To be typed. */
  readonly typed: string;
}

export interface BrowserSessions {
  /** Fresh codes that work once, within ten minutes. */
  issueCodes(): Promise<SignInCodes>;
  /** Uses a code up and gives the answer the cookie of a new session. False if the code is unknown, used or too old. */
  redeem(code: string, c: Context): Promise<boolean>;
  /** Whether the request carries a session of ours that has not expired. */
  holds(c: Context): Promise<boolean>;
}

/** Sessions are signed, not stored: `secret` keeps them valid over restarts. */
export function createBrowserSessions(options: {
  readonly secret: string;
  readonly codes: SignInCodeStore;
  readonly now: () => number;
}): BrowserSessions {
  return {
    async issueCodes() {
      const linked = crypto.getRandomValues(new Uint8Array(LINKED_BYTES)).toBase64({ alphabet: "base64url" });
      const typed = [...crypto.getRandomValues(new Uint8Array(TYPED_LENGTH))]
        .map((byte) => TYPED_SIGNS[byte % TYPED_SIGNS.length])
        .join("");
      const expires = options.now() + LINK_LIFE_MS;
      await options.codes.keep({ linked, typed, expires });
      return { linked, typed };
    },
    async redeem(code, c) {
      const typed = code.replaceAll("-", "").toUpperCase();
      // What has the length of neither is not looked for.
      const given = code.length === LINKED_LENGTH ? code : typed.length === TYPED_LENGTH ? typed : null;
      if (given === null || !(await options.codes.take(given))) return false;
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

/** The address of a fresh link, and the code that does the same; with an attempt the link leads to that attempt. */
export async function signInLink(
  sessions: BrowserSessions,
  origin: string,
  attempt: string | null,
): Promise<{ readonly url: string; readonly code: string }> {
  const { linked, typed } = await sessions.issueCodes();
  const url = new URL("/sign-in", origin);
  url.searchParams.set("code", linked);
  if (attempt !== null) url.searchParams.set("attempt", attempt);
  return { url: url.href, code: typed.replace(/.{4}(?=.)/g, "$&-") };
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
