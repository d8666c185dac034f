/** Turns a query into a finder with bounded time per line, and into the same query for ripgrep. */
import { err, ok, type Result } from "neverthrow";
import { compileRegex } from "./compile_regex.ts";
import { lineTester } from "./line_tester.ts";
import { type Assertion, parseRegex, type RegexFlaw, type RegexNode } from "./parse_regex.ts";
import { type SpanFinder, spanFinder } from "./run_regex.ts";

export interface Query {
  readonly text: string;
  readonly isRegex: boolean;
  readonly case: "smart" | "sensitive" | "insensitive";
}

export interface LineMatcher {
  readonly find: SpanFinder;
  /** The same query, for ripgrep. */
  readonly rust: { readonly pattern: string; readonly isLiteral: boolean };
  readonly foldsCase: boolean;
}

export function createLineMatcher(query: Query): Result<LineMatcher, RegexFlaw> {
  const foldsCase = query.case === "insensitive" || (query.case === "smart" && !hasCapital(query));
  if (!query.isRegex) {
    const rust = { pattern: query.text, isLiteral: true };
    return ok({ find: foldsCase ? foldedFinder(query.text) : exactFinder(query.text), rust, foldsCase });
  }
  const parsed = parseRegex(query.text);
  if (parsed.isErr()) return err(parsed.error);
  const program = compileRegex(parsed.value, { foldsCase });
  if (program === null) return err({ at: 0, why: "it is too large when its repeats are written out" });
  const rust = { pattern: writeRustRegex(parsed.value), isLiteral: false };
  const [matches, find] = [lineTester(program), spanFinder(program)];
  return ok({ find: (line, from) => (from > 0 || matches(line) ? find(line, from) : null), rust, foldsCase });
}

/** In a regular expression, the letters of escapes and of group names are not searched for. */
const NO_LETTERS = /\\[pP](?:\{[^}]*\}|.)|\\.|\(\?P?<\w*>/g;

function hasCapital({ text, isRegex }: Query): boolean {
  return /\p{Lu}/u.test(isRegex ? text.replaceAll(NO_LETTERS, "") : text);
}

function exactFinder(text: string): SpanFinder {
  return (line, from) => {
    const start = line.indexOf(text, from);
    return start === -1 ? null : { start, end: start + text.length };
  };
}

/** The pattern holds only plain characters, so JavaScript's own engine never backtracks. */
function foldedFinder(text: string): SpanFinder {
  const source = [...text].map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join("");
  const pattern = new RegExp(source, "giu");
  return (line, from) => {
    pattern.lastIndex = from;
    const found = pattern.exec(line);
    return found === null ? null : { start: found.index, end: found.index + found[0].length };
  };
}

/** Each may match more often than the check here, but never less: this program checks the named files again. */
const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  // Lines are checked here without their carriage return. ripgrep's own --crlf would match no other one.
  "line-end": "(?:\\r?$)",
  // After that carriage return, the other assertions hold as they do before it.
  "line-start": "(?:^|$)",
  "word-edge": "(?:\\b|$)",
  "no-word-edge": "(?:\\B|$)",
};

function writeRustRegex(node: RegexNode): string {
  if (node.kind === "set") return node.set.rust;
  if (node.kind === "assert") return ASSERTIONS[node.what];
  if (node.kind !== "repeat") {
    const parts = node.parts.map(writeRustRegex);
    return node.kind === "sequence" ? parts.join("") : `(?:${parts.join("|")})`;
  }
  const max = node.max === Number.POSITIVE_INFINITY ? "" : node.max;
  return `(?:${writeRustRegex(node.part)}){${node.min},${max}}${node.lazy ? "?" : ""}`;
}
