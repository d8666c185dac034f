/** Checks the input of `exec_command`, and holds its limits (seed 001 §4.1, §4.3). */
import { z } from "zod";
import { filledText } from "../../core/text.ts";

/** Milliseconds (seed 001 §4.1). */
const TIMEOUT = { min: 1, max: 120_000, default: 30_000 } as const;
/** UTF-16 units of each stream (seed 001 §4.1). */
const OUTPUT = { min: 1_000, max: 1_000_000, default: 200_000 } as const;

/** Half of a surrogate pair has no UTF-8 form, so it would arrive changed. */
const wellFormed = (text: string) => text.isWellFormed();
const token = z.string().check(({ value, issues }) => {
  const flaw = flawOf(value);
  if (flaw !== null) issues.push({ code: "custom", message: flaw, input: value });
});

function flawOf(text: string): string | null {
  if (text.includes("\0")) return "must not hold a NUL character";
  return wellFormed(text) ? null : "must not hold half of a surrogate pair";
}

/** An argv: a program and its arguments, which may be empty. */
export const commandTokens = z
  .array(token)
  .refine(({ length }) => length > 0, "must hold at least the name of a program")
  .meta({ minItems: 1 })
  .refine(([program]) => program !== "", "must begin with the name of a program");

export const execCommandInput = z.strictObject({
  cwd: filledText(),
  command: commandTokens,
  shell_mode: z.enum(["default", "direct"]).default("default"),
  stdin: z.string().refine(wellFormed, "must not hold half of a surrogate pair").optional(),
  timeout_ms: z.int().min(TIMEOUT.min).max(TIMEOUT.max).default(TIMEOUT.default),
  max_output_chars: z.int().min(OUTPUT.min).max(OUTPUT.max).default(OUTPUT.default),
});

export const execCommandOutput = z.strictObject({
  cwd: z.string().describe("Absolute path in which it ran."),
  command: z.array(z.string()),
  exit_code: z.int().describe("124 if the time limit ended it, 128 + N if signal N did."),
  stdout: z.string(),
  stderr: z.string(),
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
  timed_out: z.boolean(),
  duration_ms: z.number().describe("Milliseconds."),
});
