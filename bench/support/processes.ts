/** Reads from `/proc` what processes cost. Linux only. */
import { readdir, readFile } from "node:fs/promises";

export interface Cost {
  /** Resident memory of each process at the end, in bytes. */
  readonly rss: readonly number[];
  /** The part of it that no other process shares, in bytes. */
  readonly own: readonly number[];
  /** Processor time of all of them together, as a share of one core. */
  readonly cpu: number;
}

const TICKS_PER_S = 100;

/** What these processes cost over so many milliseconds. */
export async function costOf(pids: readonly number[], ms: number): Promise<Cost> {
  const ticks = async () => (await Promise.all(pids.map(ticksOf))).reduce((sum, each) => sum + each, 0);
  const [before, began] = [await ticks(), performance.now()];
  await Bun.sleep(ms);
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((await ticks()) - before) / TICKS_PER_S / seconds;
  const memory = await Promise.all(pids.map(memoryOf));
  return { rss: memory.map(({ rss }) => rss), own: memory.map(({ own }) => own), cpu };
}

/** The keepers whose runs lie in this data folder. */
export async function keepersOf(home: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const argv = (await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (argv.includes("__keep") && argv.some((word) => word.startsWith(home))) found.push(Number(name));
  }
  return found;
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

async function memoryOf(pid: number): Promise<{ readonly rss: number; readonly own: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return { rss: kib("Rss") * 1024, own: (kib("Private_Clean") + kib("Private_Dirty")) * 1024 };
}
