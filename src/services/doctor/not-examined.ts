/** Makes a finding of what went wrong in looking, so that nothing else is kept from being looked at. */
import type { Finding } from "../../domain/doctor/finding.ts";
import { found, sentence } from "../../domain/doctor/found.ts";

export function notExamined(name: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return found(
    "error",
    `not_examined:${name}`,
    `What concerns ${name} could not be examined: ${sentence(reason)}`,
    {
      remedy: "Mend what it names, then run `tazuna doctor` again.",
    },
  );
}
