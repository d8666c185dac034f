/** Joins what lets callers in: access tokens, sign-in codes, browsers that are signed in. */
import { signedInAmong } from "../../storage/access/browsers.ts";
import { listTokens, makeToken, recognizeToken, removeToken } from "../access/access-tokens.ts";
import { signedInBrowsers, signOutBrowser, signOutBrowsers } from "../access/browsers.ts";
import { beginEntry, endEntry } from "../access/entries.ts";
import { allPeople, changeRole, removePerson, settleAdmins } from "../access/people.ts";
import { issueSignInCodes, signIn } from "../access/sign-in.ts";
import { listTeamActs } from "../access/team-acts.ts";
import type { AccessServices } from "../core/access-shapes.ts";
import type { ServiceContext } from "../core/context.ts";
import type { ServiceMemory } from "./memory.ts";

export function accessServices(
  context: ServiceContext,
  memory: Pick<ServiceMemory, "recognizeBrowser">,
): AccessServices {
  return {
    accessTokens: (by) => listTokens(context, by),
    addAccessToken: (wanted, by) => makeToken(context, wanted, by),
    removeAccessToken: (named, by) => removeToken(context, named, by),
    recognizeToken: (text) => recognizeToken(context, text),
    issueSignInCodes: (by) => issueSignInCodes(context, by),
    signIn: (asked) => signIn(context, asked),
    recognizeBrowser: memory.recognizeBrowser,
    beginEntry: (provider, asked) => beginEntry(context, provider, asked),
    endEntry: (provider, ended) => endEntry(context, provider, ended),
    people: () => allPeople(context),
    settleAdmins: (rules) => settleAdmins(context, rules),
    givePersonRole: (named, role) => changeRole(context, named, role),
    removePerson: (named) => removePerson(context, named),
    teamActs: (query) => listTeamActs(context, query),
    stillSignedIn: (ids) => signedInAmong(context.db.reader, ids),
    browsers: () => signedInBrowsers(context),
    signOutBrowser: (named) => signOutBrowser(context, named),
    signOutBrowsers: (but) => signOutBrowsers(context, but),
  };
}
