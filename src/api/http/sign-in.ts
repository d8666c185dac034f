/** Signs browsers in: a link that works once becomes a session cookie that outlives the server. */

const LINK_LIFE_MS = 10 * 60_000;
const SESSION_LIFE_MS = 30 * 24 * 3600_000;
const MOST_LINKS = 100;

export interface BrowserSessions {
  /** A fresh code for a link; it works once. */
  issueCode(): string;
  /** Uses a code up: the `Set-Cookie` value of a new session, or null if the code is unknown, used or too old. */
  redeem(code: string, request: Request): Promise<string | null>;
  /** Whether the request carries a session of ours that has not expired. */
  holds(request: Request): Promise<boolean>;
}

/** Sessions are signed, not stored: `secret` keeps them valid over restarts. */
export function createBrowserSessions(options: {
  readonly secret: string;
  readonly now: () => number;
}): BrowserSessions {
  const codes = new Map<string, number>();
  const key = signingKey(options.secret);
  return {
    issueCode() {
      for (const [code, expires] of codes)
        if (expires < options.now() || codes.size >= MOST_LINKS) codes.delete(code);
      const code = base64Url(crypto.getRandomValues(new Uint8Array(24)));
      codes.set(code, options.now() + LINK_LIFE_MS);
      return code;
    },
    async redeem(code, request) {
      const expires = codes.get(code);
      codes.delete(code);
      if (expires === undefined || expires < options.now()) return null;
      const until = String(options.now() + SESSION_LIFE_MS);
      const signature = await crypto.subtle.sign("HMAC", await key, bytesOf(until));
      const value = `${until}.${base64Url(new Uint8Array(signature))}`;
      const age = SESSION_LIFE_MS / 1000;
      return `${cookieName(request)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict`;
    },
    async holds(request) {
      const [until = "", signature = ""] = (cookieOf(request) ?? "").split(".");
      if (!/^\d{1,15}$/.test(until) || Number(until) < options.now()) return false;
      const bytes = fromBase64Url(signature);
      return bytes !== null && crypto.subtle.verify("HMAC", await key, bytes, bytesOf(until));
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

/** Cookies ignore ports: the name keeps two servers of one machine apart. */
function cookieName(request: Request): string {
  return `tazuna_${new URL(request.url).port || "80"}`;
}

function cookieOf(request: Request): string | null {
  const name = cookieName(request);
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

function signingKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign", "verify"]);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]{43}$/.test(text)) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
