/** Lists the words of an attempt and of its diff; they are loaded with the first screen that shows one. */
import { actorWords } from "./actor-words.ts";
import { terminalWords } from "./attempt/terminal-words.ts";
import { checkWords } from "./check-words.ts";
import { continueWords } from "./continue-words.ts";
import { effectWords } from "./effect-words.ts";
import { factsWords } from "./facts-words.ts";
import { patchWords } from "./patch-words.ts";
import { diffWords } from "./review/diff-words.ts";
import { reviewWords } from "./review/review-words.ts";
import { timelineWords } from "./timeline-words.ts";

export const WORK_CATALOGS = {
  checks: checkWords,
  timeline: timelineWords,
  terminal: terminalWords,
  effects: effectWords,
  facts: factsWords,
  patch: patchWords,
  continue: continueWords,
  diff: diffWords,
  review: reviewWords,
  actors: actorWords,
} as const;
