/**
 * Declares what every executor offers: how to find, start, resume and read one kind of agent (seed 003 Services,
 * Related files).
 */

import type { UsageTotals } from "../../domain/agent/counters.ts";
import type { AgentEvent, AgentResult } from "../../domain/agent/events.ts";
import type { Approvals } from "../../domain/question/approvals.ts";
import type { Answer } from "../../domain/question/question.ts";

export interface Executor {
  readonly id: string;
  /** A name for people, such as `Claude Code`. */
  readonly label: string;
  /** Name and address for the `Co-authored-by` trailer. */
  readonly author: string;
  /** Whether its id works as an agent id without configuration. */
  readonly builtIn: boolean;
  detect(profile: AgentProfile, probe: Probe): Promise<AgentReadiness>;
  plan(request: LaunchRequest): LaunchPlan;
  parser(options: ParserOptions): AgentParser;
  /** The places of the program's configuration, logins and sessions, from the environment of the program. */
  places(env: Readonly<Record<string, string>>): AgentPlaces;
  /** Absent if the stream names the model or the cost. */
  readonly sessions?: SessionFiles;
  /** The login that a run uses on one machine: runs with the same key share rate limits. */
  login(profile: AgentProfile): string;
}

/** What the configuration says about one agent (`agents.NAME`), resolved. */
export interface AgentProfile {
  /** The id that people use, such as `claude-code` or `fast`. */
  readonly id: string;
  /** The executor's id. */
  readonly executor: string;
  readonly model: string | null;
  /** For `command` and `acp`: the program and its arguments. For the others: an override of the binary. */
  readonly command: readonly string[] | null;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Another HOME for this agent (a second account); null is the user's own. */
  readonly home: string | null;
  /** A name for its account; null: that of its executor, on its worker. */
  readonly login: string | null;
  /** Whether a person is asked what rules do not decide; null depends on what confines the agent. */
  readonly approvals: Approvals | null;
}

/** An MCP server that the agent itself starts over stdio. */
export interface McpServerSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the agent's own variables that the server also gets. Most agents pass on all of theirs. */
  readonly inherit: readonly string[];
}

export interface LaunchRequest {
  readonly profile: AgentProfile;
  readonly ids: { readonly task: string; readonly attempt: string; readonly run: string };
  /** Absolute; the agent's working directory. */
  readonly worktree: string;
  /** Absolute; a folder of this run for the plan's files, which the agent can read. */
  readonly agentDir: string;
  /** Absolute; the file for the agent's own summary. */
  readonly summaryFile: string;
  /** The whole prompt: constraints, issue, instruction. */
  readonly prompt: string;
  /** Only the person's request in this run. */
  readonly instruction: string;
  /** It reviews the work of another agent: it only reads. */
  readonly reviews?: boolean;
  /** The session to resume, or null to begin one. `fresh` is a new UUID for agents that let us choose the id. */
  readonly session: { readonly resume: string | null; readonly fresh: string };
  /** What confines the agent: a sandbox, or only the guard and the proof afterwards. */
  readonly isolation: "sandbox" | "guard";
  /** Whether a person is asked what rules do not decide, as it was when the agent started. */
  readonly approvals: Approvals;
  readonly mcp: readonly McpServerSpec[];
  /** A program that checks each shell command first, in the format of Claude Code's hooks; null for none. */
  readonly hook: readonly string[] | null;
}

export interface LaunchPlan {
  /** Program first: an absolute path or a name on PATH. */
  readonly argv: readonly string[];
  /** Added to the agent's environment. Never a secret that the user did not configure. */
  readonly env: Readonly<Record<string, string>>;
  /** What the agent reads on stdin: the prompt, lines that are added while it works, or nothing. */
  readonly stdin: "prompt" | "lines" | "empty";
  /** Files to write before the start (mode 0600, with their folders), all inside `agentDir`. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** The session id, if it is known before the agent starts. */
  readonly sessionId: string | null;
}

/** How the agent's process ended. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last 8 KiB of stderr. */
  readonly stderr: string;
  /** The content of the summary file, or null if the agent wrote none. */
  readonly summaryFile: string | null;
  /** UTC ISO; the start of a relative time such as "try again in 5 minutes". */
  readonly endedAt: string;
}

