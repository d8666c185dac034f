/** Runs the process in front of a program with a listed network: `tazuna __bridge PORT [HOST:PORT...] -- PROGRAM [WORD...]`. */
import { writeSync } from "node:fs";
import { constants } from "node:os";
import { networkPlace } from "../../domain/network/host-rules.ts";
import { openBridge } from "../../sandbox/network/bridge.ts";
import { PROXY_SOCKET } from "../../sandbox/profile.ts";
import { runInPlace } from "../../utils/exec.ts";

const NOT_FOUND = 127;
const BY_SIGNAL = 128;

/** Answers the exit code of the program, as a shell would. */
export async function runBridgeEntry(words: readonly string[]): Promise<number> {
  const end = words.indexOf("--");
  const [port = "", ...places] = words.slice(0, end);
  // A signal to stop reaches the program as well, and this process ends with the program.
  for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const) process.on(signal, () => {});
  const local = places
    .map(networkPlace)
    .flatMap((place) =>
      place === null || place.port === null ? [] : [{ host: place.host, port: place.port }],
    );
  await openBridge({ socket: PROXY_SOCKET, port: Number(port), local });
  const ended = await runInPlace(words.slice(end + 1), { cwd: process.cwd(), env: process.env });
  if ("message" in ended) {
    writeSync(2, `tazuna: ${ended.message}\n`);
    return NOT_FOUND;
  }
  return ended.code ?? BY_SIGNAL + signalNumber(ended.signal);
}

function signalNumber(name: string | null): number {
  return name === null ? 0 : (constants.signals[name as NodeJS.Signals] ?? 0);
}
