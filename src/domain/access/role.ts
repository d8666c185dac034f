/** Orders the roles of people, and says which scope each of them stands for. */
import { covers, type Scope } from "./scope.ts";

/** Each role may do what those before it may. */
export const ROLES = ["viewer", "member", "admin"] as const;
export type Role = (typeof ROLES)[number];

const SCOPE_OF: Readonly<Record<Role, Scope>> = { viewer: "read", member: "publish", admin: "admin" };

export function scopeOfRole(role: Role): Scope {
  return SCOPE_OF[role];
}

/** The least role that may do what needs this scope. */
export function roleFor(needed: Scope): Role {
  return ROLES.find((role) => covers(SCOPE_OF[role], needed)) ?? "admin";
}

/** A token never lets its holder do more than its owner may do now. */
export function withinRole(scope: Scope, role: Role): Scope {
  return covers(SCOPE_OF[role], scope) ? scope : SCOPE_OF[role];
}
