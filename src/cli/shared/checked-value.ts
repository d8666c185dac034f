/** Declares flags and arguments that take few values: one of some words, a number of items, a port, a length of time. */
import { MAX_WITHIN_S } from "../../contract/limits.ts";
import { nearestWord } from "../../contract/text.ts";

/** An argument that is one of a few words; completions offer them. */
export function wordArgument<const Word extends string>(
  placeholder: string,
  brief: string,
  words: readonly Word[],
) {
  const parse = (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const near = nearestWord(text, words);
    const all = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    throw new Error(`it is ${all}${near === null ? "" : `; did you mean "${near}"?`}`);
  };
  return { placeholder, brief, parse, words } as const;
}

/** How many items a page of a list has. */
export function limitFlag(brief: string, byDefault: number) {
  return {
    kind: "parsed",
    parse: parseLimit,
    default: String(byDefault),
    brief,
    placeholder: "N",
  } as const;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 200) throw new Error("a number from 1 to 200 is needed");
  return limit;
}

/** The number of a port. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error("a number from 0 to 65535 is needed");
  return Number(text);
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 24 * 3_600 };

/** Such as `90s`, `30m`, `2h` or `1d`, in seconds. */
export function parseWithin(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds < 1 || seconds > MAX_WITHIN_S)
    throw new Error("a time such as 90s, 30m, 2h or 1d is needed, at most 7d");
  return seconds;
}
