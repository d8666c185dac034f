/** Says how the product is started from this checkout. */
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** The runtime that runs the benchmark runs the product too. */
export const RUNTIME = process.execPath;

/** The program without the shell script in front of it, as the engine starts its own keepers. */
export const PROGRAM: readonly string[] = [RUNTIME, "--no-env-file", join(ROOT, "src/main.ts")];

/** What a person types. */
export const COMMAND = join(ROOT, "bin/tazuna");
