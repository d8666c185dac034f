/** Kills or holds this process at a named place: crash tests stop it between an act and its record. */
import { existsSync, writeFileSync } from "node:fs";

/**
 * `TAZUNA_FAILPOINT=NAME@FILE` kills the engine (as `kill -9` would) the first time it reaches NAME. It writes FILE
 * then, so that the engine passes NAME after its next start. `NAME@FILE@SIGSTOP` holds the engine there instead,
 * until a test lets it go on.
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
