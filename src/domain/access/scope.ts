/** Orders what an access token may do. */

/** Each scope includes those before it. */
export const SCOPES = ["read", "write", "publish", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a token of this scope may do what needs another one. */
export function covers(scope: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(needed);
}
