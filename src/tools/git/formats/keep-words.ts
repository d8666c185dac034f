/** Leaves options out of the arguments of a git call, and everything else as it stands. */
import type { OptionTable } from "../../../domain/git-policy/parse/option-spec.ts";
import { type GivenOption, readOption } from "../../../domain/git-policy/parse/parse-call.ts";

/** Options by the first name of their group. What cannot be read stays. */
export function keepWords(
  args: readonly string[],
  { table, without }: { readonly table: OptionTable; readonly without: ReadonlySet<string> },
): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--" || word === "--end-of-options") return [...kept, ...args.slice(at)];
    const taken = word.startsWith("-") && word !== "-" ? readOption("", word, args[at + 1], table) : null;
    if (taken === null || taken.isErr()) {
      kept.push(word);
      continue;
    }
    const { options, next } = taken.value;
    if (options.some(({ spec }) => without.has(spec.id)))
      kept.push(...options.filter(({ spec }) => !without.has(spec.id)).flatMap(wordsOf));
    else kept.push(...args.slice(at, at + 1 + next));
    at += next;
  }
  return kept;
}

function wordsOf({ given, spec, value }: GivenOption): readonly string[] {
  if (value === null) return [given];
  if (given.startsWith("--")) return [`${given}=${value}`];
  return spec.takes === "value" ? [given, value] : [`${given}${value}`];
}
