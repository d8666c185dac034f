/** Turns findings that a person has allowed, each by its exact place and content, into reports. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";
import type { GateVerdict } from "./gate.ts";
import type { GateFinding } from "./gate-finding.ts";

const allowedFindingSchema = z.object({
  rule: z.string(),
  path: z.string(),
  /** Null if the finding has none. */
  line: z.number().nullable(),
  /** The staged content; null if the finding is not about content, and then it is allowed for one run only. */
  blob: z.string().nullable(),
});
export type AllowedFinding = Entity<typeof allowedFindingSchema>;

/** A person's permission for findings and failed checks that they have seen. */
export const allowanceSchema = z.object({
  /** `Name <address>`, as in the author of their commits. */
  by: z.string(),
  reason: z.string(),
  findings: z.array(allowedFindingSchema),
  /** Names of required checks that may fail without stopping the push. */
  checks: z.array(z.string()),
  /** What a person took back of it before anything came of it: a rule's id, or `check:NAME`. */
  takenBack: z.array(z.object({ name: z.string(), by: z.string().nullable(), at: time })).exactOptional(),
});
export type Allowance = Entity<typeof allowanceSchema>;

/** What still holds of it; null if nothing does. */
export function standingOf(allowance: Allowance): Allowance | null {
  const back = new Set(allowance.takenBack?.map(({ name }) => name));
  if (back.size === 0) return allowance;
  const findings = allowance.findings.filter(({ rule }) => !back.has(rule));
  const checks = allowance.checks.filter((name) => !back.has(`check:${name}`));
  return findings.length + checks.length === 0 ? null : { ...allowance, findings, checks };
}

/** The rules' ids, and `check:NAME` for each check. */
export function namesIn({ findings, checks }: Pick<Allowance, "findings" | "checks">): readonly string[] {
  return [...new Set([...findings.map(({ rule }) => rule), ...checks.map((name) => `check:${name}`)])];
}

/** What an allowance of this finding permits; null for a finding that can never be published. */
export function allowable(
  finding: Omit<GateFinding, "rule"> & { readonly rule: string },
): AllowedFinding | null {
  const { rule, path, line = null, blob = null } = finding;
  if (finding.final || (blob === null && rule !== "dirty_submodule")) return null;
  return { rule, path, line, blob };
}

/** `own` is the run's own allowance, `earlier` those of earlier runs, which still hold for the same content. */
export function withAllowances(
  verdict: GateVerdict,
  allowances: { readonly own: Allowance | null; readonly earlier: readonly Allowance[] },
): GateVerdict {
  const findings = verdict.findings.map((finding) => {
    if (finding.level !== "reject") return finding;
    const found = allowable(finding);
    if (found === null) return finding;
    const asked = [
      ...(allowances.own === null ? [] : [allowances.own]),
      ...(found.blob === null ? [] : allowances.earlier),
    ];
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