/** Reads the stream of one run. It has state, takes one line at a time, and never throws on unknown or broken lines. */
export interface AgentParser {
  feed(line: string): readonly AgentEvent[];
  /**
   * All lines that the agent's stdin must have received so far, without line ends (protocol agents only). A further line
   * comes last. The lines depend only on what was fed and answered; their order also depends on when an answer came. So
   * after a restart `replyKey` tells which of them were written already, and not their number.
   */
  replies?(): readonly string[];
  /** Names what a line of `replies` is about, such as the request that it answers. Present if `replies` is. */
  replyKey?(line: string): string;
  /**
   * A person's answer to the `question` event of that key; `replies` then has a line more. An answer that was given
   * before, or to a question that is not open, changes nothing.
   */
  answer?(key: string, answer: Answer): readonly AgentEvent[];
  /**
   * True once the protocol reports the end of the turn while the process still lives (protocol agents only). The
   * process may then be ended by any means: `finish` does not count that as a failure.
   */
  turnEnded?(): boolean;
  /** What a line requires of us, or null for nothing. Works for any line, fed or not (protocol agents only). */
  wants?(line: string): Want | null;
  finish(exit: AgentExit): AgentResult;
}

/**
 * `answer`: the agent asks; `refusal` is the line to send if no other answer comes. `next`: the agent waits for our
 * next line. `end`: the turn is over.
 */
export type Want =
  | { readonly kind: "answer"; readonly refusal: string }
  | { readonly kind: "next" }
  | { readonly kind: "end" };

export interface AgentReadiness {
  /** The version that the program printed, or null if it could not be asked. */
  readonly version: string | null;
  readonly ready: boolean;
  /** Why it is not ready and what to do, or what is uncertain; null if all is well. */
  readonly reason: string | null;
  /** Absolute path of the program; null for built-in agents or if none was found. */
  readonly binary: string | null;
}

/** What an executor may ask of the outside world. The caller passes it in, so that executors run nothing themselves. */
export interface Probe {
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a program found on PATH (or the path itself if it is one), or null. */
  which(program: string): Promise<string | null>;
  /** Runs a short command; null if it could not be started or took longer than a minute. */
  run(
    argv: readonly string[],
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string } | null>;
  /** Whether a file exists and can be read. */
  exists(path: string): Promise<boolean>;
}

/** Absolute paths that a program must be able to write to, beside its working directory. */
export interface AgentPlaces {
  /** Made if they are missing. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /**
   * Configuration that the same program reads or runs when a person starts it. It is protected, and checked after the
   * run.
   */
  readonly config: readonly AgentConfigPlace[];
  /** Folders whose content is run, and is useless later. Each run has its own empty one. */
  readonly own: readonly string[];
}

/** Settings with hooks, plugins, instructions and the like, below one of an agent's folders. */
export interface AgentConfigPlace {
  /** Absolute. */
  readonly path: string;
  /** Absolute: the agent's folder that it belongs to. */
  readonly folder: string;
  /**
   * What is put at a missing place so that it can be protected. It is a text without effect on the program, or an empty
   * folder. Null if the program must make it itself; a new file there is reported.
   */
  readonly blank: { readonly text: string } | "folder" | null;
}

/** A program's session files, for facts that its stream does not tell. Other processes may have written into them. */
export interface SessionFiles {
  /** Absolute, from the environment of the program. */
  folder(env: Readonly<Record<string, string>>): string;
  /** Whether a file of that name, at any depth of the folder, belongs to this session. */
  isOf(name: string, sessionId: string): boolean;
  /** The model that the newest turn of such a file worked with, or null. */
  model(text: string): string | null;
  /** The last counters of the whole session in such a file, or null. */
  totals(text: string): UsageTotals | null;
}

export interface ParserOptions {
  /** Null if only the lines are known: then the parser replies nothing. */
  readonly request: LaunchRequest | null;
  /** The totals of the attempt's last run. They count only if `request` resumes that session. */
  readonly previous: UsageTotals | null;
}
