/** Tells what the publish gate came to, by rule and by check, from what the judged run stored. */
import { z } from "zod";
import { type Allowance, allowable, namesIn, standingOf } from "../publish/allowance.ts";
import { maskedIn } from "../publish/content-rules.ts";
import { GATE_RULES, type GateLevels, type GateRule, LEVEL_BY_DEFAULT } from "../publish/gate-finding.ts";
import { RULE_TITLES } from "../publish/rule-titles.ts";
import type { CheckResult } from "../run/check.ts";
import type { Run, RunNote } from "../run/run.ts";
import { rejectedFindings } from "./rejected-findings.ts";

export interface GateRow {
  /** A rule's id, or `check:NAME`. */
  readonly rule: string;
  readonly title: string;
  readonly verdict: "pass" | "reject" | "report" | "overridden" | "not_run";
  /** What the rule does with what it finds; a required check rejects. */
  readonly level: "reject" | "report" | "off";
  readonly findings: readonly RowFinding[];
  /** How many more there are, which were not stored. */
  readonly more: number;
  readonly override: RowOverride | null;
  /** What was allowed and taken back, the oldest first. */
  readonly takenBack: readonly RowTakenBack[];
  readonly whyNotRun: string | null;
}

interface RowFinding {
  /** Null for a check. */
  readonly path: string | null;
  readonly line: number | null;
  readonly message: string;
  /** A credential, masked behind its first characters; null for all else. */
  readonly masked: string | null;
  readonly remedy: string | null;
  /** Whether a person may allow it. */
  readonly allowable: boolean;
}

interface RowOverride {
  readonly by: string;
  readonly reason: string;
  readonly at: string | null;
  /** No commit and no push has used it yet. */
  readonly canTakeBack: boolean;
}

interface RowTakenBack {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  readonly takenBackBy: string | null;
  readonly takenBackAt: string;
}

/** Who allowed what, and when. */
interface GivenAllowance extends Allowance {
  readonly at: string;
  /** The names of what came to a commit or a push. */
  readonly used: ReadonlySet<string>;
}

interface GateInput {
  /** The last run that came to the gate; null if none did. */
  readonly judged: Pick<Run, "failure" | "notes"> | null;
  /** Its results. */
  readonly checks: readonly CheckResult[];
  /** Why nothing was judged, or why its checks did not run. */
  readonly why: string;
  readonly levels: GateLevels;
  readonly declared: readonly { readonly name: string; readonly run: string; readonly required: boolean }[];
  /** All of the attempt, the oldest first. */
  readonly allowances: readonly GivenAllowance[];
}

export function gateRows(input: GateInput): readonly GateRow[] {
  const found = input.judged === null ? [] : foundIn(input.judged, input.allowances);
  const names = [...input.declared, ...input.checks].map(({ name }) => name);
  return [
    ...GATE_RULES.map((rule) => ruleRow(rule, found, input)),
    ...[...new Set(names)].map((name) => checkRow(name, input)),
  ];
}

interface Found extends RowFinding {
  readonly rule: string;
  readonly level: "reject" | "report";
  readonly override: RowOverride | null;
}

const noted = z.object({ path: z.string(), line: z.number().exactOptional(), level: z.literal("report") });
const allowedNote = z.object({
  rule: z.string(),
  path: z.string(),
  line: z.number().exactOptional(),
  by: z.string(),
  reason: z.string(),
});

/** What rejected stands in the failure, what was reported or allowed in the notes. */
function foundIn(
  { failure, notes }: Pick<Run, "failure" | "notes">,
  allowances: readonly GivenAllowance[],
): readonly Found[] {
  const rejected = rejectedFindings(failure).map(
    (each): Found => ({
      ...findingOf(each.rule, each),
      remedy: each.remedy,
      level: "reject",
      allowable: allowable(each) !== null,
    }),
  );
  return [...rejected, ...notes.flatMap((note) => foundInNote(note, allowances))];
}

function foundInNote({ code, message, details }: RunNote, allowances: readonly GivenAllowance[]): Found[] {
  const allowed = code === "allowed_finding" ? allowedNote.safeParse(details).data : undefined;
  if (allowed !== undefined) {
    const { rule, by, reason } = allowed;
    const found = findingOf(rule, { ...allowed, message: wordsBefore(message) });
    const given = allowances.findLast((one) => one.by === by && one.reason === reason);
    if (given !== undefined && !stands(given, rule)) return [{ ...found, level: "reject", allowable: true }];
    const override = { by, reason, at: given?.at ?? null, canTakeBack: given?.used.has(rule) === false };
    return [{ ...found, level: "reject", override }];
  }
  const reported = isRule(code) ? noted.safeParse(details).data : undefined;
  return reported === undefined ? [] : [{ ...findingOf(code, { ...reported, message }), level: "report" }];
}

