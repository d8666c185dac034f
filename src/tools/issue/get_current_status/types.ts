/**
 * The input and output of `get_current_status`, derived from their schemas (seed 004 Schema-First Design, Input/Output
 * Models).
 */
import type { z } from "zod";
import type { getCurrentStatusOutputSchema, getCurrentStatusSchema } from "./validator.ts";

export type GetCurrentStatusParams = z.infer<typeof getCurrentStatusSchema>;
export type GetCurrentStatusResponse = z.infer<typeof getCurrentStatusOutputSchema>;
