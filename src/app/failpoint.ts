/** Kills this process at a named place, so that crash tests can part an act from what is written about it. */
import { existsSync, writeFileSync } from "node:fs";

/**
 * `TAZUNA_FAILPOINT=NAME@FILE` kills the engine (as `kill -9` would) the first time it comes by NAME; FILE is written
 * then, so that it works on when it is started again.
 */
export function createFailpoint(env: Readonly<Record<string, string>>): (name: string) => void {
  const [wanted, file] = (env.TAZUNA_FAILPOINT ?? "").split("@");
  if (!wanted || !file) return () => {};
  return (name) => {
    if (name !== wanted || existsSync(file)) return;
    writeFileSync(file, name);
    process.kill(process.pid, "SIGKILL");
  };
}
