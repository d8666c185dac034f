/** Lists the commands that set a machine up, and those that serve. */
import type { Verb } from "./verb-groups.ts";

/** See `VERBS`. */
export const MACHINE_VERBS: Readonly<Record<string, Verb>> = {
  agents: {
    group: "setup",
    usage: "",
    brief: "Show which agents are here and which are ready",
    load: async () => (await import("./commands/look/agents.ts")).agentsCommand,
  },
  doctor: {
    group: "setup",
    usage: "",
    brief: "Say what is wrong here, and how to mend it",
    load: async () => (await import("./commands/setup/doctor.ts")).doctorCommand,
  },
  trust: {
    group: "setup",
    usage: "",
    brief: "Read and trust the scripts of a repository",
    load: async () => (await import("./commands/setup/trust.ts")).trustCommand,
  },
  rules: {
    group: "setup",
    usage: "[remove RULE]",
    brief: "List what agents may do without asking you again",
    load: async () => (await import("./commands/setup/rules.ts")).rulesCommand,
  },
  config: {
    group: "setup",
    usage: "[set|unset KEY]",
    brief: "Show the settings that hold, and their sources",
    load: async () => (await import("./commands/setup/config.ts")).configCommand,
  },
  "repo list": {
    group: "setup",
    usage: "",
    brief: "List the repositories that Tazuna knows",
    load: async () => (await import("./commands/setup/repo.ts")).repoListCommand,
  },
  "repo add": {
    group: "setup",
    usage: "[DIR]",
    brief: "Make a repository known",
    load: async () => (await import("./commands/setup/repo.ts")).repoAddCommand,
  },
  "repo move": {
    group: "setup",
    usage: "REPOSITORY DIR",
    brief: "Say where a repository lies now",
    load: async () => (await import("./commands/setup/repo.ts")).repoMoveCommand,
  },
  "repo remove": {
    group: "setup",
    usage: "REPOSITORY",
    brief: "Take a repository out of the list",
    load: async () => (await import("./commands/setup/repo.ts")).repoRemoveCommand,
  },
  token: {
    group: "setup",
    usage: "[add|remove NAME]",
    brief: "List, make and remove the tokens of programs",
    load: async () => (await import("./commands/setup/token.ts")).tokenCommand,
  },
  browsers: {
    group: "setup",
    usage: "[sign-out ID]",
    brief: "List the browsers that are signed in, sign them out",
    load: async () => (await import("./commands/setup/browsers.ts")).browsersCommand,
  },
  people: {
    group: "setup",
    usage: "[WHAT EMAIL]",
    brief: "List who signed in here, give a role, remove one",
    load: async () => (await import("./commands/setup/people.ts")).peopleCommand,
  },
  workers: {
    group: "setup",
    usage: "[WHAT NAME]",
    brief: "Show who works here; invite one, drain one",
    load: async () => (await import("./commands/setup/workers.ts")).workersCommand,
  },
  completions: {
    group: "setup",
    usage: "SHELL",
    brief: "Print completions for bash, zsh or fish",
    load: async () => (await import("./commands/setup/completions.ts")).completionsCommand,
  },
  demo: {
    group: "setup",
    usage: "",
    brief: "See the whole loop: no key, no network, no agent",
    load: async () => (await import("./commands/work/demo.ts")).demoCommand,
  },
  serve: {
    group: "run",
    usage: "",
    brief: "Run the server here, as `tazuna` alone does",
    load: async () => (await import("./commands/setup/serve.ts")).serveCommand,
  },
  worker: {
    group: "run",
    usage: "[--join URL]",
    brief: "Work for a server that invited this machine",
    load: async () => (await import("./commands/setup/worker.ts")).workerCommand,
  },
  engine: {
    group: "run",
    usage: "[stop|restart]",
    brief: "Show the engine, stop it or start it anew",
    load: async () => (await import("./commands/setup/engine.ts")).engineCommand,
  },
  mcp: {
    group: "run",
    usage: "",
    brief: "Serve the toolkit to an agent over MCP",
    load: async () => (await import("./commands/setup/mcp.ts")).mcpCommand,
  },
  tool: {
    group: "run",
    usage: "[NAME] [JSON]",
    brief: "Call one tool of the toolkit; alone it lists them",
    load: async () => (await import("./commands/setup/tool.ts")).toolCommand,
  },
};
