/** Declares a terminal that is open in an attempt's worktree, as the doors and other services use it. */

export interface TerminalRequest {
  readonly attempt: string;
  readonly columns: number;
  readonly rows: number;
  /** Whether the caller came through the socket that is reached from other machines. */
  readonly outside: boolean;
}

export interface OpenTerminal {
  readonly attemptId: string;
  /** Whether it was opened from another machine. */
  readonly outside: boolean;
  /** Takes what a person types; settles when there is room for more. */
  write(text: string): Promise<void>;
  resize(size: { readonly columns: number; readonly rows: number }): Promise<void>;
  /** There is one reader at a time: a new one takes the place of the one before. */
  read(): TerminalReader;
  /** Settles when no process of it is left, and nothing of it on the disk. */
  end(): Promise<void>;
}

export interface TerminalReader {
  /** The output after byte `after`, or what else happened within `waitMs`. The output before it is not needed any more. */
  next(
    after: number,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<TerminalPiece>;
  /** Nobody reads any more. If nobody comes back, the terminal ends after a while. */
  leave(): void;
}

type TerminalPiece =
  | {
      readonly kind: "output";
      readonly bytes: Uint8Array /** The number of the byte after it. */;
      readonly end: number;
    }
  | { readonly kind: "nothing" }
  /** Another reader came. */
  | { readonly kind: "replaced" }
  /** Null if a signal ended the shell. */
  | { readonly kind: "ended"; readonly code: number | null };
