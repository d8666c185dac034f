/** Joins what lets callers in: access tokens, sign-in codes, browsers that are signed in. */
import { signedInAmong } from "../../storage/access/browsers.ts";
import { listTokens, makeToken, recognizeToken, removeToken } from "../access/access-tokens.ts";
import {
  createBrowserRecognizer,
  signedInBrowsers,
  signOutBrowser,
  signOutBrowsers,
} from "../access/browsers.ts";
import { issueSignInCodes, signIn } from "../access/sign-in.ts";
import type { AccessServices } from "../core/access-shapes.ts";
import type { ServiceContext } from "../core/context.ts";

export function accessServices(context: ServiceContext): AccessServices {
  return {
    accessTokens: () => listTokens(context),
    addAccessToken: (wanted) => makeToken(context, wanted),
    removeAccessToken: (named) => removeToken(context, named),
    recognizeToken: (text) => recognizeToken(context, text),
    issueSignInCodes: () => issueSignInCodes(context),
    signIn: (asked) => signIn(context, asked),
    recognizeBrowser: createBrowserRecognizer(context),
    stillSignedIn: (ids) => signedInAmong(context.db.reader, ids),
    browsers: () => signedInBrowsers(context),
    signOutBrowser: (named) => signOutBrowser(context, named),
    signOutBrowsers: (but) => signOutBrowsers(context, but),
  };
}
