/** Runs keepers of little agents, each in a folder of its own. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type KeeperEnding, waitForExit, writeSpec } from "../../src/keeper/control.ts";
import { formatOrder, KEEPER_FILES, type KeeperSpec, RUN_MARKER } from "../../src/keeper/files.ts";
import { startWaiting } from "../../src/utils/programs/detached.ts";
import { findMarked, stopMarked } from "../../src/utils/programs/process-identity.ts";
import { PATH, program } from "./programs.ts";
import { tempDir } from "./temp-dir.ts";

export interface KeptRun extends AsyncDisposable {
  readonly run: string;
  readonly dir: string;
  /** The keeper's own process. */
  readonly keeperPid: number;
  ending(): Promise<KeeperEnding>;
  /** `exit.json` but for its time, or null if the keeper died. */
  exit(): Promise<Readonly<Record<string, unknown>> | null>;
  read(name: keyof typeof KEEPER_FILES): Promise<string>;
  /** Pids of the run's living processes, with the keeper if its environment is marked. */
  left(): Promise<readonly number[]>;
}

export interface KeepSetup {
  readonly argv: readonly string[];
  readonly spec?: Partial<KeeperSpec>;
  readonly prompt?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  /** Of the keeper itself. */
  readonly keeperEnv?: Readonly<Record<string, string>>;
  /** Called with the folder before the keeper starts. */
  readonly prepare?: (dir: string) => Promise<void>;
  /** Its id; a new one unless told. */
  readonly run?: string;
  /** An existing folder to use instead of a new one. */
  readonly dir?: string;
}

export function specOf(run: string, { argv, spec }: Pick<KeepSetup, "argv" | "spec">): KeeperSpec {
  const limits = { timeoutMs: null, stallMs: null, graceMs: 200, outBytes: 1e9, errBytes: 1e9 };
  return {
    run,
    argv,
    beside: null,
    wrapped: false,
    cwd: "/",
    stdin: "empty",
    ...limits,
    executor: "test",
    redactNames: [],
    ...{ summaryFile: null, leaseFile: null },
    ...spec,
  };
}

/** The argv of a keeper, as the product's entry would be called. */
export function keeperArgv(run: string, dir: string): readonly string[] {
  return [process.execPath, "--no-env-file", program("keep-entry.ts"), run, dir];
}

/** Writes the spec and starts its keeper. */
export async function startKeeper(setup: KeepSetup): Promise<KeptRun> {
  const temporary = await tempDir();
  const run = setup.run ?? randomUUID();
  const dir = setup.dir ?? join(temporary.path, run);
  await mkdir(dir, { recursive: true });
  await writeSpec(dir, specOf(run, setup), { prompt: setup.prompt ?? null });
  await setup.prepare?.(dir);
  const log = join(dir, KEEPER_FILES.log);
  const env = { PATH, ...setup.env };
  const started = await startWaiting(keeperArgv(run, dir), {
    cwd: dir,
    env: { PATH, ...setup.keeperEnv },
    stdoutFile: log,
    stderrFile: log,
  });
  if (!started.started) throw new Error(started.error.message);
  await started.process.give(formatOrder({ env, secrets: setup.secrets ?? [] }));
  const marker = { name: RUN_MARKER, value: run };
  const ending = () => waitForExit(dir, { pollMs: 50 });
  return {
    run,
    dir,
    keeperPid: started.process.pid,
    ending,
    exit: async () => {
      const end = await ending();
      if (end.kind !== "exited") return null;
      const { endedAt: _, ...exit } = end.exit;
      return exit;
    },
    read: (name) => readFile(join(dir, KEEPER_FILES[name]), "utf8"),
    left: () => findMarked(marker),
    [Symbol.asyncDispose]: async () => {
      kill(started.process.pid);
      await stopMarked(marker, { graceMs: 0 });
      await temporary[Symbol.asyncDispose]();
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone by itself.
  }
}
