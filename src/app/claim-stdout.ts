/** Keeps standard output for one writer: whatever else is printed in this process goes to standard error. */

const PRINTING = ["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"] as const;

export interface ClaimedStdout {
  /** Settles when there is room for more; rejects when nobody reads any more. */
  write(text: string): Promise<void>;
  /** Writes no more; settles when all was taken, or nobody reads any more. */
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
