/** Describes the form of a refusal: `application/problem+json` on the wire, one shape of error for every caller. */
export const PROBLEM_TYPE = "application/problem+json";

/** The kind of refusal; it decides the HTTP status and the exit code of the command line. */
export const PROBLEM_KINDS = [
  "bad_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "conflict",
  "needs_person",
  "failed",
  "internal",
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** Why a call of the client failed; `unreachable` means that it is unknown whether the call was carried out. */
export interface ApiError {
  readonly kind: ProblemKind | "unreachable";
  /** Stable. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The HTTP status of each kind; a route may answer a more exact one. */
export const STATUS_OF: Readonly<Record<ProblemKind, 400 | 401 | 403 | 404 | 409 | 422 | 500>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  needs_person: 409,
  failed: 422,
  internal: 500,
};
