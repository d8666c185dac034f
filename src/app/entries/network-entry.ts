/** Runs the proxy that lets a sandbox reach only the listed hosts: `tazuna __network FOLDER SOCKET [HOST...]`. */
import { appendFileSync, writeSync } from "node:fs";
import { hostRule, type NetworkPlace, placeText } from "../../domain/network/host-rules.ts";
import { createProxy } from "../../sandbox/network/proxy.ts";
import { REFUSED_FILE } from "../../sandbox/network/refused-places.ts";

/** Refusals beyond this number are not recorded. */
const MAX_RECORDED = 1000;

/** Listens in FOLDER, says so with a line on stdout, and works until its stdin ends. Answers its exit code. */
export async function runNetworkEntry([
  folder = "",
  socket = "",
  ...hosts
]: readonly string[]): Promise<number> {
  // A relative name, since the path of a socket may have only about a hundred characters.
  process.chdir(folder);
  process.umask(0o077);
  const rules = hosts.flatMap((host) => hostRule(host) ?? []);
  const proxy = createProxy({ rules, onRefused: refusalRecorder() });
  await new Promise<void>((resolve, reject) => {
    proxy.once("error", reject).listen({ path: socket }, resolve);
  });
  writeSync(1, "ready\n");
  for await (const _ of Bun.stdin.stream()) {
    // Stdin carries no message; only its end counts.
  }
  return 0;
}

function refusalRecorder(): (place: NetworkPlace) => void {
  let recorded = 0;
  return (place) => {
    if (recorded++ >= MAX_RECORDED) return;
    try {
      appendFileSync(REFUSED_FILE, `${placeText(place)}\n`, { mode: 0o600 });
    } catch {
      // The disk is full, or the folder is gone. The connection is refused anyway.
    }
  };
}
