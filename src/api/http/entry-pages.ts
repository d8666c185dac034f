/** Lets people in through an identity provider: the way there, the way back, and pages for what goes wrong. */
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import type { EntryRefusal } from "../../services/core/access-shapes.ts";
import type { Services } from "../../services/core/services.ts";
import type { ApiOptions, IdentityDoor } from "./api-options.ts";
import type { EntryLimit } from "./entry-limit.ts";
import type { FailureLimit } from "./failure-limit.ts";
import { plainPage } from "./plain-page.ts";
import { type Env, unhurried } from "./request-context.ts";
import type { SignedInBrowsers } from "./sign-in.ts";
import { isPrefetch } from "./sign-in-pages.ts";

/** Where an entry begins; `to` is the page that is wanted. */
export const BEGIN = "/sign-in/oidc";
const BACK = `${BEGIN}/back`;

interface EntryOptions extends Pick<ApiOptions, "linkOrigin"> {
  readonly services: Pick<Services, "beginEntry" | "endEntry">;
  readonly identity: IdentityDoor;
  readonly browsers: SignedInBrowsers;
  readonly failures: FailureLimit;
  readonly entries: EntryLimit;
}

export function addEntries(app: Hono<Env>, options: EntryOptions): void {
  app.get(BEGIN, (c) => onlyOnce(c, () => begin(c, options)));
  app.get(BACK, (c) => onlyOnce(c, () => comeBack(c, options)));
}

/** A preview asks with HEAD, and a browser may load ahead: neither begins or ends anything. */
async function onlyOnce(c: Context<Env>, act: () => Promise<Response>): Promise<Response> {
  if (c.req.method !== "GET") return c.body(null, 204);
  if (isPrefetch(c.req.raw)) return c.body(null, 503, { "cache-control": "no-store" });
  return unhurried(c, act);
}

async function begin(c: Context<Env>, options: EntryOptions): Promise<Response> {
  const { services, identity, browsers, entries } = options;
  const asked = new URL(c.req.url);
  const origin = originOf(c, options);
  // The provider sends the browser back there, and cookies belong to one host.
  if (asked.origin !== origin) return c.redirect(origin + asked.pathname + asked.search, 303);
  const seconds = entries.secondsToWait(c.env.address);
  if (seconds !== null) {
    c.header("retry-after", String(seconds));
    return refusedPage(c, TOO_MANY_ENTRIES, 429);
  }
  const returnTo = pathIn(origin, c.req.query("to") ?? "/");
  const begun = await services.beginEntry(identity.provider, { redirectUri: origin + BACK, returnTo });
  if (begun.isErr()) return refusedPage(c, begun.error, 502);
  browsers.keepEntry(c, begun.value);
  return c.redirect(begun.value.url, 303);
}

async function comeBack(c: Context<Env>, options: EntryOptions): Promise<Response> {
  const { services, identity, browsers, failures } = options;
  const origin = originOf(c, options);
  const { pathname, search } = new URL(c.req.url);
  const entered = await services.endEntry(identity.provider, {
    secret: browsers.takeEntry(c),
    callback: origin + pathname + search,
    rules: identity.rules,
    browser: browsers.describe(c),
  });
  if (entered.isErr()) return refusedPage(c, entered.error, failures.isTooMany(c.env.address) ? 429 : 401);
  browsers.give(c, entered.value);
  // With its host, because a path such as `//elsewhere` alone would be an address elsewhere.
  return c.redirect(origin + entered.value.returnTo, 303);
}

const TOO_MANY_ENTRIES: EntryRefusal = {
  message: "Too many people sign in at this moment.",
  remedy: "Wait a minute, then begin again.",
};

function originOf(c: Context<Env>, { linkOrigin }: EntryOptions): string {
  return linkOrigin?.() ?? new URL(c.req.url).origin;
}

const LONGEST_PATH = 2_000;

/** A path of this server; the first page if it is none. */
function pathIn(origin: string, wanted: string): string {
  if (wanted.length > LONGEST_PATH || !URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  return url.origin === origin ? url.pathname + url.search : "/";
}

function refusedPage(c: Context<Env>, { message, remedy }: EntryRefusal, status: 401 | 429 | 502) {
  const again = html`<p>${remedy}</p>
      <p><a href="${BEGIN}">Sign in again</a> or <a href="/">go to the first page</a>, where a code works too.</p>`;
  return c.html(plainPage({ title: message, body: again }), status);
}
