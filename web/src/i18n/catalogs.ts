/** Lists the words of every noun. */
import { fleetWords } from "./fleet-words.ts";
import { keyWords } from "./key-words.ts";
import { newTaskWords } from "./new-task-words.ts";
import { paletteWords } from "./palette-words.ts";
import { scriptWords } from "./script-words.ts";
import { shellWords } from "./shell-words.ts";
import { stateWords } from "./state-words.ts";

export const CATALOGS = {
  shell: shellWords,
  keys: keyWords,
  states: stateWords,
  fleet: fleetWords,
  palette: paletteWords,
  newTask: newTaskWords,
  scripts: scriptWords,
} as const;
