/** Kills or holds this process at a named place, so that crash tests can part an act from what is written about it. */
import { existsSync, writeFileSync } from "node:fs";

/**
 * `TAZUNA_FAILPOINT=NAME@FILE` kills the engine (as `kill -9` would) the first time it comes by NAME; FILE is written
 * then, so that it works on when it is started again. `NAME@FILE@SIGSTOP` holds it there instead, until a test that did
 * something meanwhile lets it go on.
 */
export function createFailpoint(env: Readonly<Record<string, string>>): (name: string) => void {
  const [wanted, file, signal] = (env.TAZUNA_FAILPOINT ?? "").split("@");
  if (!wanted || !file) return () => {};
  return (name) => {
    if (name !== wanted || existsSync(file)) return;
    writeFileSync(file, name);
    process.kill(process.pid, signal === "SIGSTOP" ? signal : "SIGKILL");
  };
}
