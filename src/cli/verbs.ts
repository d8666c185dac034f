/** Lists every command by purpose, with one line about it and the file that it is loaded from. */
import { MACHINE_VERBS } from "./machine-verbs.ts";
import type { Verb } from "./verb-groups.ts";

/** By name; a name of two words is a command of a group. A command is loaded when it is called: help loads none. */
export const VERBS: Readonly<Record<string, Verb>> = {
  run: {
    group: "work",
    usage: "INSTRUCTION",
    brief: "Start a task: one attempt per agent; wait for them",
    load: async () => (await import("./commands/work/run.ts")).runCommand,
  },
  continue: {
    group: "work",
    usage: "ATTEMPT [TEXT]",
    brief: "Send a follow-up, or commit your own edits",
    load: async () => (await import("./commands/work/continue.ts")).continueCommand,
  },
  wait: {
    group: "work",
    usage: "ID",
    brief: "Wait until a task, an attempt or a run has ended",
    load: async () => (await import("./commands/work/wait.ts")).waitCommand,
  },
  answer: {
    group: "work",
    usage: "RUN",
    brief: "Answer what an agent asks",
    load: async () => (await import("./commands/work/answer.ts")).answerCommand,
  },
  stop: {
    group: "work",
    usage: "ATTEMPT",
    brief: "Interrupt its run; branch, files and session stay",
    load: async () => (await import("./commands/work/stop.ts")).stopCommand,
  },
  retry: {
    group: "work",
    usage: "ATTEMPT",
    brief: "Do its last run again, or only the push",
    load: async () => (await import("./commands/work/retry.ts")).retryCommand,
  },
  queue: {
    group: "work",
    usage: "ATTEMPT [WHAT]",
    brief: "Show what waits, and change it before it begins",
    load: async () => (await import("./commands/work/queue.ts")).queueCommand,
  },
  cancel: {
    group: "work",
    usage: "ATTEMPT|TASK",
    brief: "End it: snapshot, then its worktree goes to trash",
    load: async () => (await import("./commands/work/cancel.ts")).cancelCommand,
  },
  list: {
    group: "look",
    usage: "",
    brief: "List tasks and attempts of this repository",
    load: async () => (await import("./commands/look/list.ts")).listCommand,
  },
  show: {
    group: "look",
    usage: "ID",
    brief: "Show a task, an attempt or a run",
    load: async () => (await import("./commands/look/show.ts")).showCommand,
  },
  logs: {
    group: "look",
    usage: "ATTEMPT",
    brief: "Read what its last run did, line by line",
    load: async () => (await import("./commands/look/logs.ts")).logsCommand,
  },
  diff: {
    group: "look",
    usage: "ATTEMPT [OTHER]",
    brief: "Show what it changed, or how two attempts differ",
    load: async () => (await import("./commands/look/diff.ts")).diffCommand,
  },
  path: {
    group: "look",
    usage: "ATTEMPT",
    brief: "Print the folder of its worktree",
    load: async () => (await import("./commands/look/path.ts")).pathCommand,
  },
  open: {
    group: "look",
    usage: "[ATTEMPT]",
    brief: "Open the control room in the browser, signed in",
    load: async () => (await import("./commands/look/open.ts")).openCommand,
  },
  activity: {
    group: "look",
    usage: "[ID]",
    brief: "List every act on git and on worktrees",
    load: async () => (await import("./commands/look/activity.ts")).activityCommand,
  },
  compare: {
    group: "decide",
    usage: "TASK",
    brief: "Compare its attempts: checks, changes, time, cost",
    load: async () => (await import("./commands/decide/compare.ts")).compareCommand,
  },
  review: {
    group: "decide",
    usage: "ATTEMPT [TEXT]",
    brief: "Let another agent read the patch and comment on it",
    load: async () => (await import("./commands/decide/review.ts")).reviewCommand,
  },
  choose: {
    group: "decide",
    usage: "ATTEMPT",
    brief: "Record which attempt was chosen, and why",
    load: async () => (await import("./commands/decide/choose.ts")).chooseCommand,
  },
  fork: {
    group: "decide",
    usage: "RUN [TEXT]",
    brief: "Let an agent go on from what a run left, elsewhere",
    load: async () => (await import("./commands/decide/fork.ts")).forkCommand,
  },
  compose: {
    group: "decide",
    usage: "TASK",
    brief: "Make an attempt of files of several attempts",
    load: async () => (await import("./commands/decide/compose.ts")).composeCommand,
  },
  publish: {
    group: "ship",
    usage: "ATTEMPT",
    brief: "Push what it committed, or what you allow",
    load: async () => (await import("./commands/work/publish.ts")).publishCommand,
  },
  merge: {
    group: "ship",
    usage: "ATTEMPT",
    brief: "Merge it into the local branch that it began from",
    load: async () => (await import("./commands/ship/merge.ts")).mergeCommand,
  },
  apply: {
    group: "ship",
    usage: "ATTEMPT",
    brief: "Put its patch into your checkout, uncommitted",
    load: async () => (await import("./commands/ship/apply.ts")).applyCommand,
  },
  pr: {
    group: "ship",
    usage: "ATTEMPT",
    brief: "Open its pull request, or bring it up to date",
    load: async () => (await import("./commands/ship/pr.ts")).prCommand,
  },
  revert: {
    group: "ship",
    usage: "ATTEMPT",
    brief: "Take back what was merged of it, by a new attempt",
    load: async () => (await import("./commands/ship/revert.ts")).revertCommand,
  },
  restore: {
    group: "tidy",
    usage: "RUN",
    brief: "Put the files back to what a run left",
    load: async () => (await import("./commands/keep/restore.ts")).restoreCommand,
  },
  undo: {
    group: "tidy",
    usage: "OPERATION",
    brief: "Take an operation of `activity` back",
    load: async () => (await import("./commands/keep/undo.ts")).undoCommand,
  },
  clean: {
    group: "tidy",
    usage: "[ID]",
    brief: "Put finished attempts away; a dry run without --yes",
    load: async () => (await import("./commands/keep/clean.ts")).cleanCommand,
  },
  "trash list": {
    group: "tidy",
    usage: "",
    brief: "List the worktrees in the trash",
    load: async () => (await import("./commands/keep/trash.ts")).trashListCommand,
  },
  "trash restore": {
    group: "tidy",
    usage: "ID",
    brief: "Bring an attempt back: branch, worktree, every file",
    load: async () => (await import("./commands/keep/trash.ts")).trashRestoreCommand,
  },
  "trash empty": {
    group: "tidy",
    usage: "",
    brief: "Delete for good; a dry run without --yes",
    load: async () => (await import("./commands/keep/trash.ts")).trashEmptyCommand,
  },
  ...MACHINE_VERBS,
};
