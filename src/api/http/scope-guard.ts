/** Refuses what the scope of a caller's access token, or the role of a person, does not include. */

import { fieldNeeds } from "../../contract/client/needs.ts";
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

export function refuseFields(access: Access, request: Readonly<Record<string, unknown>>): Problem | null {
  for (const { field, needed } of fieldNeeds(request)) {
    const refused = refuseBelow(access, { needed, what: `\`${field}\` with this value` });
    if (refused !== null) return refused;
  }
  return null;
}

/** A person makes tokens. A token makes none unless it may do everything: who found one would keep access by another. */
export function refuseMaking(access: Access): Problem | null {
  const isOfPerson = access !== undefined && isPersonThemselves(access);
  return isOfPerson ? null : refuseBelow(access, { needed: "admin", what: "making tokens" });
}

function isPersonThemselves({ id, person }: KnownAccess): boolean {
  return person !== null && person.id === id;
}

function refuseBelow(
  access: Access,
  { needed, what }: { readonly needed: Scope; readonly what: string },
): Problem | null {
  if (access === undefined || covers(access.scope, needed)) return null;
  const { person } = access;
  // Then it is no token that asks.
  if (person !== null && isPersonThemselves(access))
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
