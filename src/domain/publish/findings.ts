/** Cuts a long list of findings to a readable length, and counts the rest. */

/** Most findings in one list of a run's document; thousands of denied files would need megabytes. */
export const MAX_FINDINGS = 50;

export interface Finding {
  readonly rule: string;
  /** Absent if every finding of the list rejects. */
  readonly level?: "reject" | "report";
}

export interface CutFindings<F extends Finding> {
  readonly shown: readonly F[];
  /** How many are not shown. */
  readonly more: number;
  /** The same by rule. */
  readonly moreOf: Readonly<Record<string, number>>;
}

/** The whole list if it is short enough; else its beginning, with rejections before reports. */
export function cutFindings<F extends Finding>(findings: readonly F[]): CutFindings<F> {
  if (findings.length <= MAX_FINDINGS) return { shown: findings, more: 0, moreOf: {} };
  const reported = findings.filter(({ level }) => level === "report");
  const byWeight = [...findings.filter(({ level }) => level !== "report"), ...reported];
  const cut = byWeight.slice(MAX_FINDINGS);
  return { shown: byWeight.slice(0, MAX_FINDINGS), more: cut.length, moreOf: countByRule(cut) };
}

function countByRule(findings: readonly Finding[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, group]) => [rule, group.length]),
  );
}
