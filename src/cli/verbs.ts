/** Lists every command with one line about it and where it is loaded from, so that help needs none of them. */
import type { Command } from "@stricli/core";
import type { CliContext } from "./command.ts";

export interface Verb {
  /** What follows the name, as the help shows it. */
  readonly usage: string;
  readonly brief: string;
  load(): Promise<Command<CliContext>>;
}

/** By name; a name of two words is a command of a group. */
export const VERBS: Readonly<Record<string, Verb>> = {
  run: {
    usage: "INSTRUCTION --agent ID...",
    brief: "Start a task: one attempt per agent, each in its own worktree; wait for them",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  continue: {
    usage: "ATTEMPT [INSTRUCTION]",
    brief: "Send the agent a follow-up; without an instruction commit your own edits",
    load: async () => (await import("./commands/continue.ts")).continueCommand,
  },
  wait: {
    usage: "ID",
    brief: "Wait until a task, an attempt or a run has come to an end",
    load: async () => (await import("./commands/wait.ts")).waitCommand,
  },
  stop: {
    usage: "RUN",
    brief: "Interrupt a run; branch, worktree and session stay",
    load: async () => (await import("./commands/stop.ts")).stopCommand,
  },
  cancel: {
    usage: "ATTEMPT|RUN|TASK",
    brief: "End an attempt: snapshot, then its worktree goes into the trash and its branch away",
    load: async () => (await import("./commands/cancel.ts")).cancelCommand,
  },
  retry: {
    usage: "RUN [--from push]",
    brief: "Do an ended run again, or only its push",
    load: async () => (await import("./commands/retry.ts")).retryCommand,
  },
  publish: {
    usage: "ATTEMPT [--allow RULE --reason T]",
    brief: "Push what an attempt committed, or publish what was held back and you allow",
    load: async () => (await import("./commands/publish.ts")).publishCommand,
  },
  list: {
    usage: "[--all]",
    brief: "List tasks and their attempts",
    load: async () => (await import("./commands/list.ts")).listCommand,
  },
  show: {
    usage: "ID",
    brief: "Show a task, an attempt or a run",
    load: async () => (await import("./commands/show.ts")).showCommand,
  },
  logs: {
    usage: "RUN [--follow]",
    brief: "Read what happened in a run, line by line",
    load: async () => (await import("./commands/logs.ts")).logsCommand,
  },
  diff: {
    usage: "ATTEMPT [OTHER] [--stat]",
    brief: "Show what an attempt changed, or how two attempts differ",
    load: async () => (await import("./commands/diff.ts")).diffCommand,
  },
  path: {
    usage: "ATTEMPT",
    brief: "Print the folder of an attempt's worktree",
    load: async () => (await import("./commands/path.ts")).pathCommand,
  },
  activity: {
    usage: "[ID]",
    brief: "List every act on git and on worktrees",
    load: async () => (await import("./commands/activity.ts")).activityCommand,
  },
  restore: {
    usage: "RUN",
    brief: "Put an attempt's files back to what a run left, after a snapshot",
    load: async () => (await import("./commands/restore.ts")).restoreCommand,
  },
  undo: {
    usage: "OPERATION",
    brief: "Take an operation back, as far as what it did still stands",
    load: async () => (await import("./commands/undo.ts")).undoCommand,
  },
  clean: {
    usage: "[ID] [--yes]",
    brief: "Say which finished attempts can be put away and why others stay; with --yes do it",
    load: async () => (await import("./commands/clean.ts")).cleanCommand,
  },
  "trash list": {
    usage: "",
    brief: "List the worktrees in the trash",
    load: async () => (await import("./commands/trash.ts")).trashListCommand,
  },
  "trash restore": {
    usage: "ID",
    brief: "Bring an attempt back: branch, worktree and every file",
    load: async () => (await import("./commands/trash.ts")).trashRestoreCommand,
  },
  "trash empty": {
    usage: "[--yes]",
    brief: "Say what could be deleted for good; with --yes delete it",
    load: async () => (await import("./commands/trash.ts")).trashEmptyCommand,
  },
  open: {
    usage: "[ATTEMPT]",
    brief: "Open the status page in the browser, signed in",
    load: async () => (await import("./commands/open.ts")).openCommand,
  },
  agents: {
    usage: "",
    brief: "Show which agents are installed, their versions, and whether they are ready",
    load: async () => (await import("./commands/agents.ts")).agentsCommand,
  },
  doctor: {
    usage: "",
    brief: "Say what is wrong with machine, repository, agents and data folder, and how to mend it",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
  "repo list": {
    usage: "",
    brief: "List the repositories that Tazuna knows",
    load: async () => (await import("./commands/repo.ts")).repoListCommand,
  },
  "repo add": {
    usage: "[DIR]",
    brief: "Make a repository known",
    load: async () => (await import("./commands/repo.ts")).repoAddCommand,
  },
  "repo move": {
    usage: "REPOSITORY DIR",
    brief: "Say where a repository lies now",
    load: async () => (await import("./commands/repo.ts")).repoMoveCommand,
  },
  trust: {
    usage: "[--yes]",
    brief: "Read the scripts that a repository would run, and trust them",
    load: async () => (await import("./commands/trust.ts")).trustCommand,
  },
  config: {
    usage: "[--schema]",
    brief: "Show the settings that hold here, and where each comes from",
    load: async () => (await import("./commands/config.ts")).configCommand,
  },
  serve: {
    usage: "[--port N]",
    brief: "Run the server in this terminal (what `tazuna` alone does)",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  mcp: {
    usage: "[--workspace DIR]",
    brief: "Serve the toolkit to an agent over MCP (standard input and output, or --http PORT)",
    load: async () => (await import("./commands/mcp.ts")).mcpCommand,
  },
  tool: {
    usage: "[NAME] [JSON]",
    brief: "Call one tool of the toolkit; alone it lists them",
    load: async () => (await import("./commands/tool.ts")).toolCommand,
  },
  demo: {
    usage: "",
    brief: "See the whole loop: a scratch repository, two demo agents, no key and no network",
    load: async () => (await import("./commands/demo.ts")).demoCommand,
  },
};
