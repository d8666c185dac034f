/** The input and output of `define_issue`. */
import type { z } from "zod";
import type { defineIssueInput, defineIssueOutput } from "./validator.ts";

export type DefineIssueInput = z.input<typeof defineIssueInput>;
/** As it was stored. */
export type DefineIssueOutput = z.output<typeof defineIssueOutput>;
