/** Declares what the command line is given by `app/`, and the one shape of its errors. */
import type { Result } from "neverthrow";
import type { FindingDocument } from "../contract/answers.ts";
import type { Client } from "../contract/client.ts";
import type { CreateTaskRequest } from "../contract/requests.ts";
import type { Terminal } from "./terminal.ts";

/** 1: the thing asked for failed; 2: bad usage; 3: a person is needed; 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export interface CliError {
  readonly exit: Exclude<ExitCode, 0>;
  /** Stable. */
  readonly code: string;
  /** One line. */
  readonly message: string;
  /** One line: what to do about it. */
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ConnectOptions {
  /** Keep the engine in this process instead of starting one in the background. */
  readonly foreground: boolean;
}

export interface ServeOptions {
  readonly port: number | null;
  readonly host: string | null;
  readonly database: string | null;
  /** Open the browser once it listens. */
  readonly open: boolean;
  /** Seconds without work and without a client after which it ends by itself; null never. */
  readonly idleExitS: number | null;
}

/** Where a server listens, and a link that signs a browser in once. */
export interface Serving {
  readonly url: string;
  readonly link: string;
}

/** Which folder the toolkit works on, and what narrows it there. */
export interface ToolDoorOptions {
  /** Absolute; null takes TAZUNA_WORKSPACE, else the folder the command was called in. */
  readonly workspace: string | null;
  readonly readOnly: boolean;
  /** Absolute path of a JSON file. */
  readonly policyFile: string | null;
}

export interface McpOptions extends ToolDoorOptions {
  /** Null speaks over standard input and output; 0 takes a free port. */
  readonly httpPort: number | null;
}

/** Where an MCP server listens, and the token that its clients send. */
export interface McpServing {
  readonly url: string;
  readonly token: string;
}

export interface ToolCallOptions extends ToolDoorOptions {
  readonly name: string;
  readonly args: unknown;
  /** Stops the call, or the wait for its services. */
  readonly signal: AbortSignal;
  /** Told the answer as soon as it is there; services that the call started may still run. */
  readonly onAnswer: (envelope: ToolEnvelope, running: { readonly services: number }) => void;
}

/** What every tool answers over every door (product contract, section 5). */
export type ToolEnvelope =
  | { readonly status: "success"; readonly data: unknown; readonly meta?: Readonly<Record<string, unknown>> }
  | {
      readonly status: "denied" | "failure";
      readonly reason: string;
      readonly message: string;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly retriable: boolean;
        readonly details: Readonly<Record<string, unknown>>;
      };
    };

/** A tool as lists show it. */
export interface ToolLine {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: unknown;
}

export interface Entries {
  /** Serves until it is told to stop; `onReady` is called once, when it listens. */
  serve(options: ServeOptions, onReady: (serving: Serving) => void): Promise<Result<void, CliError>>;
  /** The JSON Schema of the configuration. */
  configSchema(): Promise<unknown>;
  /** Examines everything, by the engine that runs or without one; `folder` is absolute. Never starts one. */
  doctor(folder: string): Promise<readonly FindingDocument[]>;
  /** Serves the toolkit over MCP until its client goes, or it is told to stop; `onListen` is called once where it listens on a port. */
  mcp(options: McpOptions, onListen: (serving: McpServing) => void): Promise<Result<void, CliError>>;
  /** Every tool. */
  tools(): Promise<readonly ToolLine[]>;
  /** Calls one tool; answers when nothing that it started runs any more. */
  tool(options: ToolCallOptions): Promise<Result<void, CliError>>;
}

/** Settings that the environment of this command names. */
export interface EnvironmentSettings {
  /** By dotted key: sent with what is asked for. */
  readonly task: NonNullable<CreateTaskRequest["settings"]>;
  /** What only an engine's own start takes. */
  readonly engine: readonly { readonly variable: string; readonly key: string; readonly text: string }[];
}

export interface CliOptions {
  /** A client of the engine of this data folder; starts one where there is none. Called again when the engine went away. */
  connect(options: ConnectOptions): Promise<Result<Client, CliError>>;
  readonly entries: Entries;
  readonly terminal: Terminal;
  readonly environment: EnvironmentSettings;
  readonly version: string;
  /** How long a first Ctrl-C waits for a second one before the runs are stopped (1,000 ms unless told). */
  readonly interruptGraceMs?: number;
}

export interface Cli {
  /** Runs one command; everything it prints has been written when it answers. Never throws. */
  run(argv: readonly string[]): Promise<ExitCode>;
}
