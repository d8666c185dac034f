/** The input and output of `stop_service`. */
import type { z } from "zod";
import type { stopServiceInput, stopServiceOutput } from "./validator.ts";

export type StopServiceInput = z.input<typeof stopServiceInput>;
export type StopServiceOutput = z.output<typeof stopServiceOutput>;
