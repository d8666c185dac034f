/** Answers with a problem document (RFC 9457): a stable code, what happened, and what to do about it. */
import { PROBLEM_TYPE, type ProblemKind, STATUS_OF } from "../../contract/problem.ts";

export interface Problem {
  readonly kind: ProblemKind;
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Set if another status is more exact than that of the kind. */
  readonly status?: number;
}

/** The response of a problem. */
export function problemResponse(problem: Problem): Response {
  const status = problem.status ?? STATUS_OF[problem.kind];
  const body = {
    type: "about:blank",
    title: problem.code.replaceAll("_", " "),
    status,
    kind: problem.kind,
    code: problem.code,
    detail: problem.message,
    remedy: problem.remedy,
    details: problem.details ?? {},
  };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": PROBLEM_TYPE } });
}
