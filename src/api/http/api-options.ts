/** Declares what the HTTP API needs from outside, and what it offers to the owner of the socket. */
import type { EngineAnswer, ToolDocument } from "../../contract/endpoints/engine.ts";
import type { Actor, EntryRules, IdentityProvider, KnownAccess } from "../../services/core/access-shapes.ts";
import type { Services } from "../../services/core/services.ts";

export interface ApiOptions {
  readonly services: Services;
  readonly engine: EngineProcess;
  /** The bearer token of this start of the server. */
  readonly token: string;
  /** Compares two secrets in constant time. */
  readonly sameToken: (a: string, b: string) => boolean;
  readonly version: string;
  /**
   * `Host` headers that are answered, such as `127.0.0.1:4000`; asked at every request, since a port may be known
   * late.
   */
  readonly allowedHosts: () => readonly string[];
  /** Where sign-in links lead to, such as `https://tazuna.example.com`; the origin of the request if it is absent. */
  readonly linkOrigin?: () => string;
  /** Through whom people enter; null if they do not. */
  readonly identity?: IdentityDoor | null;
  /** What a model is told about each tool that agents may be given. */
  readonly tools: () => Promise<ToolDocument[]>;
  readonly idempotency: IdempotencyStore;
  /** Settings of the engine's environment, by dotted key. */
  readonly browserSettings: Readonly<Record<string, string | number | boolean>>;
  /** The built web UI; null if it was not built. */
  readonly web: WebFiles | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The message for a person about a thrown error, such as a lost database; null for a surprise. */
  readonly explain: (
    error: unknown,
  ) => { readonly code: string; readonly message: string; readonly remedy: string } | null;
  /** Called with every unexpected error; the caller only sees `internal`. */
  readonly report: (error: unknown) => void;
  /** Milliseconds between the pings of a silent stream; 15,000 by default. */
  readonly pingMs?: number;
  /** Milliseconds between two looks at a log that is being followed; 200 by default. */
  readonly logPollMs?: number;
}

export interface IdentityDoor {
  readonly provider: IdentityProvider;
  readonly rules: EntryRules;
}

/** The process that the engine works in. */
export interface EngineProcess {
  about(): Promise<EngineAnswer>;
  /** Whether it ends now; its keepers go on with their agents. */
  leave(options: { readonly onlyIdle: boolean }): Promise<boolean>;
}

/** Remembers which creations were asked for under which key; kept at least a day, over restarts. */
export interface IdempotencyStore {
  /** Claims the key for a request, unless it is taken. `fingerprint` is the SHA-256 of method, path and body. */
  claim(key: string, fingerprint: string): Promise<KeyClaim>;
  /** Stores the answer to the first request. */
  answer(key: string, answer: IdempotentAnswer): Promise<void>;
  /** Forgets the key of a refused request, so that the request may be tried again. */
  forget(key: string): Promise<void>;
}

/** The key was unknown. Or the same request has it, with its answer once there is one. Or another request has it. */
type KeyClaim =
  | { readonly kind: "new" }
  | { readonly kind: "same"; readonly answer: unknown }
  | { readonly kind: "other" };

export interface IdempotentAnswer {
  readonly status: number;
  /** The document that was answered. */
  readonly document: unknown;
}

/** The files of the web UI by their address, such as `/assets/index-1a2b.js`. They are read once, at the start. */
export type WebFiles = ReadonlyMap<string, WebFile>;

export interface WebFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same, compressed with Brotli; null if that is not worth it. */
  readonly brotli: Uint8Array<ArrayBuffer> | null;
}

/** The kind of caller: a program with a bearer token, or a browser that signed in. */
export type Caller = "program" | "browser";

export interface KnownCaller {
  readonly caller: Caller;
  /** What limits it: a token, perhaps an expired one, or its person's role. Absent if it may do everything. */
  readonly access?: KnownAccess;
  /** The id of the browser. */
  readonly browser?: string;
  /** Who asks, of a call that another worker hands on; null if that one is older and did not say. */
  readonly actor?: Actor | null;
}

/** What the listening socket knows about a request. */
export interface Connection {
  /** The caller's address; without one, its connections are not counted. */
  readonly address?: string;
  /** It came through the socket that is reached from other machines. */
  readonly outside?: true;
  /** Another worker hands the call on. It has found out who its caller is. */
  readonly asked?: KnownCaller;
  /** Exempts the connection from the idle limit: for streams, and while a slow answer is made (such as a fetch). */
  readonly keepOpen?: () => void;
  /** Puts it under the limit again. */
  readonly letIdle?: () => void;
}

export interface Api {
  /** Answers one request; never throws. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** A link that signs a browser in once, within ten minutes; `origin` such as `http://127.0.0.1:4000`. */
  signInLink(origin: string, options?: { readonly attempt?: string }): Promise<string>;
  /** The number of live streams that are open now. */
  openStreams(): number;
  /** Ends every live stream, so that the server can stop. */
  close(): void;
}
