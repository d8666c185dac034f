/** Handles what lets callers in: sign-in links, signed-in browsers, access tokens, environments of shells. */
import { err, ok } from "neverthrow";
import { showing } from "../../contract/document-of.ts";
import {
  type ACCESS_ENDPOINTS,
  accessTokenFields,
  type BrowserDocument,
  browserFields,
  personFields,
  teamActFields,
} from "../../contract/endpoints/access.ts";
import type { ListedBrowser, MadeToken } from "../../services/core/access-shapes.ts";
import type { ApiOptions } from "../http/api-options.ts";
import { PROGRAMS_ONLY } from "../http/caller-shell.ts";
import { BEGIN } from "../http/entry-pages.ts";
import { refuseMaking } from "../http/scope-guard.ts";
import { signInLink } from "../http/sign-in.ts";
import { type Handlers, listOf, pageOf, shown } from "./handler.ts";

const showToken = showing(accessTokenFields);
const showPerson = showing(personFields);
const showFields = showing(browserFields);
const showAct = showing(teamActFields);

export function accessHandlers({
  linkOrigin,
  identity = null,
}: Pick<ApiOptions, "linkOrigin" | "identity">): Handlers<typeof ACCESS_ENDPOINTS> {
  return {
    link: async ({ services, request, origin, access }) => {
      const wanted = { attempt: request.attempt, by: access?.person ?? null };
      return ok(await signInLink(services, linkOrigin?.() ?? origin, wanted));
    },
    signInWays: async () =>
      ok({ provider: identity === null ? null : { host: identity.provider.host, path: BEGIN } }),
    you: async ({ access, browser }) =>
      ok({ person: access?.person ?? null, scope: access?.scope ?? "admin", browser: browser !== null }),
    leaveBrowser: async ({ services, browser }) =>
      browser === null
        ? ok({ signed_out: false })
        : shown(services.signOutBrowser(browser), () => ({ signed_out: true })),
    people: ({ services }) => shown(services.people(), listOf(showPerson)),
    changePerson: ({ services, id, request }) => shown(services.givePersonRole(id, request.role), showPerson),
    removePerson: ({ services, id }) => shown(services.removePerson(id), showPerson),
    browsers: ({ services, browser }) => shown(services.browsers(), listOf(showBrowser(browser))),
    signOutBrowser: ({ services, id, browser }) => shown(services.signOutBrowser(id), showBrowser(browser)),
    signOutBrowsers: ({ services, browser }) =>
      shown(services.signOutBrowsers(browser), listOf(showBrowser(browser))),
    teamActs: ({ services, request }) => shown(services.teamActs(request), pageOf(showAct)),
    accessTokens: ({ services, access }) => shown(services.accessTokens(access), listOf(showToken)),
    addAccessToken: async ({ services, request, access }) => {
      const refused = refuseMaking(access ?? undefined);
      if (refused !== null) return err(refused);
      const show = ({ token, ...made }: MadeToken) => ({ ...showToken(made), token });
      return shown(services.addAccessToken(request, access?.person ?? null), show);
    },
    removeAccessToken: ({ services, id, access }) => shown(services.removeAccessToken(id, access), showToken),
    keepEnvironment: async ({ request: { id, variables }, services, caller }) => {
      if (caller !== "program") return err(PROGRAMS_ONLY);
      services.keepEnvironment(id, Object.fromEntries(variables));
      return ok({ id });
    },
  };
}

/** `own` is the id of the browser that asks, if one does. */
function showBrowser(own: string | null): (browser: ListedBrowser) => BrowserDocument {
  return (browser) => ({ ...showFields(browser), here: browser.id === own });
}
