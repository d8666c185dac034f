/** Declares what the doors may ask of access: the tokens of programs, and the browsers that are signed in. */
import type { Result } from "neverthrow";
import type { Browser } from "../../domain/access/browser.ts";
import type { EntryRules, KnownPerson, Person } from "../../domain/access/person.ts";
import type { Role } from "../../domain/access/role.ts";
import type { TeamAct } from "../../domain/access/team-act.ts";
import type { AccessToken, NewToken } from "../../domain/access/token.ts";
import type { Actor } from "../../domain/actor.ts";
import type { AskedCall } from "../../domain/worker/asked.ts";
import type { IdentityProvider } from "../../identity/provider.ts";
import type { ListPage } from "./answer-shapes.ts";
import type { Refusal } from "./refusal.ts";
import type { PageQuery } from "./request-shapes.ts";

/** Who asks. */
export type { Actor };

/**
 * What a caller may do, and until when. Of a token: its id and name, and the person whose it is. Of a person in a browser:
 * theirs.
 */
export type KnownAccess = NonNullable<AskedCall["access"]>;

export interface KnownBrowser {
  readonly id: string;
  /** What its person may do; null if it is nobody's in particular, and may do everything. */
  readonly access: KnownAccess | null;
}

/** The address that an entry through a provider begins at, and the secret that ends it. */
export interface BegunEntry {
  readonly url: string;
  readonly secret: string;
  /** How long there is to come back. */
  readonly lifeMs: number;
}

/** Why somebody did not get in, for a page: no endpoint answers so, and it has no code. */
export interface EntryRefusal {
  readonly message: string;
  readonly remedy: string;
}

export interface EndedEntry {
  readonly secret: string;
  /** The address that the browser came back to, as browsers type it. */
  readonly callback: string;
  readonly rules: EntryRules;
  readonly browser: Omit<SignIn, "code">;
}

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
  /** The address of the person whose it is; null if it is nobody's in particular. */
  readonly person: string | null;
}

export type { EntryRules, IdentityProvider, KnownPerson };

/** With the token itself. */
export type MadeToken = AccessToken & { readonly token: string };

export interface AccessServices {
  /** Of who may do less than everything: those of the same person, or the token that asks. `by` is null for the owner. */
  accessTokens(by: KnownAccess | null): Promise<Result<readonly AccessToken[], Refusal>>;
  /** The one answer with the token itself. */
  addAccessToken(wanted: NewToken, by: KnownPerson | null): Promise<Result<MadeToken, Refusal>>;
  /** One of those that `by` may list, by its name, its id or a unique prefix of the id; answers with what it was. */
  removeAccessToken(named: string, by: KnownAccess | null): Promise<Result<AccessToken, Refusal>>;
  /** The token with this text, also if it has expired; null if it is none of ours. */
  recognizeToken(text: string): Promise<KnownAccess | null>;
  /** Fresh codes that work once, within ten minutes, and sign in as who made them. */
  issueSignInCodes(by: KnownPerson | null): Promise<SignInCodes>;
  /** Uses a code up. Null if the code is unknown, used or too old. */
  signIn(asked: SignIn): Promise<NewCookie | null>;
  /** The browser that is signed in by this secret; null if none is. */
  recognizeBrowser(secret: string): Promise<KnownBrowser | null>;
  /** Sends somebody to an identity provider. They come back to `redirectUri`, and then go on to `returnTo`. */
  beginEntry(
    provider: IdentityProvider,
    asked: { readonly redirectUri: string; readonly returnTo: string },
  ): Promise<Result<BegunEntry, EntryRefusal>>;
  /** Signs in who came back from it, once. */
  endEntry(
    provider: IdentityProvider,
    ended: EndedEntry,
  ): Promise<Result<NewCookie & { readonly returnTo: string }, EntryRefusal>>;
  /** Everybody who has come through an identity provider, the oldest first; also who was removed. */
  people(): Promise<Result<readonly Person[], Refusal>>;
  /** Call it when a server starts. Whom it no longer names as an admin is again what an admin made of them. */
  settleAdmins(rules: Pick<EntryRules, "admins">): Promise<void>;
  /** By their e-mail address, their id or a unique prefix of it. Who was removed may enter again by it. */
  givePersonRole(named: string, role: Role): Promise<Result<Person, Refusal>>;
  /** The same. Their browsers and tokens open nothing from then on. */
  removePerson(named: string): Promise<Result<Person, Refusal>>;
  /** What people did to the team, the newest first. */
  teamActs(query: PageQuery): Promise<Result<ListPage<TeamAct>, Refusal>>;
  /** Which of these ids are of browsers that are signed in. */
  stillSignedIn(browsers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those that are signed in, the newest first. */
  browsers(): Promise<Result<readonly ListedBrowser[], Refusal>>;
  /** By its id or a unique prefix of it. */
  signOutBrowser(named: string): Promise<Result<ListedBrowser, Refusal>>;
  /** All but this one, if it is given. Answers with those that it signed out. */
  signOutBrowsers(but: string | null): Promise<Result<readonly ListedBrowser[], Refusal>>;
}
