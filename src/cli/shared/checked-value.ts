/** Declares flags and arguments that take few values: one of some words, a number of items, a port. */
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
