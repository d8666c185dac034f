/** Writes numbers, times, sizes and costs as the language of this device does. */
import { usePreferences } from "../data/preferences.ts";

interface Format {
  /** Such as `14:02`; with the day if it is not today. */
  readonly clock: (iso: string) => string;
  /** The same with seconds, such as `14:02:33`. */
  readonly seconds: (iso: string) => string;
  /** Such as `6:12` under an hour while it runs. */
  readonly running: (ms: number) => string;
  /** Such as `18 m`, `2 h`, `3 d`: how long ago. */
  readonly rest: (ms: number) => string;
  /** Such as `0.4 s`, `31 s`, `11 m 20 s`, `2 h 05 m`: how long something took. */
  readonly span: (ms: number) => string;
  readonly cost: (usd: number) => string;
  readonly bytes: (bytes: number) => string;
  readonly number: (value: number) => string;
  /** Such as `12.3K`. */
  readonly compact: (value: number) => string;
}

export function useFormat(): Format {
  return formatFor(usePreferences().language);
}

type Language = "en" | "ja";

/** Each row of a long list writes numbers; to make their formats takes longer than to draw the row. */
const made = new Map<Language, Format>();

export function formatFor(language: Language): Format {
  const known = made.get(language) ?? makeFormat(language);
  made.set(language, known);
  return known;
}

function makeFormat(language: Language): Format {
  const locale = language === "ja" ? "ja-JP" : "en-GB";
  const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const exact = new Intl.DateTimeFormat(locale, { timeStyle: "medium", hourCycle: "h23" });
  const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
  const plain = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const rounded = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const [second, minute, hour, days] = language === "ja" ? ["秒", "分", "時間", "日"] : ["s", "m", "h", "d"];
  return {
    clock: (iso) => {
      const at = new Date(iso);
      const isToday = at.toDateString() === new Date().toDateString();
      return isToday ? clock.format(at) : `${day.format(at)} ${clock.format(at)}`;
    },
    seconds: (iso) => {
      const at = new Date(iso);
      const isToday = at.toDateString() === new Date().toDateString();
      return isToday ? exact.format(at) : `${day.format(at)} ${clock.format(at)}`;
    },
    running: (ms) => {
      const all = Math.max(0, Math.floor(ms / 1000));
      const two = (value: number) => String(value).padStart(2, "0");
      const minutes = Math.floor(all / 60);
      if (minutes < 60) return `${minutes}:${two(all % 60)}`;
      return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(all % 60)}`;
    },
    rest: (ms) => {
      const seconds = Math.max(0, Math.floor(ms / 1000));
      if (seconds < 60) return `${seconds} ${second}`;
      if (seconds < 3600) return `${Math.floor(seconds / 60)} ${minute}`;
      if (seconds < 86_400) return `${Math.floor(seconds / 3600)} ${hour}`;
      return `${Math.floor(seconds / 86_400)} ${days}`;
    },
    span: (ms) => {
      const all = Math.max(0, Math.round(ms / 1000));
      const two = (value: number) => String(value).padStart(2, "0");
      if (ms < 9_950) return `${rounded.format(Math.max(0, ms) / 1000)} ${second}`;
      if (all < 60) return `${all} ${second}`;
      if (all < 3600) return `${Math.floor(all / 60)} ${minute} ${two(all % 60)} ${second}`;
      return `${Math.floor(all / 3600)} ${hour} ${two(Math.floor((all % 3600) / 60))} ${minute}`;
    },
    cost: (usd) => `$${usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`,
    bytes: (bytes) => {
      const units = ["B", "KB", "MB", "GB", "TB"];
      const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
      return `${rounded.format(bytes / 1000 ** power)} ${units[power]}`;
    },
    number: (value) => plain.format(value),
    compact: (value) => short.format(value),
  };
}
