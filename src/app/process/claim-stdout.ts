/** Keeps standard output for one writer: all other prints of this process go to standard error. */

const PRINTING = ["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"] as const;

interface ClaimedStdout {
  /** Settles when there is room for more; rejects when the reader has gone. */
  write(text: string): Promise<void>;
  /** Writes no more; settles when all was taken, or the reader has gone. */
  end(): Promise<void>;
}

export function claimStdout(): ClaimedStdout {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  for (const name of PRINTING) console[name] = console.error;
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        const hasRoom = write(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
        if (hasRoom) resolve();
      }),
    end: () => new Promise((resolve) => void stdout.end(() => resolve())),
  };
}
