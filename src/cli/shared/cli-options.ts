/** Declares what `app/` gives to the command line, and the one shape of its errors. */
import type { Result } from "neverthrow";
import type { Client } from "../../contract/client/client.ts";
import type { Role } from "../../contract/endpoints/endpoint.ts";
import type { EngineAnswer } from "../../contract/endpoints/engine.ts";
import type { FindingDocument } from "../../contract/endpoints/repositories.ts";
import type { CreateTaskRequest } from "../../contract/endpoints/tasks.ts";
import type { Terminal } from "./terminal.ts";

/** 1: the request failed; 2: bad usage; 3: a person is needed; 130: interrupted. */
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
  /** Absolute paths of PEM files; both are given, or none. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** Addresses and networks of proxies whose words about a request are believed. */
  readonly trustProxy: readonly string[];
  /** The address that browsers type to reach that proxy. */
  readonly publicUrl: string | null;
  readonly oidc: OidcOptions;
  readonly database: string | null;
  /** Where copies of unfinished work go: an absolute path, an address, or `none`. Null leaves it as it is. */
  readonly depot: string | null;
  readonly logs: string | null;
  /** Null: those before. */
  readonly labels: readonly string[] | null;
  /** Open the browser once it listens. */
  readonly open: boolean;
  /** Seconds without work and without a client after which it ends by itself; null never. */
  readonly idleExitS: number | null;
}

/** Through which identity provider people enter. All is null or empty if they do not. */
export interface OidcOptions {
  readonly issuer: string | null;
  readonly clientId: string | null;
  /** Absolute. */
  readonly secretFile: string | null;
  readonly admins: readonly string[];
  readonly domains: readonly string[];
  readonly firstRole: Role | null;
}

/** How a worker joins a server. */
export interface JoinOptions {
  /** The address in the invitation. */
  readonly url: string;
  /** Null takes the one of the machine. */
  readonly name: string | null;
  /** How many runs may work here at once. */
  readonly slots: number;
  /** Accept a machine without a sandbox. */
  readonly allowGuard: boolean;
}

export interface WorkerOptions {
  /** Null if the data folder has joined before. */
  readonly join: Omit<JoinOptions, "slots"> | null;
  /** Null leaves it as the settings say. */
  readonly slots: number | null;
  /** Null: those before. */
  readonly labels: readonly string[] | null;
  /** When it leaves: what goes on after so long is stopped. Null waits for it. */
  readonly withinMs: number | null;
}

/** Where a server listens, and a link that signs a browser in once. */
export interface Serving {
  readonly url: string;
  readonly link: string;
}

/** Which folder the toolkit works on, and what restricts it there. */
export interface ToolRuleOptions {
  /** Absolute; null takes TAZUNA_WORKSPACE, else the folder the command was called in. */
  readonly workspace: string | null;
  readonly readOnly: boolean;
  /** Absolute path of a JSON file. */
  readonly policyFile: string | null;
}

export interface McpOptions extends ToolRuleOptions {
  /** Serve the verbs of the API instead of the toolkit. */
  readonly control: boolean;
  /** Null speaks over standard input and output; 0 takes a free port. */
  readonly httpPort: number | null;
}

/** Where an MCP server listens, and the token that its clients send. */
export interface McpServing {
  readonly url: string;
  readonly token: string;
}

export interface ToolCallOptions extends ToolRuleOptions {
  readonly name: string;
  readonly args: unknown;
  /** Stops the call, or the wait for its services. */
  readonly signal: AbortSignal;
  /** Gets the answer as soon as it exists; services that the call started may still run. */
  readonly onAnswer: (envelope: ToolEnvelope, running: { readonly services: number }) => void;
}

/** The answer of every tool, the same in the library, MCP and `tazuna tool`. */
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

/** The state of the data folder's engine; what it cannot be asked is null. */
export type EngineStatus = Readonly<
  { [Key in Exclude<keyof EngineAnswer, "home" | "runs">]: EngineAnswer[Key] | null } & Pick<
    EngineAnswer,
    "home" | "runs"
  >
