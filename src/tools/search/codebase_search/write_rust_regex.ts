/** Writes an expression in the words of ripgrep, so that both engines read the same one. */
import type { Assertion, RegexNode } from "./parse_regex.ts";

/** Each may say yes more often than here, never less: the lines of a file that is named are looked at here. */
const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  // Here lines have lost their carriage return. Its own --crlf would not let any other one match.
  "line-end": "(?:\\r?$)",
  // Behind that carriage return the others hold as before it.
  "line-start": "(?:^|$)",
  "word-edge": "(?:\\b|$)",
  "no-word-edge": "(?:\\B|$)",
};

export function writeRustRegex(node: RegexNode): string {
  if (node.kind === "set") return node.set.rust;
  if (node.kind === "assert") return ASSERTIONS[node.what];
  if (node.kind !== "repeat") {
    const parts = node.parts.map(writeRustRegex);
    return node.kind === "sequence" ? parts.join("") : `(?:${parts.join("|")})`;
  }
  const most = node.most === Number.POSITIVE_INFINITY ? "" : node.most;
  return `(?:${writeRustRegex(node.part)}){${node.least},${most}}${node.lazy ? "?" : ""}`;
}
