/** Declares what every executor offers: how one kind of agent is found, started, resumed and read. */
import type { AgentEvent, AgentResult, UsageTotals } from "../domain/agent/events.ts";

/** What the configuration says about one agent (`agents.NAME`), resolved. */
export interface AgentProfile {
  /** The id that people use, such as `claude-code` or `fast`. */
  readonly id: string;
  /** The executor's id. */
  readonly executor: string;
  readonly model: string | null;
  /** For `command` and `acp`: the program and its arguments; for the others an override of the binary. */
  readonly command: readonly string[] | null;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Another HOME for this agent (a second account); null is the user's own. */
  readonly home: string | null;
}

/** An MCP server to attach, started over stdio by the agent itself. */
export interface McpServerSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the agent's own variables that the server is to have too; most agents hand all of theirs on. */
  readonly inherit: readonly string[];
}

export interface LaunchRequest {
  readonly profile: AgentProfile;
  readonly ids: { readonly task: string; readonly attempt: string; readonly run: string };
  /** Absolute; the agent's working directory. */
  readonly worktree: string;
  /** Absolute; a folder of this run in which the plan's files are written, readable by the agent. */
  readonly agentDir: string;
  /** Absolute; where the agent may write its own summary. */
  readonly summaryFile: string;
  /** The whole prompt: constraints, issue, instruction. */
  readonly prompt: string;
  /** Only what the person asked for in this run. */
  readonly instruction: string;
  /** The session to resume, or null to begin one; `fresh` is a new UUID for agents that let us choose the id. */
  readonly session: { readonly resume: string | null; readonly fresh: string };
  /** What holds the agent back: a sandbox, or only the guard and the proof afterwards. */
  readonly isolation: "sandbox" | "guard";
  readonly mcp: readonly McpServerSpec[];
  /** A program to ask before each command of the shell, in the words of Claude Code's hooks; null for none. */
  readonly hook: readonly string[] | null;
}

export interface LaunchPlan {
  /** Program first; an absolute path or a name to be found on PATH. */
  readonly argv: readonly string[];
  /** Added to the agent's environment. Never a secret that the user did not configure. */
  readonly env: Readonly<Record<string, string>>;
  /** What the agent reads on stdin: the prompt, lines that are appended while it works, or nothing. */
  readonly stdin: "prompt" | "lines" | "empty";
  /** Files to write (mode 0600, their folders made) before the start, all inside `agentDir`. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** The session id, where it is known before the agent starts. */
  readonly sessionId: string | null;
}

/** How the agent's process ended. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last 8 KiB of stderr. */
  readonly stderr: string;
  /** The content of the summary file, or null where the agent wrote none. */
  readonly summaryFile: string | null;
  /** UTC ISO; "try again in 5 minutes" counts from here. */
  readonly endedAt: string;
}

/** Reads one run's stream. Holds state, is fed line by line, never throws on unknown or broken lines. */
export interface AgentParser {
  feed(line: string): readonly AgentEvent[];
  /**
   * All lines that belong on the agent's stdin by now, in order, without line ends (protocol agents only).
   * A pure function of what was fed: feed the recorded stream again and skip as many as were already written.
   */
  replies?(): readonly string[];
  /**
   * True once the protocol says that the turn is over although the process lives on (protocol agents only).
   * The process may then be ended by any means: `finish` does not hold it against the agent.
   */
  turnEnded?(): boolean;
  finish(exit: AgentExit): AgentResult;
}

export interface AgentReadiness {
  /** The version that the program printed, or null where it could not be asked. */
  readonly version: string | null;
  readonly ready: boolean;
  /** Why it is not ready and what to do, or what is uncertain; null where all is well. */
  readonly reason: string | null;
  /** Absolute path of the program; null for built-in agents or where none was found. */
  readonly binary: string | null;
}

/** What an executor may ask the outside for; handed in by the caller, so that executors run nothing by themselves. */
export interface Probe {
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a program found on PATH (or the path itself when it is one), or null. */
  which(program: string): Promise<string | null>;
  /** Runs a short command; null where it could not be started or took longer than a minute. */
  run(
    argv: readonly string[],
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string } | null>;
  /** Whether a file exists and can be read. */
  exists(path: string): Promise<boolean>;
}

/** Absolute paths that a program must be able to write to, beside its working directory. */
export interface AgentPlaces {
  /** Made where they are missing. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** What is obeyed or run by the same program when a person starts it: held as it is, and looked at afterwards. */
  readonly obeyed: readonly ObeyedPlace[];
  /** Folders whose content is run, and of no use to anybody later: each run has an empty one of its own. */
  readonly own: readonly string[];
}

/** Settings with hooks, plugins, instructions and the like, below one of an agent's folders. */
export interface ObeyedPlace {
  /** Absolute. */
  readonly path: string;
  /** Absolute: the agent's folder that it belongs to. */
  readonly folder: string;
  /**
   * What is put there where nothing is, so that it can be held: a text that says nothing to the program, or an empty folder.
   * Null where the program has to make it by itself: what appears there is told.
   */
  readonly blank: { readonly text: string } | "folder" | null;
}

export interface Executor {
  readonly id: string;
  /** A name for people, such as `Claude Code`. */
  readonly label: string;
  /** Name and address for the `Co-authored-by` trailer. */
  readonly author: string;
  /** Whether its id works as an agent id without any configuration. */
  readonly builtIn: boolean;
  detect(profile: AgentProfile, probe: Probe): Promise<AgentReadiness>;
  plan(request: LaunchRequest): LaunchPlan;
  /** `previous` are the totals of the attempt's last run; they count only where `request` resumes that session. */
  parser(options: {
    readonly request: LaunchRequest | null;
    readonly previous: UsageTotals | null;
  }): AgentParser;
  /** Where the program keeps its configuration, logins and sessions, by the environment that it is started with. */
  places(env: Readonly<Record<string, string>>): AgentPlaces;
  /** Which login a run uses: runs with the same key share rate limits. */
  login(profile: AgentProfile): string;
}
