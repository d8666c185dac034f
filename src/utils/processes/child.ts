/** Describes a started program, independent of the runtime that started it. */

export interface ProcessEnd {
  /** Null if a signal ended it, or if it could not be ended at all. */
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  /** Each of the three is null if its stream is not a pipe. */
  readonly stdin: ChildInput | null;
  readonly stdout: ByteSource | null;
  readonly stderr: ByteSource | null;
  /** Settles when the program itself has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Allows this process to end before the child. */
  unref(): void;
}

/** A stdin that may close at any moment. A program that does not read to the end is not an error. */
export interface ChildInput {
  /** Settles when there is room for more, or when the reader is gone. */
  write(data: string | Uint8Array): Promise<void>;
  /** Writes the last data, if any, closes, and settles when all is handed over or the reader is gone. */
  end(data?: string): Promise<void>;
}

/** Takes the next bytes of a stream. The stream waits for a promise, so a slow reader slows the writer. */
export type ChunkReader = (chunk: Uint8Array) => void | Promise<void>;

/** The reading end of a pipe; a broken pipe ends like a finished one. */
export interface ByteSource {
  /**
   * Hands over one chunk after the other, and settles at the end, or soon after `giveUp`. Call it once; `take` must
   * not throw or reject.
   */
  read(take: ChunkReader): Promise<void>;
  giveUp(): void;
}
