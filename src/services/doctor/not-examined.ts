/** Makes a finding of an error during an examination, so that the rest is still examined. */
import { type Finding, makeFinding, sentence } from "../../domain/doctor/finding.ts";

export function notExamined(name: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `What concerns ${name} could not be examined: ${sentence(reason)}`;
  return makeFinding("error", `not_examined:${name}`, message, {
    remedy: "Mend what it names, then run `tazuna doctor` again.",
  });
}
