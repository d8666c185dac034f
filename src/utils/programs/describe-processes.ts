/** Tells what processes run, and how much memory they take. */
import { readFile } from "node:fs/promises";

interface DescribedProcess {
  readonly pid: number;
  /** The program and its arguments; the program's name alone if it hides them. */
  readonly command: string;
  readonly rssBytes: number;
}

/** Processes that have ended are left out. Null if the system has no `/proc`: only Linux tells this by files. */
export async function describeProcesses(
  pids: readonly number[],
): Promise<readonly DescribedProcess[] | null> {
  if (process.platform !== "linux") return null;
  const found = await Promise.all(pids.map(describe));
  return found.filter((one) => one !== null);
}

async function describe(pid: number): Promise<DescribedProcess | null> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const [words, status] = await Promise.all([read("cmdline"), read("status")]);
  const name = /^Name:\s*(.*)$/m.exec(status)?.[1];
  // A zombie has no memory.
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  if (name === undefined || kilobytes === undefined) return null;
  const command = words.split("\0").filter(Boolean).join(" ");
  return { pid, command: command || name, rssBytes: Number(kilobytes) * 1024 };
}
