/** Writes what reviewers and checks said as the instruction of a follow-up. */
import type { OpenPoints } from "./open-points.ts";

interface Points extends Pick<OpenPoints, "threads"> {
  readonly checks: readonly {
    readonly name: string;
    readonly summary: string | null;
    readonly url: string | null;
    /** The end of its log; null if the forge keeps none. */
    readonly log: string | null;
  }[];
}

/** Of one comment, and of the end of one log. */
const MAX_COMMENT = 8_000;
const MAX_LOG = 12_000;

/**
 * The person's own words come first, if there are any; others' words are quoted, since they are no orders of the
 * person.
 */
export function pointWords({ threads, checks }: Points, words: string | null): string {
  const parts = [
    ownPointWords(words),
    ...(threads.length === 0 ? [] : ["Review comments on the pull request:", ...threads.map(threadWords)]),
    ...(checks.length === 0 ? [] : ["Failed checks of the pull request:", ...checks.map(checkWords)]),
  ];
  return parts.join("\n\n");
}

/** The words that come before what others said. */
export function ownPointWords(words: string | null): string {
  const own = words?.trim() ?? "";
  return own === "" ? DEFAULT_WORDS : own;
}

const DEFAULT_WORDS = "Address the review comments and failed checks below.";

function threadWords({ path, line, side, comments }: Points["threads"][number]): string {
  const at = line === null ? path : `${path}:${line}${side === "old" ? " (the line before the change)" : ""}`;
  const said = comments.map(({ author, body, ours }) => {
    const who = ours ? "Tazuna" : (author ?? "somebody");
    return `${who} wrote:\n${quoted(tail(body.trim(), MAX_COMMENT))}`;
  });
  return [`${at === null ? "On the whole" : at}`, ...said].join("\n");
}

function checkWords({ name, summary, url, log }: Points["checks"][number]): string {
  const lines = [
    `${name}${url === null ? "" : ` (${url})`}`,
    ...(summary === null || summary.trim() === "" ? [] : [quoted(tail(summary.trim(), MAX_COMMENT))]),
    ...(log === null || log.trim() === "" ? [] : ["The end of its log:", quoted(tail(log.trim(), MAX_LOG))]),
  ];
  return lines.join("\n");
}

function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** The end of a text that is too long, never half a character. */
function tail(text: string, max: number): string {
  if (text.length <= max) return text;
  return `…${text.slice(text.length - max).replace(/^[\uDC00-\uDFFF]/, "")}`;
}
