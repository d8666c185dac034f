/** Kills one process of a data folder: engine, keeper, agent, a git of the engine, or a tool server. */
import { readFileSync } from "node:fs";
import type { Product } from "../../helpers/product.ts";
import { type FoundProcess, processesOf } from "./processes.ts";
import type { Random } from "./random.ts";

export const VICTIMS = ["engine", "keeper", "both", "agent", "git", "tools"] as const;
export type Victim = (typeof VICTIMS)[number];

/** Out of so many dice throws; the rest goes to the engine, and so does a throw without a victim. */
const DICE: readonly Victim[] = ["keeper", "keeper", "both", "both", "agent", "git", "git", "tools"];
const SIDES = 18;

/** Who was killed; null if not even an engine was there. */
export async function killSomebody(
  product: Product,
  random: Random,
  runs: readonly string[],
): Promise<Victim | null> {
  const wanted = DICE[random.below(SIDES)] ?? "engine";
  const engine = await product.enginePid();
  const found = processesOf(product.home, runs).filter(({ pid }) => pid !== engine);
  const one = wanted === "engine" ? undefined : random.of(found.filter(isOf(wanted)));
  if (one !== undefined) kill(one.pid);
  if (one !== undefined && wanted !== "both") return wanted;
  if (engine === null) return one === undefined ? null : "keeper";
  await product.killEngine();
  return one === undefined ? "engine" : "both";
}

function isOf(victim: Exclude<Victim, "engine">): (found: FoundProcess) => boolean {
  return ({ pid, command }) => {
    const isKeeper = command.includes(" __keep ");
    const isTools = / mcp$/.test(command);
    switch (victim) {
      case "keeper":
      case "both":
        return isKeeper;
      case "tools":
        return isTools;
      case "git":
        return command.includes("--git-dir=") && environ(pid).includes("TAZUNA_GIT=");
      case "agent":
        return !isKeeper && !isTools && /\/agents\/\w+$/.test(command);
    }
  };
}

function environ(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
