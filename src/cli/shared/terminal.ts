/** Declares the streams, signals, files and time that the command line uses. `app/` provides them. */
import type { confirm } from "@clack/prompts";
import type { Result } from "neverthrow";

export interface Output {
  write(text: string): void;
  /** Writes bytes without a change. It settles once they are taken, so that long output is never held as a whole. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** Whether a person reads it on a terminal. */
  readonly isTerminal: boolean;
  /** Whether colours are wanted (a terminal, and neither NO_COLOR nor TERM=dumb). */
  readonly colour: boolean;
  /** Present width and height; asked before every drawing, since windows are resized. */
  size(): { readonly columns: number; readonly rows: number };
}

/** The file has an absolute path. */
export type InputSource = "stdin" | { readonly file: string };

type ConfirmOptions = Parameters<typeof confirm>[0];

export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Streams for questions to a person; null if stdin or stderr is not a terminal, or stdin was read. */
  readonly prompt: Required<Pick<ConfirmOptions, "input" | "output">> | null;
  /** Absolute; the folder the command was called in. */
  readonly cwd: string;
  /** `path` made absolute, relative to `cwd`. */
  absolute(path: string): string;
  /** Whether a folder has this name, relative to `cwd`. */
  isFolder(path: string): boolean;
  /** The bytes of a file or of standard input, one more than `max` if there are more; or the error. */
  readInput(source: InputSource, max: number): Promise<Result<Uint8Array, string>>;
  /**
   * Calls `listener` at every Ctrl-C (and TERM) until the returned function is called. Without a listener, Ctrl-C
   * ends the process as usual.
   */
  onInterrupt(listener: () => void): () => void;
  /** Opens an address in the person's browser; false if that is not possible. */
  openUrl(url: string): Promise<boolean>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `act` every `ms` until the returned function is called. */
  every(ms: number, act: () => void): () => void;
}
