/** Declares what the HTTP door needs from outside, and what it offers to whoever listens on a socket. */
import type { Services } from "../services/services.ts";

export interface ApiOptions {
  readonly services: Services;
  /** The bearer token of this start of the server. */
  readonly token: string;
  /** Compares two secrets in constant time. */
  readonly sameToken: (a: string, b: string) => boolean;
  readonly version: string;
  /** `Host` headers that are answered, such as `127.0.0.1:4000`; asked at every request, since a port may be known late. */
  readonly allowedHosts: () => readonly string[];
  /** Signs browser sessions. Kept over restarts (at least 32 random characters), so that sessions survive them. */
  readonly sessionSecret: string;
  readonly idempotency: IdempotencyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What a person can be told of something that was thrown, such as a database that is away; null for a surprise. */
  readonly explain: (
    error: unknown,
  ) => { readonly code: string; readonly message: string; readonly remedy: string } | null;
  /** Told of every surprise; the caller only sees `internal`. */
  readonly report: (error: unknown) => void;
  /** Milliseconds between the pings of a silent stream (15,000 unless told). */
  readonly pingMs?: number;
  /** Milliseconds between two looks at a log that is being followed (200 unless told). */
  readonly logPollMs?: number;
}

/** Remembers which creations were asked for under which key; kept at least a day, over restarts. */
export interface IdempotencyStore {
  /** Claims the key for a request, unless it is taken. `fingerprint` is the SHA-256 of method, path and body. */
  claim(key: string, fingerprint: string): Promise<KeyClaim>;
  /** Stores what the first request was answered. */
  answer(key: string, answer: IdempotentAnswer): Promise<void>;
  /** Forgets a key whose request was refused, so that it may be tried again. */
  forget(key: string): Promise<void>;
}

/** Nothing was known of the key, or the same request has it (with its answer, once there is one), or another one. */
export type KeyClaim =
  | { readonly kind: "new" }
  | { readonly kind: "same"; readonly answer: unknown }
  | { readonly kind: "other" };

export interface IdempotentAnswer {
  readonly status: number;
  /** The document that was answered. */
  readonly document: unknown;
}

/** What the listening socket knows about a request. */
export interface Connection {
  /** Where the caller is; without one, its connections are not counted. */
  readonly address?: string;
  /** Exempts the connection from the idle limit: for streams, and while an answer is made (a fetch, an agent that is asked its version). */
  readonly keepOpen?: () => void;
  /** Puts it under the limit again. */
  readonly letIdle?: () => void;
}

export interface Api {
  /** Answers one request; never throws. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** A link that signs a browser in once, within ten minutes; `origin` such as `http://127.0.0.1:4000`. */
  signInLink(origin: string, options?: { readonly attempt?: string }): string;
  /** Live streams that are open now: somebody is watching. */
  openStreams(): number;
  /** Ends every live stream, so that the server can stop. */
  close(): void;
}
