/** Finds the little programs that tests run, and the processes that they leave behind. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { findMarked, type ProcessMarker } from "../../src/utils/programs/process-identity.ts";

/** Absolute path of a program in `test/fixtures/programs`. */
export function program(name: string): string {
  return join(import.meta.dir, "../fixtures/programs", name);
}

export const PATH = process.env.PATH ?? "/usr/bin:/bin";

export interface TaggedEnv extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly tag: ProcessMarker;
  /** Pids of living processes that were started with this environment. */
  left(): Promise<readonly number[]>;
}

/** An environment by which a test finds everything that it started; what is left at its end is killed. */
export function taggedEnv(): TaggedEnv {
  const tag = { name: "TAZUNA_TEST_TAG", value: randomUUID() };
  const left = () => findMarked(tag);
  return {
    env: { PATH, [tag.name]: tag.value },
    tag,
    left,
    [Symbol.asyncDispose]: async () => {
      for (const pid of await left()) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // Gone by now.
        }
      }
    },
  };
}
