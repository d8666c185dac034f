/** Refuses what the scope of a caller's access token, or the role of a person, does not include. */
import { covers, type Route, roleFor, scopeOf } from "../../contract/endpoints/endpoint.ts";
import type { KnownAccess } from "../../services/core/access-shapes.ts";
import type { StreamSource } from "../streams/live-streams.ts";
import type { Problem } from "./problem-response.ts";

/** The token in `server.json`, and a browser that the owner signed in, may do everything: then there is none. */
type Access = KnownAccess | undefined;
type Scope = KnownAccess["scope"];

export function refuseEndpoint(access: Access, endpoint: Route): Problem | null {
  return refuseBelow(access, { needed: scopeOf(endpoint), what: "this" });
}

/** Fields by which a request reaches further than its endpoint. */
export function refuseFields(access: Access, request: Readonly<Record<string, unknown>>): Problem | null {
  for (const [field, wanted] of Object.entries(FURTHER)) {
    const needed = wanted(request[field]);
    const refused = needed && refuseBelow(access, { needed, what: `\`${field}\` with this value` });
    if (refused) return refused;
  }
  return null;
}

const FURTHER: Readonly<Record<string, (value: unknown) => Scope | null>> = {
  /** Any folder of this machine, also one that is not known yet. */
  repository: (value) => (typeof value === "string" && value.startsWith("/") ? "admin" : null),
  /** They win over every file. */
  settings: (value) => (isEmpty(value) ? null : "admin"),
  /** What a person has not committed would leave this machine with the agent's branch. */
  from_worktree: (value) => (value === true ? "admin" : null),
  /** A rule by which nobody is asked again. */
  always: (value) => (value == null ? null : "admin"),
  /** More than what the settings publish by themselves. */
  publish: (value) => (value === "push" ? "publish" : null),
  /** Commits go to a branch that others have. */
  branch: (value) => (value == null ? null : "publish"),
};

function isEmpty(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function refuseBelow(
  access: Access,
  { needed, what }: { readonly needed: Scope; readonly what: string },
): Problem | null {
  if (access === undefined || covers(access.scope, needed)) return null;
  const { person } = access;
  // Then it is no token that asks.
  if (person !== null && person.id === access.id)
    return {
      kind: "forbidden",
      code: "scope_too_small",
      message: `You are signed in as ${person.email} with the role \`${person.role}\`, and ${what} needs \`${roleFor(needed)}\`.`,
      remedy: `Ask an admin for that role: \`tazuna people role ${person.email} ${roleFor(needed)}\`.`,
    };
  return {
    kind: "forbidden",
    code: "scope_too_small",
    message: `The token "${access.name}" has the scope \`${access.scope}\`, and ${what} needs \`${needed}\`.`,
    remedy: "Use a token of that scope; `tazuna token add` makes one.",
  };
}

export function tokenExpired({ name, expiresAt }: KnownAccess): Problem {
  return {
    kind: "unauthorized",
    code: "token_expired",
    message: `The token "${name}" expired at ${expiresAt}.`,
    remedy: "Make another one with `tazuna token add`, then remove this one.",
  };
}

const LOOK_MS = 5_000;

/** A stream ends soon after its token was removed or has expired. */
export function whileValid(
  source: StreamSource,
  options: { readonly isValid: () => Promise<boolean>; readonly now: () => number },
): StreamSource {
  let lookedAt = options.now();
  return {
    async next(signal) {
      if (options.now() - lookedAt >= LOOK_MS) {
        lookedAt = options.now();
        if (!(await options.isValid())) return null;
      }
      return source.next(signal);
    },
  };
}
