/** Reads the labels that a person gives a worker. */
import { err, ok, type Result } from "neverthrow";
import { isLabel, LABEL_RULE, MOST_LABELS } from "../../contract/labels.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";

/** Null if none was said: those before hold. */
export function readLabels(said: readonly string[]): Result<readonly string[] | null, CliError> {
  if (said.length === 0) return ok(null);
  const labels = said.length === 1 && said[0] === "none" ? [] : [...new Set(said)];
  const wrong = labels.find((label) => !isLabel(label));
  if (wrong !== undefined) return err(badUsage(`--label: "${wrong}" ${LABEL_RULE}.`, REMEDY));
  return labels.length > MOST_LABELS ? err(badUsage(`At most ${MOST_LABELS} labels.`, REMEDY)) : ok(labels);
}

const REMEDY = "Give it a word such as `--label gpu` or `--label os=mac`, once for each label.";
