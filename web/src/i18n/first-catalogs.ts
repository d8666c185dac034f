/** Lists the words that the first screen needs. */
import { fleetWords } from "./fleet-words.ts";
import { keyWords } from "./key-words.ts";
import { shellWords } from "./shell-words.ts";
import { stateWords } from "./state-words.ts";

export const FIRST_CATALOGS = {
  shell: shellWords,
  keys: keyWords,
  states: stateWords,
  fleet: fleetWords,
} as const;
