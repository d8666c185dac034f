/** Signs browsers in: a link that works once becomes a cookie, by which every server of the database knows the browser. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { cleanLine } from "../../contract/text.ts";
import type {
  AccessServices,
  KnownBrowser,
  KnownPerson,
  NewCookie,
  SignIn,
} from "../../services/core/access-shapes.ts";

export interface SignedInBrowsers {
  /** Uses a code up and gives the answer the cookie. False if the code is unknown, used or too old. */
  redeem(code: string, c: Context): Promise<boolean>;
  /** The browser that is signed in by the request's cookie; null if none is. */
  holder(c: Context): Promise<KnownBrowser | null>;
  /** What the request says of its browser. */
  describe(c: Context): Omit<SignIn, "code">;
  give(c: Context, made: NewCookie): void;
  /** Remembers in the browser that it began an entry through a provider. */
  keepEntry(c: Context, begun: NewCookie): void;
  /** The secret of the entry that this browser began, which it forgets; empty if it began none. */
  takeEntry(c: Context): string;
}

/** Longer than any real one: what follows is not looked at. */
const MAX_USER_AGENT = 1_000;

/** A cookie holds a secret whose hash is stored. */
export function createSignedInBrowsers(
  services: Pick<AccessServices, "signIn" | "recognizeBrowser">,
): SignedInBrowsers {
  const secretOf = (c: Context) => getCookie(c, cookieName(c)) ?? null;
  const describe = (c: Context) => ({
    userAgent: cleanLine((c.req.header("user-agent") ?? "").slice(0, MAX_USER_AGENT)),
    replaces: secretOf(c),
  });
  const give = (c: Context, { secret, lifeMs }: NewCookie) =>
    setCookie(c, cookieName(c), secret, { ...cookieOptions(c), maxAge: lifeMs / 1000, sameSite: "Strict" });
  return {
    describe,
    give,
    async redeem(code, c) {
      const made = await services.signIn({ code, ...describe(c) });
      if (made !== null) give(c, made);
      return made !== null;
    },
    async holder(c) {
      const secret = secretOf(c);
      return secret === null ? null : services.recognizeBrowser(secret);
    },
    // It has to come along when the provider sends the browser back.
    keepEntry: (c, { secret, lifeMs }) =>
      setCookie(c, entryName(c), secret, { ...cookieOptions(c), maxAge: lifeMs / 1000, sameSite: "Lax" }),
    takeEntry: (c) => deleteCookie(c, entryName(c), cookieOptions(c)) ?? "",
  };
}

function cookieOptions(c: Context) {
  return { path: "/", httpOnly: true, secure: isSecure(c) };
}

function entryName(c: Context): string {
  return `${cookieName(c)}_entry`;
}

/** The address of a fresh link, and the code that does the same; with an attempt the link leads to that attempt. */
export async function signInLink(
  services: Pick<AccessServices, "issueSignInCodes">,
  origin: string,
  { attempt, by }: { readonly attempt: string | null; readonly by: KnownPerson | null },
): Promise<{ readonly url: string; readonly code: string }> {
  const { linked, typed } = await services.issueSignInCodes(by);
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