> & {
  /**
   * `starting`: a process holds the data folder and does not answer yet. `silent`: its process lives and does not
   * answer.
   */
  readonly state: "works" | "silent" | "starting" | "none";
  /** Ids of runs whose agents work now, under their keepers. */
  readonly agents: readonly string[];
};

export interface StoppedEngine {
  /** Null if none worked. */
  readonly stopped: { readonly pid: number; readonly forced: boolean } | null;
  /** Ids of runs whose agents go on under their keepers. */
  readonly agents: readonly string[];
}

export interface EngineEntry {
  /** Never starts an engine. */
  status(): Promise<EngineStatus>;
  stop(): Promise<Result<StoppedEngine, CliError>>;
  restart(): Promise<Result<StoppedEngine, CliError>>;
}

/** The kinds of things that a word of a command line may name. */
export type Completable = "agents" | "tasks" | "attempts" | "runs" | "repositories" | "keys";

export interface SetConfig {
  /** Dotted, such as `limits.parallel`. */
  readonly key: string;
  /** JSON, or a plain text. Null takes the key out of the file. */
  readonly value: string | null;
  /** Absolute: a folder in the repository whose own file is written; null writes the data folder's. */
  readonly repository: string | null;
}

export interface ConfigSet {
  /** Absolute. */
  readonly file: string;
  readonly key: string;
  readonly value: unknown;
  readonly unset: boolean;
  /** What the file held before; null if it did not name the key. */
  readonly before: { readonly value: unknown } | null;
}

export interface Entries {
  /** Serves until it is told to stop; `onReady` is called once, when it listens. */
  serve(options: ServeOptions, onReady: (serving: Serving) => void): Promise<Result<void, CliError>>;
  /** Works for the server that this data folder joins, or joined, until it is told to leave. `tell` gets lines for a person. */
  worker(options: WorkerOptions, tell: (line: string) => void): Promise<Result<void, CliError>>;
  /** The JSON Schema of the configuration. */
  configSchema(): Promise<unknown>;
  engine(): Promise<EngineEntry>;
  /** Writes one value into a file of the configuration. */
  setConfig(options: SetConfig): Promise<Result<ConfigSet, CliError>>;
  /** Examines everything, in the running engine or without one; `folder` is absolute. Never starts an engine. */
  doctor(folder: string): Promise<readonly FindingDocument[]>;
  /**
   * Serves the toolkit, or the verbs of the API, over MCP until its client goes or it must stop. If it listens on
   * a port, `onListen` is called once.
   */
  mcp(options: McpOptions, onListen: (serving: McpServing) => void): Promise<Result<void, CliError>>;
  /** Every tool. */
  tools(): Promise<readonly ToolLine[]>;
  /** Calls one tool; answers when everything that the tool started has ended. */
  tool(options: ToolCallOptions): Promise<Result<void, CliError>>;
}

/** Settings that the environment of this command names. */
export interface EnvironmentSettings {
  /** By dotted key: sent with each request. */
  readonly task: NonNullable<CreateTaskRequest["settings"]>;
  /** What an engine takes only at its own start. */
  readonly engine: readonly { readonly variable: string; readonly key: string; readonly text: string }[];
}

export interface CliOptions {
  /**
   * A client of the engine of this data folder; starts an engine if there is none. Called again when the engine went
   * away.
   */
  connect(options: ConnectOptions): Promise<Result<Client, CliError>>;
  readonly entries: Entries;
  readonly terminal: Terminal;
  readonly environment: EnvironmentSettings;
  readonly version: string;
  /** How long a first Ctrl-C waits for a second one before the runs are stopped; 1,000 ms by default. */
  readonly interruptGraceMs?: number;
}

export interface Cli {
  /** Runs one command; its whole output has been written when it answers. Never throws. */
  run(argv: readonly string[]): Promise<ExitCode>;
}
