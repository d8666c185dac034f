/** Says which verbs of the command line each place, and each act on the whole, stands for. */

/** The verbs of the command line that lead to a place; each place is found by them. */
export const PLACE_VERBS = {
  fleet: ["list"],
  table: ["list"],
  needs: ["answer"],
  review: ["review"],
  activity: ["activity", "undo"],
  storage: ["clean"],
  trash: ["trash list", "trash restore", "trash empty"],
  settings: [],
  keys: [],
  devices: ["open"],
  browsers: ["browsers", "people"],
  agents: ["agents"],
  workers: ["workers"],
  repositories: ["repo list", "repo add", "repo move", "repo remove", "trust"],
  configuration: ["config", "rules", "token"],
  doctor: ["doctor"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The verbs of the command line that are done with all of it. */
export const WHOLE_VERBS = {
  run: ["run"],
  demo: ["demo"],
  "add repository": ["repo add"],
  english: [],
  japanese: [],
  "theme system": [],
  "theme light": [],
  "theme dark": [],
  "engine stop": ["engine"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
