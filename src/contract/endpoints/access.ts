/** Describes what lets callers in: sign-in links, signed-in browsers, access tokens, environments of shells. */
import { z } from "zod";
import { browserSchema } from "../../domain/access/browser.ts";
import { knownPersonSchema, personSchema } from "../../domain/access/person.ts";
import { teamActSchema } from "../../domain/access/team-act.ts";
import { accessTokenSchema } from "../../domain/access/token.ts";
import { documentOf, without } from "../document-of.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, pageQuery, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

/** All but what it is recognized by. */
export const accessTokenFields = without(accessTokenSchema.shape, "hash");
const accessToken = z.object(documentOf(accessTokenFields));
export type AccessTokenDocument = z.infer<typeof accessToken>;

const newToken = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,59}$/, "must be 1 to 60 letters, digits, dots, dashes and underscores"),
  scope: accessTokenSchema.shape.scope,
  /** How long it opens something. */
  days: z.number().int("must be a whole number").min(1).max(366, "must be at most 366").default(90),
});

/** All but what it is recognized by, and that it was signed out: then it is not listed. */
export const browserFields = {
  ...without(browserSchema.shape, "hash", "personId", "workerId", "signedOutAt"),
  /** The name of the worker whose server signed it in; null if the database serves one engine alone. */
  worker: z.string().nullable(),
  /** The e-mail address of the person whose it is; null if the owner of the machine signed it in. */
  person: z.string().nullable(),
};
const browser = z.object({
  ...documentOf(browserFields),
  /** It is the one that asks. */
  here: z.boolean(),
});
export type BrowserDocument = z.infer<typeof browser>;

export const personFields = personSchema.shape;
const person = z.object(documentOf(personFields));
export type PersonDocument = z.infer<typeof person>;

export const teamActFields = teamActSchema.shape;
const teamAct = z.object(documentOf(teamActFields));
export type TeamActDocument = z.infer<typeof teamAct>;

const you = z.object({
  /** Null if no person is known: the owner of the machine asks, or a program of theirs. */
  person: z.object(documentOf(knownPersonSchema.shape)).nullable(),
  /** What you may do. */
  scope: accessTokenSchema.shape.scope,
  /** Whether a browser asks, which can sign itself out. */
  browser: z.boolean(),
});

const variableName = z.string().regex(/^[^=\0]+$/, "is not the name of a variable");
const variableValue = z.string().refine((value) => !value.includes("\0"), "must not contain a NUL character");

export const ACCESS_ENDPOINTS = {
  link: {
    ...ROUTES.link,
    summary: "Makes a link that signs a browser in once, and a short code that does the same.",
    request: z.strictObject({ attempt: text.nullable().default(null) }),
    answer: z.object({
      url: z.string(),
      /** Such as `K7QM-4XRD-9TPA`, to be typed on a page that is not signed in; used up together with the link. */
      code: z.string(),
    }),
    codes: [],
  },
  browsers: {
    ...ROUTES.browsers,
    summary: "Lists the browsers that are signed in, the newest first.",
    request: nothing,
    answer: listOf(browser),
    codes: [],
  },
  signOutBrowser: {
    ...ROUTES.signOutBrowser,
    summary: "Signs a browser out, by its id: its cookie opens nothing any more, and its streams end.",
    request: nothing,
    answer: browser,
    codes: ["not_found", "ambiguous_id"],
  },
  signOutBrowsers: {
    ...ROUTES.signOutBrowsers,
    summary: "Signs all browsers out but the one that asks; lists those that were signed out.",
    request: nothing,
    answer: listOf(browser),
    codes: [],
  },
  signInWays: {
    ...ROUTES.signInWays,
    summary: "Says how a browser may sign in, besides a link or a code.",
    request: nothing,
    answer: z.object({
      /** The identity provider that lets people in, and the page that leads there; null if there is none. */
      provider: z.object({ host: z.string(), path: z.string() }).nullable(),
    }),
    codes: [],
  },
  you: {
    ...ROUTES.you,
    summary: "Says who asks, and what they may do.",
    request: nothing,
    answer: you,
    codes: [],
  },
  leaveBrowser: {
    ...ROUTES.leaveBrowser,
    summary: "Signs the browser out that asks. A program is not signed in, so nothing happens.",
    request: nothing,
    answer: z.object({ signed_out: z.boolean() }),
    codes: ["not_found"],
  },
  people: {
    ...ROUTES.people,
    summary: "Lists who has signed in through the identity provider, the oldest first; also who was removed.",
    request: nothing,
    answer: listOf(person),
    codes: [],
  },
  changePerson: {
    ...ROUTES.changePerson,
    summary: "Gives a person a role, by their address or id. Who was removed may enter again by it.",
    request: z.strictObject({ role: personSchema.shape.role }),
    answer: person,
    codes: ["not_found", "ambiguous_id"],
  },
  removePerson: {
    ...ROUTES.removePerson,
    summary: "Removes a person, by their address or id: they are signed out, and their tokens open nothing.",
    request: nothing,
    answer: person,
    codes: ["not_found", "ambiguous_id"],
  },
  teamActs: {
    ...ROUTES.teamActs,
    summary:
      "Lists what was done to people, tokens, browsers, workers, settings and repositories, the newest first.",
    request: pageQuery,
    answer: listOf(teamAct),
    codes: ["bad_cursor"],
  },
  accessTokens: {
    ...ROUTES.accessTokens,
    summary:
      "Lists the access tokens, the oldest first, without the tokens themselves. Below admin: your own.",
    request: nothing,
    answer: listOf(accessToken),
    codes: [],
  },
  addAccessToken: {
    ...ROUTES.addAccessToken,
    summary:
      "Makes an access token, which may do no more than you. This answer alone holds the token itself.",
    request: newToken,
    answer: accessToken.extend({ token: z.string() }),
    codes: ["token_name_taken", "not_found"],
  },
  removeAccessToken: {
    ...ROUTES.removeAccessToken,
    summary:
      "Removes an access token, by its name or its id: it opens nothing any more. Below admin: one of your own.",
    request: nothing,
    answer: accessToken,
    codes: ["not_found", "ambiguous_id"],
  },
  keepEnvironment: {
    ...ROUTES.keepEnvironment,
    summary: "Takes the environment of the caller's shell, under an id that the caller makes up.",
    request: z.strictObject({ id: z.uuid(), variables: z.array(z.tuple([variableName, variableValue])) }),
    answer: z.object({ id: z.string() }),
    codes: ["programs_only"],
  },
} as const satisfies Endpoints;
