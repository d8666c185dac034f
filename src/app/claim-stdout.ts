/** Keeps standard output for one writer: whatever else is printed in this process goes to standard error. */

const PRINTING = ["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"] as const;

/** Settles when there is room for more; rejects when nobody reads any more. */
export function claimStdout(): (text: string) => Promise<void> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  for (const name of PRINTING) console[name] = console.error;
  return (text) =>
    new Promise((resolve, reject) => {
      const hasRoom = write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
      if (hasRoom) resolve();
    });
}
