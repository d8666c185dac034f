/** Says which verbs of the command line each act on an attempt stands for. */

/** The verbs of the command line that an act does or leads to; each is found by them. */
export const ATTEMPT_VERBS = {
  show: ["show"],
  logs: ["logs"],
  answer: ["answer"],
  diff: ["diff"],
  compare: ["compare", "choose"],
  compose: ["compose"],
  continue: ["continue", "queue"],
  review: ["review"],
  fork: ["fork"],
  restore: ["restore"],
  ship: [],
  publish: ["publish"],
  pr: ["pr"],
  merge: ["merge"],
  apply: ["apply"],
  revert: ["revert"],
  stop: ["stop"],
  retry: ["retry"],
  "retry push": ["retry"],
  "merge base": ["continue"],
  cancel: ["cancel"],
  path: ["path"],
  branch: [],
  outside: ["open"],
  activity: ["activity"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AttemptActId = keyof typeof ATTEMPT_VERBS;
