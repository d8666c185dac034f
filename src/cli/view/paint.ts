/** Colours text by its meaning, if colours are wanted. */
import type { RunFamily } from "../../contract/words/present-run.ts";

const CODES: Readonly<Record<RunFamily | "add" | "del" | "dim", string>> = {
  queue: "2",
  work: "36",
  needs: "33",
  review: "32",
  fail: "31",
  add: "32",
  del: "31",
  dim: "2",
};

export function paint(
  meaning: keyof typeof CODES,
  text: string,
  options: { readonly colour: boolean },
): string {
  return options.colour && text !== "" ? `\u001b[${CODES[meaning]}m${text}\u001b[0m` : text;
}
