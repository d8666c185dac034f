/** Finds the end of a rate limit in an error message. */

/**
 * The UTC ISO time at which the limit resets, or null if the message gives no usable time. Relative waits count from
 * `endedAt` (UTC ISO). A time of day without a zone is in this machine's zone.
 */
export function resetTime(message: string, endedAt: string): string | null {
  const now = Date.parse(endedAt);
  if (Number.isNaN(now)) return null;
  const text = message.slice(0, 10_000);
  const at = epochIn(text) ?? waitIn(text, now) ?? clockIn(text, now) ?? dateIn(text);
  return at === null || !Number.isFinite(at) || at < now || at > now + MAX_WAIT_MS ? null : iso(at);
}

/** Seconds since 1970, as in headers and structured fields. */
export function timeOfEpoch(seconds: unknown): string | null {
  if (typeof seconds !== "number" || !(seconds > 1e9 && seconds < 1e11)) return null;
  return iso(seconds * 1000);
}

const MAX_WAIT_MS = 60 * 24 * 3600 * 1000;

const iso = (at: number): string => new Date(at).toISOString();

/** `usage limit reached|1777936568`, `"resets_at":1777936568`. */
function epochIn(text: string): number | null {
  const found = /(?:\||resets?_?at"?\s*[:=]\s*)(\d{10})\b/i.exec(text);
  return found === null ? null : Number(found[1]) * 1000;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** `try again in 5 days 22 hours 11 minutes`, `retry in 34.07s`, `retry-after: 30`, `"retryDelay":"34s"`. */
function waitIn(text: string, now: number): number | null {
  return namedWaitIn(text, now) ?? secondsIn(text, now);
}

function secondsIn(text: string, now: number): number | null {
  const found = /(?:retry[-_ ]?after|resets?_in_seconds)"?\s*[:=]?\s*"?(\d+(?:\.\d+)?)\b/i.exec(text);
  return found === null ? null : now + Number(found[1]) * 1000;
}

function namedWaitIn(text: string, now: number): number | null {
  const lead = /(?:(?:again|retry|resets?) (?:in|after)|retryDelay"?\s*[:=])\s*"?/i.exec(text);
  if (lead === null) return null;
  const parts =
    /^(?:\s*\d+(?:\.\d+)?\s*(?:milliseconds?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b,?)+/i.exec(
      text.slice(lead.index + lead[0].length),
    );
  return parts === null ? null : now + millisecondsOf(parts[0]);
}

function millisecondsOf(parts: string): number {
  let sum = 0;
  for (const [, value, unit] of parts.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const name = (unit ?? "").toLowerCase();
    sum +=
      Number(value) * (name.startsWith("ms") || name.startsWith("mil") ? 1 : (UNITS[name[0] ?? ""] ?? 0));
  }
  return sum;
}

/** `resets 3pm (Europe/Berlin)`, `try again at 3:45 PM`: the next time of that clock. */
function clockIn(text: string, now: number): number | null {
  const found =
    /(?:resets?|again)(?: at)? (\d{1,2})(?::(\d{2}))?\s*(am|pm)\b\.?(?:\s*\(([A-Za-z_]+(?:\/[A-Za-z_+-]+)*)\))?/i.exec(
      text,
    );
  if (found === null) return null;
  const [, hour, minute, half, zone] = found;
  const wanted = (Number(hour) % 12) * 60 + Number(minute ?? 0) + (half?.toLowerCase() === "pm" ? 720 : 0);
  const shown = minutesOfDay(now, zone);
  if (shown === null || Number(hour) > 12) return null;
  const wait = (wanted - shown + 1440) % 1440 || 1440;
  return Math.floor(now / 60_000) * 60_000 + wait * 60_000;
}

function minutesOfDay(at: number, zone: string | undefined): number | null {
  if (zone === undefined) return new Date(at).getHours() * 60 + new Date(at).getMinutes();
  try {
    const shown = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
    const [hour, minute] = shown.format(at).split(":").map(Number);
    return (hour ?? 0) * 60 + (minute ?? 0);
  } catch {
    return null;
  }
}

/** `try again at Aug 20th, 2026 7:38 AM`, in this machine's zone as the CLI writes it. */
function dateIn(text: string): number | null {
  const found = /again at ([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (\d{1,2}:\d{2}) (AM|PM)/.exec(
    text,
  );
  if (found === null) return null;
  const [, month, day, year, clock, half] = found;
  return Date.parse(`${month} ${day}, ${year} ${clock} ${half}`);
}
