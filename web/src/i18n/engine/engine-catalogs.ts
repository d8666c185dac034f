/** Lists the words of the screens around the work and of the palette; they are loaded with the first of these. */

import { actorWords } from "../actor-words.ts";
import { paletteWords } from "../palette-words.ts";
import { activityWords } from "./activity-words.ts";
import { browserWords } from "./browser-words.ts";
import { keyActWords } from "./key-act-words.ts";
import { newTaskWords } from "./new-task-words.ts";
import { peopleWords } from "./people-words.ts";
import { scriptWords } from "./script-words.ts";
import { settingsWords } from "./settings-words.ts";
import { storageWords } from "./storage-words.ts";
import { tableWords } from "./table-words.ts";
import { teamActWords } from "./team-act-words.ts";
import { workerWords } from "./worker-words.ts";

export const ENGINE_CATALOGS = {
  palette: paletteWords,
  newTask: newTaskWords,
  scripts: scriptWords,
  storage: storageWords,
  activity: activityWords,
  settings: settingsWords,
  table: tableWords,
  workers: workerWords,
  browsers: browserWords,
  people: peopleWords,
  teamActs: teamActWords,
  keyActs: keyActWords,
  actors: actorWords,
} as const;
