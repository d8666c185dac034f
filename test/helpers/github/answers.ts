/** Says what GitHub says when it refuses, is busy, or is not itself: in the words of its documents. */

export interface Said {
  readonly status: number;
  /** Sent as JSON. */
  readonly data?: unknown;
  /** Sent as it is, instead. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const DOCS = "https://docs.github.com/rest";

export const said = (data: unknown, status = 200): Said => ({ status, data });

/** An error with GitHub's sentence. */
export function refusedWith(status: number, message: string, headers: Said["headers"] = {}): Said {
  return { status, data: { message, documentation_url: DOCS }, headers };
}

/** `errors` of a 422, as GitHub names what is wrong. */
export function invalid(...errors: readonly Readonly<Record<string, string>>[]): Said {
  const data = { message: "Validation Failed", errors, documentation_url: DOCS };
  return { status: 422, data };
}

/** One that names only a sentence. */
export const invalidBecause = (message: string): Said =>
  invalid({ resource: "PullRequest", code: "custom", message });

export const NOT_FOUND = refusedWith(404, "Not Found");
export const BAD_CREDENTIALS = refusedWith(401, "Bad credentials");
export const NOT_ALLOWED = refusedWith(403, "Resource not accessible by personal access token");

const SECONDARY =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.";

/** What may come instead of a true answer. */
export const TROUBLES = {
  /** Without `Retry-After` GitHub asks for a minute. */
  secondaryLimit: (seconds: number | null, status: 403 | 429 = 403) =>
    refusedWith(status, SECONDARY, seconds === null ? {} : { "retry-after": String(seconds) }),
  status: (status: number, message = "Said so") => refusedWith(status, message),
  fault: (status: 500 | 502 | 503 | 504 = 502) => refusedWith(status, "Server Error"),
  /** A proxy, a sign-in page or a unicorn. */
  html: (status: number): Said => ({
    status,
    text: "<!DOCTYPE html>\n<html><body>Unicorn! &middot; GitHub</body></html>\n",
    headers: { "content-type": "text/html; charset=utf-8" },
  }),
  /** JSON that ends in the middle. */
  half: { status: 200, text: '{"number": 1, "sta', headers: { "content-type": "application/json" } } as Said,
  otherShape: said({ items: "nothing of what was asked for" }),
} as const;
