/** Makes namespaces of the network, and removes all that live in them. It needs root and `ip` of iproute2. */
import { readdirSync } from "node:fs";
import { isRunning } from "../is-running.ts";
import { kill } from "../stop-everything.ts";
import { waitFor } from "../wait-for.ts";

/** The id of the process that made it follows. */
const MARK = "tazuna-test-";

/** Runs `ip` with these words; throws what it says if it fails. */
export function ip(...words: readonly string[]): string {
  const ended = Bun.spawnSync(["ip", ...words]);
  if (!ended.success) throw new Error(`ip ${words.join(" ")}: ${ended.stderr.toString().trim()}`);
  return ended.stdout.toString();
}

/** A new namespace, in which programs reach themselves at 127.0.0.1. */
export function addNamespace(name: string): void {
  ip("netns", "add", name);
  ip("-n", name, "link", "set", "lo", "up");
}

let made = 0;

/** No other process makes a namespace of this name while this one lives. */
export function freeName(): string {
  made += 1;
  return `${MARK}${process.pid}-${made}`;
}

/** Kills all that lives in it. What it has sent and nobody has heard is gone with it. */
export async function removeNamespace(name: string): Promise<void> {
  await killAllIn(name);
  ip("netns", "del", name);
}

/** Programs may start others meanwhile. */
export async function killAllIn(name: string): Promise<void> {
  await waitFor(`nothing to live in the namespace ${name}`, () => {
    const living = ip("netns", "pids", name).split("\n").filter(Boolean).map(Number).filter(isRunning);
    for (const pid of living) kill(pid);
    return living.length === 0;
  });
}

/** Removes what test processes have left that were killed. */
export async function removeLeftNamespaces(): Promise<void> {
  for (const name of named()) {
    const maker = Number(new RegExp(`^${MARK}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    // Another test process may be removing it, too.
    if (!isRunning(maker)) await removeNamespace(name).catch(() => undefined);
  }
}

function named(): readonly string[] {
  try {
    return readdirSync("/run/netns");
  } catch {
    // Nobody has made one since the machine was started.
    return [];
  }
}

/** Why there can be none here; null if there can. */
export function whyNoNamespaces(): string | null {
  for (const program of ["ip", "nsenter"])
    if (Bun.which(program) === null) return `there is no ${program}: apt-get install iproute2 util-linux`;
  if (process.getuid?.() !== 0) return "no right to make a network namespace; run the tests as root";
  const name = freeName();
  try {
    addNamespace(name);
    ip("-n", name, "link", "add", "one", "type", "veth", "peer", "name", "two");
    ip("-n", name, "link", "add", "switch", "type", "bridge");
    ip("-n", name, "rule", "add", "from", "10.77.0.1", "lookup", "77");
    return null;
  } catch (error) {
    return `this machine makes no network namespace: ${error instanceof Error ? error.message : error}`;
  } finally {
    if (named().includes(name)) ip("netns", "del", name);
  }
}
