/** Counts wrong tokens, used-up sign-in links and wrong invitations per client address, and says when there are too many. */
import type { MiddlewareHandler } from "hono";
import { type Problem, problemResponse } from "./problem-response.ts";
import type { Env } from "./request-context.ts";

const MAX_FAILURES = 30;
const WINDOW_MS = 60_000;
/** Addresses that are remembered; beyond that the oldest is forgotten. */
const MAX_ADDRESSES = 10_000;

/**
 * It only changes how failures are answered: a right token and a fresh link are looked at first, and always pass. So
 * nobody can lock a person out. That neither can be guessed is held by their length.
 */
export interface FailureLimit {
  /** Counts a failure. True if its address has had too many within a minute. */
  isTooMany(address: string | undefined): boolean;
}

export function createFailureLimit(options: {
  readonly now: () => number;
  /** Told once a minute at most for each address. */
  readonly report: (error: unknown) => void;
}): FailureLimit {
  const failures = new Map<string, { readonly since: number; count: number }>();
  const countOf = (address: string): number => {
    const now = options.now();
    const known = failures.get(address);
    const entry = known !== undefined && now - known.since < WINDOW_MS ? known : { since: now, count: 0 };
    entry.count += 1;
    failures.delete(address);
    failures.set(address, entry);
    const [oldest] = failures.keys();
    if (failures.size > MAX_ADDRESSES && oldest !== undefined) failures.delete(oldest);
    return entry.count;
  };
  return {
    isTooMany(address) {
      const count = countOf(address ?? "");
      if (count === MAX_FAILURES + 1)
        options.report(
          `${address ?? "Somebody"} sent more than ${MAX_FAILURES} wrong tokens, links or invitations.`,
        );
      return count > MAX_FAILURES;
    },
  };
}

/** Counts what is refused at an endpoint that anybody may call. */
export function limitRefusals(failures: FailureLimit): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    if (c.res.status >= 400 && c.res.status < 500 && failures.isTooMany(c.env.address))
      c.res = problemResponse(TOO_MANY_FAILURES);
  };
}

export const TOO_MANY_FAILURES: Problem = {
  kind: "unauthorized",
  code: "too_many_failures",
  message: `There were more than ${MAX_FAILURES} wrong tokens, sign-in links or invitations from this address within a minute.`,
  remedy:
    "The right token still passes: programs read it from `server.json`; `tazuna open` makes a fresh link.",
  status: 429,
};
