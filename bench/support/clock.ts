/** Tells wall time in milliseconds, as fine as the time stamps that shell scripts leave. */
import { readFile } from "node:fs/promises";
import { until } from "./until.ts";

/** Now, as `date +%s%N` in a script would say. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Shell text that writes the time into a file whose name may hold variables. */
export function stampTo(path: string): string {
  return `date +%s%N >"${path}"`;
}

/** The time in a file that `stampTo` wrote, waited for. */
export async function stampOf(path: string): Promise<number> {
  const whole = await until(`the time stamp ${path}`, async () =>
    /^(\d+)\n$/.exec(await readFile(path, "utf8").catch(() => "")),
  );
  return Number(whole[1]) / 1e6;
}
