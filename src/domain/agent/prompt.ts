/** Writes the prompt of an agent: its constraints, the issue, and the present job. */

import type { Task } from "../task/task.ts";
import { type AnsweredQuestion, answersSection } from "./answers-section.ts";
import { constraintsText } from "./constraints.ts";
import { type ForkedWork, forkSection } from "./fork-section.ts";
import { type MergeToResolve, mergeSection } from "./merge-section.ts";

export interface PromptInput extends Pick<Task, "issue" | "context" | "constraints"> {
  /** What the person asked for in this run; may be the issue itself. */
  readonly instruction: string;
  readonly turn: PromptTurn;
  /** What another attempt left in the files; null if the files are those of the base. */
  readonly forked: ForkedWork | null;
  /** What it asked, and what a person answered after its process had been stopped. */
  readonly answered: readonly AnsweredQuestion[];
  /** The merge in progress whose conflicts are to be resolved; null if there is none. */
  readonly merge: MergeToResolve | null;
}

export type PromptTurn =
  /** The first run of an attempt. */
  | { readonly kind: "first" }
  /** A later run in the agent's own session, which has all the rest. */
  | { readonly kind: "follow_up" }
  /** The same run again in the agent's own session, after a limit or a fault of the model's provider. */
  | { readonly kind: "broken_off" }
  /**
   * A later run whose session is lost: the fresh session gets the earlier turns. `moved`: the last of them is this run's
   * own beginning on another machine.
   */
  | { readonly kind: "primed"; readonly turns: readonly PastTurn[]; readonly moved: boolean };

/** One earlier run of the attempt, in words. */
export interface PastTurn {
  readonly instruction: string;
  /** Titles of the tool calls, oldest first. */
  readonly actions: readonly string[];
  readonly summary: string;
}

const CLOSING =
  "When you are done, say in one or two sentences what you changed, in the language of the instruction.";

/** The whole prompt; the person's own words are not changed. */
export function buildPrompt(input: PromptInput): string {
  const merge = [
    ...section("Answers", answersSection(input.answered)),
    ...section("Merge in progress", input.merge && mergeSection(input.merge)),
  ];
  if (input.turn.kind === "follow_up") return followUp(input.instruction, merge);
  if (input.turn.kind === "broken_off") return `${BROKEN_OFF}\n\n${followUp(input.instruction, merge)}`;
  const past = input.turn.kind === "primed" ? section("What happened so far", digest(input.turn)) : [];
  return [
    ...section("Rules", constraintsText()),
    ...section("Issue", input.issue),
    ...section("Context", input.context),
    ...section("Constraints", input.constraints),
    ...section("Where you begin", input.forked && forkSection(input.forked)),
    ...past,
    ...merge,
    ...section("Task", input.instruction === input.issue ? "Solve the issue above." : input.instruction),
    CLOSING,
    "",
  ].join("\n");
}

const BROKEN_OFF =
  "You were broken off in the middle of this, by no fault of yours. Go on where you stopped; you were asked:";

function followUp(instruction: string, merge: readonly string[]): string {
  const reminder =
    "(The rules of the first message still hold: edit files only; never commit, push or move branches.)";
  return `${[instruction, "", ...merge].join("\n")}\n${reminder}\n${CLOSING}\n`;
}

/** A heading and its text; empty if there is no text. */
function section(title: string, text: string | null): readonly string[] {
  return text === null || text.trim() === "" ? [] : [`# ${title}`, "", text, ""];
}

const DIGEST_CHARS = 24_000;
const MAX_ACTIONS = 40;

/** The earlier runs; the newest stay whole as long as they fit. The text says what was left out. */
function digest({ turns, moved }: Extract<PromptTurn, { kind: "primed" }>): string {
  const intro = moved
    ? MOVED
    : "Your earlier conversation on this working tree is lost. Its edits are in the files. This is what was said and done:";
  const kept: string[] = [];
  let room = DIGEST_CHARS;
  for (const turn of [...turns].reverse()) {
    const text = turnText(turn);
    if (text.length > room) break;
    kept.unshift(text);
    room -= text.length;
  }
  const dropped = turns.length - kept.length;
  const note = dropped > 0 ? [`(${dropped} earlier ${dropped === 1 ? "turn" : "turns"} left out.)`] : [];
  return [intro, ...note, ...kept].join("\n\n");
}

const MOVED =
  "The machine on which you worked on this was lost in the middle of the task, by no fault of yours. Most of your edits are in the files; the last ones may be missing, and so are ignored files. Look at the files first, then go on. This is what was said and done:";

function turnText(turn: PastTurn): string {
  const actions = turn.actions.slice(-MAX_ACTIONS);
  const dropped = turn.actions.length - actions.length;
  return [
    `Person: ${clip(turn.instruction)}`,
    ...(dropped > 0 ? [`(${dropped} earlier actions left out.)`] : []),
    ...actions.map((action) => `- ${clip(action, 200)}`),
    `You: ${clip(turn.summary) || "(nothing was said at the end)"}`,
  ].join("\n");
}

/** At most `max` UTF-16 units, never half a surrogate pair. */
function clip(text: string, max = 4_000): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  const cut = trimmed.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut}…`;
}
