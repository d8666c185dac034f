/** The input and output of `tree`. */
import type { z } from "zod";
import type { treeInput, treeOutput } from "./validator.ts";

export type TreeInput = z.input<typeof treeInput>;
export type TreeOutput = z.output<typeof treeOutput>;
