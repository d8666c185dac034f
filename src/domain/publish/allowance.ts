/** Turns findings that a person has allowed, each by its very place and content, into reports. */
import type { GateVerdict } from "./gate.ts";
import type { GateFinding } from "./gate-finding.ts";

export interface AllowedFinding {
  readonly rule: string;
  readonly path: string;
  /** Null where the finding has none. */
  readonly line: number | null;
  /** What was staged there; null where the finding is of no content, and then it is allowed for one run only. */
  readonly blob: string | null;
}

/** A person's word on findings and failed checks that were shown to them. */
export interface Allowance {
  /** `Name <address>`, as their commits are by. */
  readonly by: string;
  readonly reason: string;
  readonly findings: readonly AllowedFinding[];
  /** Names of required checks whose failure does not keep the commit from being pushed. */
  readonly checks: readonly string[];
}

/** Of a finding as it was shown, what allowing it allows; null for what can never be published. */
export function allowable(finding: GateFinding): AllowedFinding | null {
  const { rule, path, line = null, blob = null } = finding;
  if (finding.final || (blob === null && rule !== "dirty_submodule")) return null;
  return { rule, path, line, blob };
}

/** `own` is the run's own allowance, `earlier` those of earlier runs: what they allowed holds for the same content. */
export function withAllowances(
  verdict: GateVerdict,
  of: { readonly own: Allowance | null; readonly earlier: readonly Allowance[] },
): GateVerdict {
  const findings = verdict.findings.map((finding) => {
    if (finding.level !== "reject") return finding;
    const found = allowable(finding);
    if (found === null) return finding;
    const asked = [...(of.own === null ? [] : [of.own]), ...(found.blob === null ? [] : of.earlier)];
    const by = asked.find(({ findings: allowed }) => allowed.some((one) => isSame(one, found)));
    if (by === undefined) return finding;
    return { ...finding, level: "report" as const, allowed: { by: by.by, reason: by.reason } };
  });
  return { ...verdict, findings, rejected: findings.some(({ level }) => level === "reject") };
}

function isSame(one: AllowedFinding, other: AllowedFinding): boolean {
  return (
    one.rule === other.rule && one.path === other.path && one.line === other.line && one.blob === other.blob
  );
}
