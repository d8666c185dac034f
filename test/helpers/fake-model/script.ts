/** Says what a scripted model answers: scenarios, their turns, and the trouble that a turn may make. */

export interface Script {
  /** The first one whose `when` is found answers, so that many agents can share one server. */
  readonly scenarios: readonly Scenario[];
  /** What `GET .../models` lists; `["fake-model"]` unless told. */
  readonly models?: readonly string[];
}

export interface Scenario {
  /**
   * Searched in each message of the user so far. What the CLI adds by itself, and results of tools, do not count.
   * Absent: always meant.
   */
  readonly when?: RegExp;
  /**
   * One for each step of the model since the user's message in which `when` was first found. Which one is answered
   * follows from the history in the request alone. A retry gets the same turn again. A resumed conversation goes on
   * with the next turn, or with an earlier scenario for its new message. Past the end: a short closing text.
   */
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly thinking?: string;
  readonly text?: string;
  /** The model's step then waits for the results; the next turn follows them. */
  readonly tools?: readonly ToolCall[];
  /** In tokens; about a quarter of the characters unless told. */
  readonly usage?: Partial<TurnUsage>;
  /** Answers only once this has settled: lets a test hold an agent in the middle of its work, without clocks. */
  readonly hold?: Promise<unknown>;
  readonly trouble?: Trouble;
}

export interface TurnUsage {
  /** All input, the cached part included. */
  readonly input: number;
  readonly cached: number;
  /** All output, the reasoning included. */
  readonly output: number;
  readonly reasoning: number;
}

/** What the model asks for: a tool by name, or a neutral act that is mapped to a tool. */
export type ToolCall = NeutralCall | NamedCall;

/** Paths are relative to the directory in which the CLI says it works, or absolute. */
export type NeutralCall =
  | { readonly op: "write"; readonly path: string; readonly content: string }
  /** `old` and `new` are whole lines without the last line's end: that is what every CLI's edit tool can do. */
  | { readonly op: "edit"; readonly path: string; readonly old: string; readonly new: string }
  | { readonly op: "read"; readonly path: string }
  | { readonly op: "shell"; readonly command: string }
  /** A tool of an MCP server, which every CLI names in its own way. */
  | {
      readonly op: "mcp";
      readonly server: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

export interface NamedCall {
  readonly name: string;
  /** A string makes a call of a free-form tool, if the wire format has such a thing. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** `times`: so many first requests for this turn meet the trouble, later ones get the turn. Absent: all meet it. */
export type Trouble = { readonly times?: number } & (
  | {
      readonly kind: "error";
      readonly status: number;
      readonly message?: string;
      /** Such as `{ "retry-after": "30" }`. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An HTTP 200 whose stream breaks off into the provider's own error event. */
  | { readonly kind: "stream_error"; readonly message?: string }
  /** Never answers, or falls silent in the middle of the stream. */
  | { readonly kind: "hang"; readonly at: "before" | "mid" }
  /** Cuts the connection before an answer, or in the middle of the stream. */
  | { readonly kind: "drop"; readonly at: "before" | "mid" }
);
