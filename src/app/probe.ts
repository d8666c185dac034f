/** Lets executors ask about programs and files without running anything by themselves. */
import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Probe } from "../executors/executor.ts";
import { exec } from "../utils/exec.ts";

const PROBE_MS = 20_000;

export function createProbe(env: Readonly<Record<string, string>>, cwd: string): Probe {
  return {
    env,
    which: (program) => which(program, env.PATH ?? ""),
    run: async (argv) => {
      const ended = await exec(argv, { cwd, env, timeoutMs: PROBE_MS, maxOutputBytes: 64 * 1024 });
      if (!ended.started || ended.timedOut) return null;
      return { code: ended.code, stdout: ended.stdout, stderr: ended.stderr };
    },
    exists: (path) =>
      access(path, constants.R_OK).then(
        () => true,
        () => false,
      ),
  };
}

/** The first executable file of that name on PATH; a path stands for itself. */
async function which(program: string, path: string): Promise<string | null> {
  if (program === "") return null;
  if (isAbsolute(program)) return (await isExecutable(program)) ? program : null;
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, program);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
