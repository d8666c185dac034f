/** Lists the words of all other screens and of the palette; they are loaded with the first of these. */
import { checkWords } from "./check-words.ts";
import { compareWords } from "./compare-words.ts";
import { continueWords } from "./continue-words.ts";
import { effectWords } from "./effect-words.ts";
import { activityWords } from "./engine/activity-words.ts";
import { keyActWords } from "./engine/key-act-words.ts";
import { newTaskWords } from "./engine/new-task-words.ts";
import { scriptWords } from "./engine/script-words.ts";
import { settingsWords } from "./engine/settings-words.ts";
import { storageWords } from "./engine/storage-words.ts";
import { factsWords } from "./facts-words.ts";
import { paletteWords } from "./palette-words.ts";
import { patchWords } from "./patch-words.ts";
import { diffWords } from "./review/diff-words.ts";
import { reviewWords } from "./review/review-words.ts";
import { shipActWords } from "./ship/act-words.ts";
import { gateWords } from "./ship/gate-words.ts";
import { landingWords } from "./ship/landing-words.ts";
import { shipWords } from "./ship/ship-words.ts";
import { timelineWords } from "./timeline-words.ts";

export const SCREEN_CATALOGS = {
  checks: checkWords,
  palette: paletteWords,
  newTask: newTaskWords,
  scripts: scriptWords,
  timeline: timelineWords,
  effects: effectWords,
  facts: factsWords,
  patch: patchWords,
  continue: continueWords,
  compare: compareWords,
  ship: shipWords,
  shipActs: shipActWords,
  gate: gateWords,
  landing: landingWords,
  diff: diffWords,
  storage: storageWords,
  activity: activityWords,
  settings: settingsWords,
  keyActs: keyActWords,
  review: reviewWords,
} as const;
