/** Decides whether an answer is a rate limit, and when the forge may be asked again. */

/** GitHub asks to wait at least this long if a limit names no time. */
const UNNAMED_MS = 60_000;
/** No forge's limit lasts longer; a later time is a fault of the forge or of a clock. */
const LONGEST_MS = 24 * 3_600_000;

/** Null if it is no limit. */
export function limitedUntil(
  answer: { readonly status: number; readonly headers: Headers; readonly words: string },
  now: Date,
): Date | null {
  const { status, headers, words } = answer;
  if (status !== 403 && status !== 429) return null;
  const named = retryAfter(headers, now) ?? (isUsedUp(headers) ? resetOf(headers) : null);
  // GitHub answers a secondary limit with 403, sometimes without a header; a plain refusal is 403 as well.
  if (named === null && status === 403 && !/rate limit|abuse detection/i.test(words)) return null;
  return within(named ?? now.getTime() + UNNAMED_MS, now);
}

/** When a limit begins after a good answer that used up the last request; null if there is one left. */
export function usedUpUntil(headers: Headers, now: Date): Date | null {
  const reset = isUsedUp(headers) ? resetOf(headers) : null;
  return reset === null || reset <= now.getTime() ? null : within(reset, now);
}

/** When a limit ends that a good status hides: as the headers say, else after the time that GitHub asks for. */
export function hiddenLimitUntil(headers: Headers, now: Date): Date {
  return usedUpUntil(headers, now) ?? new Date(now.getTime() + UNNAMED_MS);
}

function within(time: number, now: Date): Date {
  return new Date(Math.min(Math.max(time, now.getTime() + 1000), now.getTime() + LONGEST_MS));
}

/** GitHub and Gitea: `x-ratelimit-*`; GitLab: `ratelimit-*`. */
function isUsedUp(headers: Headers): boolean {
  return (headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining"))?.trim() === "0";
}

function resetOf(headers: Headers): number | null {
  const seconds = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** Seconds, or a date. */
function retryAfter(headers: Headers, now: Date): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return now.getTime() + Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date;
}
