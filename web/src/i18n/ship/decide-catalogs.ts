/** Lists the words of the screens on which a person judges attempts; they are loaded with the first of these. */
import { compareWords } from "../compare-words.ts";
import { shipActWords } from "./act-words.ts";
import { gateWords } from "./gate-words.ts";
import { landingWords } from "./landing-words.ts";
import { shipWords } from "./ship-words.ts";

export const DECIDE_CATALOGS = {
  compare: compareWords,
  ship: shipWords,
  shipActs: shipActWords,
  gate: gateWords,
  landing: landingWords,
} as const;
