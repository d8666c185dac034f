/** The input and output of `spawn_service`. */
import type { z } from "zod";
import type { spawnServiceInput, spawnServiceOutput } from "./validator.ts";

export type SpawnServiceInput = z.input<typeof spawnServiceInput>;
export type SpawnServiceOutput = z.output<typeof spawnServiceOutput>;
