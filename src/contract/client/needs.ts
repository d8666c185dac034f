/** Says which scope a call needs: that of its row, or a larger one if a field of it reaches further than the row. */
import { type Role, roleFor } from "../../domain/access/role.ts";
import { covers, SCOPES, type Scope } from "../../domain/access/scope.ts";
import { type Route, scopeOf } from "../endpoints/endpoint.ts";

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
  /** Of a new token: nobody gives away more than they may do. */
  scope: (value) => SCOPES.find((scope) => scope === value) ?? null,
};

interface FieldNeed {
  readonly field: string;
  readonly needed: Scope;
}

/** Fields by which a request reaches further than its endpoint. */
export function fieldNeeds(request: Readonly<Record<string, unknown>>): readonly FieldNeed[] {
  return Object.entries(FURTHER).flatMap(([field, wanted]) => {
    const needed = wanted(request[field]);
    return needed === null ? [] : [{ field, needed }];
  });
}

/** The least role that may make the whole call; null if this scope may. */
export function missingRole(
  scope: Scope,
  route: Pick<Route, "needs" | "method">,
  request: Readonly<Record<string, unknown>> = {},
): Role | null {
  const all = [scopeOf(route), ...fieldNeeds(request).map(({ needed }) => needed)];
  const missing = all.filter((needed) => !covers(scope, needed));
  return missing.length === 0
    ? null
    : roleFor(missing.reduce((most, each) => (covers(most, each) ? most : each)));
}

function isEmpty(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
