/** Lets executors ask about programs and files; they run nothing themselves. */
import { accessSync, constants, statSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { agentEnvironment } from "../../domain/agent/environment.ts";
import type { Probe } from "../../executors/shared/executor.ts";
import { exec } from "../../utils/exec.ts";
import { type Clock, systemClock } from "../../utils/time/clock.ts";

/** On a busy machine, a large program may need half of this time to start. */
const PROBE_MS = 60_000;
/**
 * How long an answer holds if the file is the same. The shim of a version manager may lead to another program later.
 */
const FRESH_MS = 60_000;

interface ProbeOptions {
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which programs are run. */
  readonly cwd: string;
  readonly clock?: Clock;
}

export function createProbe({ env, cwd, clock = systemClock }: ProbeOptions): Probe {
  const { env: agentEnv } = agentEnvironment({ user: env, deny: [], cwd, added: {} });
  return {
    env,
    which: async (program) => which(program, env.PATH ?? ""),
    run: withCache(clock, async (argv) => {
      const ended = await exec(argv, { cwd, env: agentEnv, timeoutMs: PROBE_MS, maxOutputBytes: 64 * 1024 });
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
  /** What was known of the program's file when the program was asked. */
  readonly file: string;
  readonly answer: ReturnType<Run>;
  /** Milliseconds since 1970; null while the program is being asked. */
  answeredAt: number | null;
}

/** Asks a program once for all callers at the same time. It asks again only after a while, or if the file changed. */
function withCache(clock: Clock, run: Run): Run {
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
    // An error is not kept: a person may be mending its cause.
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

/** Synchronous, because that takes less time than the way to another thread. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
