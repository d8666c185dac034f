/** Describes a program that was started, whichever runtime started it. */

export interface ProcessEnd {
  /** Null where a signal ended it, or where it could not be ended at all. */
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  /** The three are null where the stream is no pipe. */
  readonly stdin: ChildInput | null;
  readonly stdout: ByteSource | null;
  readonly stderr: ByteSource | null;
  /** Settles when the program itself has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** We may end before it does. */
  unref(): void;
}

/** A stdin that may close at any moment: a program that does not read to the end is none of our errors. */
export interface ChildInput {
  /** Settles when there is room for more, or when nobody reads. */
  write(data: string | Uint8Array): Promise<void>;
  /** Writes the last data, if any, closes, and settles when all is handed over or nobody reads. */
  end(data?: string): Promise<void>;
}

/** Takes the next bytes of a stream; the stream waits for a promise, so that a slow reader slows the writer. */
export type ChunkReader = (chunk: Uint8Array) => void | Promise<void>;

/** The reading end of a pipe; a broken pipe ends like a finished one. */
export interface ByteSource {
  /**
   * Hands over one chunk after the other, and settles at the end, or soon after it was given up. To be called once;
   * `take` must not throw or reject.
   */
  read(take: ChunkReader): Promise<void>;
  giveUp(): void;
}
