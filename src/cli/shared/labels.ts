/** Reads the labels that a person gives a worker. */
import { err, ok, type Result } from "neverthrow";
import { labelsSchema } from "../../contract/labels.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";

/** Null if none was said: those before hold. */
export function readLabels(said: readonly string[]): Result<readonly string[] | null, CliError> {
  if (said.length === 0) return ok(null);
  const labels = said.length === 1 && said[0] === "none" ? [] : [...new Set(said)];
  const read = labelsSchema.safeParse(labels);
  return read.success ? ok(labels) : err(badUsage(`--label ${read.error.issues[0]?.message ?? ""}.`, REMEDY));
}

const REMEDY = "Give it a word such as `--label gpu` or `--label os=mac`, once for each label.";
