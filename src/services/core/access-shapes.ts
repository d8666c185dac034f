/** Declares what the doors may ask of access: the tokens of programs, and the browsers that are signed in. */
import type { Result } from "neverthrow";
import type { Browser } from "../../domain/access/browser.ts";
import type { AccessToken, NewToken } from "../../domain/access/token.ts";
import type { Refusal } from "./refusal.ts";

/** What a caller's access token lets it do, and until when. */
export type KnownToken = Pick<AccessToken, "id" | "name" | "scope" | "expiresAt">;

/** Either signs one browser in; once one was used, neither works any more. */
export interface SignInCodes {
  /** For a link. */
  readonly linked: string;
  /** To be typed. */
  readonly typed: string;
}

export interface SignIn {
  readonly code: string;
  /** What the browser says of itself: one line of plain text. */
  readonly userAgent: string;
  /** The secret that the browser had until now, so that it is signed in once; null if it had none. */
  readonly replaces: string | null;
}

export interface NewCookie {
  readonly secret: string;
  /** How long the browser is signed in by it. */
  readonly lifeMs: number;
}

export interface ListedBrowser extends Pick<Browser, "id" | "userAgent"> {
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  /** The worker whose server signed it in; null if the database serves one engine alone. */
  readonly worker: string | null;
}

export interface AccessServices {
  accessTokens(): Promise<Result<readonly AccessToken[], Refusal>>;
  /** The one answer with the token itself. */
  addAccessToken(wanted: NewToken): Promise<Result<AccessToken & { readonly token: string }, Refusal>>;
  /** By its name, its id or a unique prefix of the id; answers with what it was. */
  removeAccessToken(named: string): Promise<Result<AccessToken, Refusal>>;
  /** The token with this text, also if it has expired; null if it is none of ours. */
  recognizeToken(text: string): Promise<KnownToken | null>;
  /** Fresh codes that work once, within ten minutes. */
  issueSignInCodes(): Promise<SignInCodes>;
  /** Uses a code up. Null if the code is unknown, used or too old. */
  signIn(asked: SignIn): Promise<NewCookie | null>;
  /** The id of the browser that is signed in by this secret; null if none is. */
  recognizeBrowser(secret: string): Promise<string | null>;
  /** Which of these ids are of browsers that are signed in. */
  stillSignedIn(browsers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those that are signed in, the newest first. */
  browsers(): Promise<Result<readonly ListedBrowser[], Refusal>>;
  /** By its id or a unique prefix of it. */
  signOutBrowser(named: string): Promise<Result<ListedBrowser, Refusal>>;
  /** All but this one, if it is given. Answers with those that it signed out. */
  signOutBrowsers(but: string | null): Promise<Result<readonly ListedBrowser[], Refusal>>;
}
