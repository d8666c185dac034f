/** Explains a worktree whose attempt goes on elsewhere, and how a person gets at what was edited here (ADR 0097). */
import { someOf } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";
import { attemptOwner, type Explanation, short, unexplained } from "./explanation.ts";
import type { AttemptRecord, DiskFact, LeftRecord } from "./ledgers.ts";

export function explainLeft(fact: DiskFact, { id, left }: AttemptRecord): Explanation {
  const owner = attemptOwner(id);
  const was = `Attempt ${short(id)} was here, and goes on in another data folder.`;
  if (left === undefined) return unexplained(fact, was, { owner });
  const what = `${was} ${whatIsHere(left)}`;
  if (left.state === "kept")
    return unexplained(fact, what, {
      owner,
      why: withLacks("Its snapshot is not in the depot yet.", left),
      remedy: `Nothing is to be done: it is tried again. \`tazuna show ${short(id)}\` says when it is offered.`,
    });
  if (left.state !== "offered") return unexplained(fact, what, { owner });
  const from = `${short(id)} --from ${shellWord(left.worker)}`;
  return unexplained(fact, what, {
    owner,
    why: withLacks("They are offered to the attempt, and nobody has decided yet.", left),
    remedy: `\`tazuna diff ${from}\` shows them; \`tazuna restore ${from}\` brings them in, and with \`--discard\` drops the offer.`,
  });
}

function whatIsHere({ state, files }: LeftRecord): string {
  const edited = files === 1 ? "1 file" : `${files} files`;
  switch (state) {
    case "same":
      return "It has all that was edited here.";
    case "kept":
    case "offered":
      return `Edits of ${edited} are here alone.`;
    case "restored":
      return `The edits of ${edited} here were brought in.`;
    case "discarded":
      return `The offer of the edits of ${edited} here was dropped.`;
  }
}

const MAX_NAMED = 5;

function withLacks(why: string, { notContained }: LeftRecord): string {
  return notContained.length === 0 ? why : `${why} No copy holds ${someOf(notContained, MAX_NAMED)}.`;
}
