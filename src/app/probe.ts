/** Lets executors ask about programs and files without running anything by themselves. */
import { accessSync, constants, statSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { agentEnvironment } from "../domain/agent/environment.ts";
import type { Probe } from "../executors/executor.ts";
import { type Clock, systemClock } from "../utils/clock.ts";
import { exec } from "../utils/exec.ts";

/** On a busy machine a program of many modules needs half of this only to start. */
const PROBE_MS = 60_000;
/** How long an answer holds though its file is the same: behind a shim of a version manager another program may stand by then. */
const FRESH_MS = 60_000;

export interface ProbeOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Where programs are run. */
  readonly cwd: string;
  readonly clock?: Clock;
}

export function createProbe({ env, cwd, clock = systemClock }: ProbeOptions): Probe {
  const { env: given } = agentEnvironment({ user: env, deny: [], cwd, added: {} });
  return {
    env,
    which: async (program) => which(program, env.PATH ?? ""),
    run: remembering(clock, async (argv) => {
      const ended = await exec(argv, { cwd, env: given, timeoutMs: PROBE_MS, maxOutputBytes: 64 * 1024 });
      if (!ended.started || ended.timedOut) return null;
      return { code: ended.code, stdout: ended.stdout, stderr: ended.stderr };
    }),
    exists: (path) =>
      access(path, constants.R_OK).then(
        () => true,
        () => false,
      ),
  };
}

type Run = Probe["run"];

interface Known {
  /** What was known of the program's file when it was asked. */
  readonly file: string;
  readonly answer: ReturnType<Run>;
  /** Milliseconds since 1970; null while it is being asked. */
  answeredAt: number | null;
}

/** Asks a program once for all who ask at the same time, and again only after a while or when its file has changed. */
function remembering(clock: Clock, run: Run): Run {
  const answers = new Map<string, Known>();
  return async (argv) => {
    const key = argv.join("\0");
    const file = await stampOf(argv[0] ?? "");
    const before = answers.get(key);
    if (before?.file === file && isFresh(before, clock)) return before.answer;
    const known: Known = { file, answer: run(argv), answeredAt: null };
    answers.set(key, known);
    const answer = await known.answer;
    known.answeredAt = clock.now().getTime();
    // What went wrong is asked again each time: a person may be mending it.
    if (answer?.code !== 0 && answers.get(key) === known) answers.delete(key);
    return answer;
  };
}

function isFresh({ answeredAt }: Known, clock: Clock): boolean {
  return answeredAt === null || clock.now().getTime() - answeredAt < FRESH_MS;
}

async function stampOf(path: string): Promise<string> {
  const file = await stat(path).catch(() => null);
  return file === null ? "" : `${file.dev}:${file.ino}:${file.size}:${file.mtimeMs}`;
}

/** The first executable file of that name on PATH; a path stands for itself. */
export function which(program: string, path: string): string | null {
  if (program === "") return null;
  if (isAbsolute(program)) return isExecutable(program) ? program : null;
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, program);
    if (isExecutable(candidate)) return candidate;
  }
  return null;
}

/** Asked at once: one look at a file takes less than the way to another thread. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
