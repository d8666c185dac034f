/** The input and output of `apply_patch`. */
import type { z } from "zod";
import type { applyPatchInput, applyPatchOutput } from "./validator.ts";

export type ApplyPatchInput = z.input<typeof applyPatchInput>;
export type ApplyPatchOutput = z.output<typeof applyPatchOutput>;
/** What was done to one file. */
export type PatchedFile = ApplyPatchOutput["files"][number];
