/** Describes what the owner of a terminal writes to its host, a line each: the order, then what a person does. */

/** The variable that marks every process of a terminal. */
export const TERMINAL_MARKER = "TAZUNA_TERMINAL_ID";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What to run. It stands in no file and in no argv, because of the environment. */
export interface TerminalOrder {
  /** Program first. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The value of the marker. */
  readonly id: string;
  readonly size: TerminalSize;
}

/** What a person types, or the new size of what they see. */
type TerminalMessage = { readonly input: string } | { readonly size: TerminalSize };

export function formatMessage(message: TerminalOrder | TerminalMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Null if the owner is gone. Its own words are not checked: a wrong one is a fault. */
export function parseOrder(line: string | undefined): TerminalOrder | null {
  return line === undefined ? null : (JSON.parse(line) as TerminalOrder);
}

export function parseMessage(line: string): TerminalMessage {
  return JSON.parse(line) as TerminalMessage;
}
