/** Reads `git blame --line-porcelain`. */
import { z } from "zod";
import { isoOfSeconds } from "../../../utils/time/iso-of-seconds.ts";

export const parsedBlame = z.strictObject({
  kind: z.literal("blame"),
  lines: z.array(
    z.strictObject({
      line: z.int().describe("In the file as it was asked for, from 1."),
      text: z.string(),
      commit: z.string().describe("Zeros if it is not committed."),
      original_line: z.int(),
      path: z.string().describe("Where the commit had the line; quoted as git quotes odd names."),
      author: z.string(),
      email: z.string(),
      date: z.string().describe("UTC, ISO 8601."),
      summary: z.string(),
    }),
  ),
  truncated: z.boolean(),
});

type Parsed = z.output<typeof parsedBlame>;

export const BLAME_LINES_ARGS: readonly string[] = ["--line-porcelain"];

/** A header, `key value` lines, then the line itself after a tab. If the output was cut, the last record is dropped. */
export function parseBlameLines(text: string, { truncated }: { readonly truncated: boolean }): Parsed {
  const lines: Parsed["lines"] = [];
  let header: readonly string[] = [];
  let facts = new Map<string, string>();
  const all = text.split("\n");
  all.pop();
  for (const raw of all) {
    if (raw.startsWith("\t")) {
      lines.push(lineOf(header, facts, raw.slice(1)));
      header = [];
      facts = new Map();
    } else if (header.length === 0) header = raw.split(" ");
    else {
      const space = raw.indexOf(" ");
      facts.set(space < 0 ? raw : raw.slice(0, space), space < 0 ? "" : raw.slice(space + 1));
    }
  }
  return { kind: "blame", lines, truncated };
}

function lineOf(
  [commit = "", original = "", line = ""]: readonly string[],
  facts: ReadonlyMap<string, string>,
  text: string,
): Parsed["lines"][number] {
  return {
    line: Number(line),
    text,
    commit,
    original_line: Number(original),
    path: facts.get("filename") ?? "",
    author: facts.get("author") ?? "",
    email: (facts.get("author-mail") ?? "").replace(/^<|>$/g, ""),
    date: isoOfSeconds(facts.get("author-time")),
    summary: facts.get("summary") ?? "",
  };
}