/** Whether it still holds for this rule. */
function stands(given: GivenAllowance, name: string): boolean {
  const standing = standingOf(given);
  return standing !== null && namesIn(standing).includes(name);
}

/** Without who allowed it, which the row says on its own. */
function wordsBefore(message: string): string {
  const at = message.lastIndexOf(" (allowed by ");
  return at === -1 ? message : message.slice(0, at);
}

function takenBackOf(name: string, allowances: readonly GivenAllowance[]): readonly RowTakenBack[] {
  return allowances.flatMap(({ by, reason, at, takenBack = [] }) =>
    takenBack
      .filter((one) => one.name === name)
      .map((one) => ({ by, reason, at, takenBackBy: one.by, takenBackAt: one.at })),
  );
}

function findingOf(
  rule: string,
  { path, line, message }: { readonly path: string; readonly line?: number; readonly message: string },
): Omit<Found, "level"> {
  const masked = rule === "credential" ? maskedIn(message) : null;
  return { rule, path, line: line ?? null, message, masked, remedy: null, allowable: false, override: null };
}

function isRule(code: string): code is GateRule {
  return GATE_RULES.some((rule) => rule === code);
}

function ruleRow(rule: GateRule, all: readonly Found[], input: GateInput): GateRow {
  const { judged, levels, why } = input;
  const level = levels[rule] ?? LEVEL_BY_DEFAULT[rule];
  const found = all.filter((each) => each.rule === rule);
  const override = found.find((each) => each.override !== null)?.override ?? null;
  const whyNotRun =
    judged === null ? why : level === "off" && found.length === 0 ? "`gate.rules` switches it off." : null;
  return {
    rule,
    title: RULE_TITLES[rule],
    verdict: whyNotRun === null ? verdictOf(found) : "not_run",
    level,
    findings: found.map(shown),
    more: moreOf(judged, rule),
    override,
    takenBack: takenBackOf(rule, input.allowances),
    whyNotRun,
  };
}

function verdictOf(found: readonly Found[]): GateRow["verdict"] {
  if (found.some(({ level, override }) => level === "reject" && override === null)) return "reject";
  if (found.some(({ override }) => override !== null)) return "overridden";
  return found.length > 0 ? "report" : "pass";
}

function shown({ path, line, message, masked, remedy, allowable: may }: Found): RowFinding {
  return { path, line, message, masked, remedy: remedy || null, allowable: may };
}

const moreDetails = z.object({ rules: z.record(z.string(), z.number()) });

function moreOf(judged: GateInput["judged"], rule: GateRule): number {
  const note = judged?.notes.find(({ code }) => code === "more_findings");
  return moreDetails.safeParse(note?.details).data?.rules[rule] ?? 0;
}

function checkRow(name: string, { checks, declared, allowances, why }: GateInput): GateRow {
  const result = checks.find((check) => check.name === name);
  const setting = declared.find((check) => check.name === name);
  const required = result?.required ?? setting?.required ?? false;
  const allowed = allowances.findLast((one) => stands(one, `check:${name}`));
  const failed = result !== undefined && result.outcome !== "passed";
  const isOverridden = failed && required && allowed !== undefined;
  return {
    rule: `check:${name}`,
    title: result?.command ?? setting?.run ?? name,
    verdict: checkVerdict({ result, required, isOverridden }),
    level: required ? "reject" : "report",
    findings: failed ? [checkFinding(result)] : [],
    more: 0,
    override: isOverridden
      ? {
          by: allowed.by,
          reason: allowed.reason,
          at: allowed.at,
          canTakeBack: !allowed.used.has(`check:${name}`),
        }
      : null,
    takenBack: takenBackOf(`check:${name}`, allowances),
    whyNotRun: result === undefined ? why : null,
  };
}

function checkVerdict(of: {
  readonly result: CheckResult | undefined;
  readonly required: boolean;
  readonly isOverridden: boolean;
}): GateRow["verdict"] {
  if (of.result === undefined) return "not_run";
  if (of.result.outcome === "passed") return "pass";
  if (of.isOverridden) return "overridden";
  return of.required ? "reject" : "report";
}

function checkFinding({ name, outcome, exitCode, required }: CheckResult): RowFinding {
  const how = {
    passed: "passed",
    failed: exitCode === null ? "was ended by a signal" : `ended with exit code ${exitCode}`,
    timed_out: "did not end in time",
    stopped: "was stopped by a person",
  }[outcome];
  const message = `The check ${name} ${how}`;
  return { path: null, line: null, message, masked: null, remedy: null, allowable: required };
}
