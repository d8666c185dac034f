/** Reports what the publish gate found, as notes and as a failure: the first findings in full, the others counted. */
import { type CutFindings, cutFindings, type Finding } from "../../domain/publish/findings.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { failed, note, type RunWorld, type Step } from "./step.ts";

interface ToldFinding extends Finding {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly allowed?: { readonly by: string; readonly reason: string };
}

/** One note per finding, and one for all findings that were cut. */
export function findingNotes(world: RunWorld, findings: readonly ToldFinding[]): readonly RunNote[] {
  const cut = cutFindings(findings);
  return [...cut.shown.map(findingNote), ...moreNote(world, cut)];
}

function findingNote({ rule, message, path, line, level, allowed }: ToldFinding): RunNote {
  const place = line === undefined ? { path } : { path, line };
  if (allowed === undefined) return note(rule, message, { ...place, level });
  const { by, reason } = allowed;
  return note("allowed_finding", `${message} (allowed by ${by}: ${reason})`, { rule, ...place, by, reason });
}

/** The step that ends the run with the findings that reject it. */
export function gateRejected(
  world: Pick<RunWorld, "attempt">,
  rejection: {
    readonly findings: readonly ToldFinding[];
    /** Stands before the first finding. */
    readonly lead?: string;
    /** Notes to add to the failure; if absent, those for the findings that were cut. */
    readonly notes?: readonly RunNote[];
  },
): Step {
  const rejecting = rejection.findings.filter(({ level }) => level !== "report");
  const cut = cutFindings(rejecting);
  const first = rejecting[0]?.message ?? "The gate rejected the changes";
  const others = rejecting.length > 1 ? ` (and ${rejecting.length - 1} more)` : "";
  return failed("gate_rejected", `${rejection.lead ?? ""}${first}${others}.`, {
    details: { findings: cut.shown, ...(cut.more === 0 ? {} : { more_findings: cut.more }) },
    notes: rejection.notes ?? moreNote(world, cut),
  });
}

function moreNote(
  world: Pick<RunWorld, "attempt">,
  { more, moreOf }: CutFindings<Finding>,
): readonly RunNote[] {
  if (more === 0) return [];
  const attempt = world.attempt.id.slice(0, 8);
  const rules = Object.entries(moreOf)
    .map(([rule, count]) => `${rule} ${count}`)
    .join(", ");
  const message = `${more} more findings are not listed (${rules}). \`git -C "$(tazuna path ${attempt})" status -uall\` shows every file that was not committed, \`tazuna diff ${attempt}\` what was.`;
  return [note("more_findings", message, { more, rules: moreOf })];
}
