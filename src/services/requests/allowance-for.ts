/** Turns the rules that a person names into an allowance: only for findings and checks that were shown to them. */
import { err, ok, Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { unknownRule } from "../../domain/configuration/typos.ts";
import { rejectedFindings } from "../../domain/gate/rejected-findings.ts";
import { type Allowance, type AllowedFinding, allowable } from "../../domain/publish/allowance.ts";
import { GATE_RULES } from "../../domain/publish/gate-finding.ts";
import type { Run } from "../../domain/run/run.ts";
import { nearestWord } from "../../domain/text/nearest.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readIdentity } from "../../git/repository/identity.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import type { Publish } from "../core/request-shapes.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { checksHolding } from "./held-back.ts";

const CHECK = "check:";

interface Shown {
  readonly attempt: Attempt;
  readonly runs: readonly Run[];
  /** The run whose findings were shown. */
  readonly last: Run;
}

/** Null if nothing is to be allowed. `last` is the run whose findings were shown. */
export async function allowanceFor(
  context: Uses<"git">,
  { allow, reason }: Pick<Publish, "allow" | "reason">,
  view: Shown,
): Promise<Result<Allowance | null, Refusal>> {
  const why = reason?.trim() ?? "";
  if (allow.length === 0 && why === "") return ok(null);
  if (allow.length === 0 || why === "")
    return refused(
      "bad_request",
      "reason_missing",
      "What is allowed needs a reason, and a reason something allowed.",
      {
        remedy: howToAllow(view.last, { allow, id: shortId(view.attempt.id) }),
      },
    );
  const known = Result.combine(
    allow.map((name) => (name.startsWith(CHECK) ? checkOf(name, view) : findingsOf(name, view))),
  );
  if (known.isErr()) return err(known.error);
  const all = known.value.flat();
  const identity = await readIdentity(context.git, worktreeTarget(view.attempt));
  if (identity.isErr())
    return refused("failed", "git_failed", identity.error.message, {
      remedy: "Mend what git says, then ask again.",
    });
  const { name, email } = identity.value.author;
  return ok({
    by: `${name} <${email}>`,
    reason: why,
    findings: all.filter((one) => typeof one !== "string"),
    checks: all.filter((one) => typeof one === "string"),
  });
}

/** The run's own remedy if it was kept back; else the request with what is missing. */
function howToAllow(
  { failure }: Run,
  { allow, id }: { readonly allow: readonly string[]; readonly id: string },
) {
  if (allow.length === 0)
    return failure?.remedy || `\`tazuna show ${id}\` lists what was found, each with its rule.`;
  const flags = allow.map((name) => `--allow ${shellWord(name)}`).join(" ");
  return `\`tazuna publish ${id} ${flags} --reason "..."\`, with why that may be published.`;
}

type Allowed = Result<readonly (AllowedFinding | string)[], Refusal>;

function checkOf(name: string, view: Shown): Allowed {
  const { runs } = view;
  const check = name.slice(CHECK.length);
  const holding = checksHolding(runs);
  const near = nearestWord(check, holding);
  if (holding.includes(check)) return ok([check]);
  return err(nothingShown(view, name, near === null ? null : `${CHECK}${near}`));
}

function findingsOf(rule: string, view: Shown): Allowed {
  const { attempt, runs } = view;
  const { failure } = view.last;
  const unknown = unknownRule(rule);
  const check = checksHolding(runs).includes(rule) ? `${CHECK}${rule}` : null;
  if (unknown !== null)
    return refused(
      "bad_request",
      "unknown_rule",
      check === null ? `It names an ${unknown}` : `"${rule}" is a check; allow it as "${check}".`,
      {
        remedy: `\`tazuna show ${shortId(attempt.id)}\` lists what was found, each with its rule.`,
        details: { rule, known: GATE_RULES },
      },
    );
  const findings = rejectedFindings(failure).filter((finding) => finding.rule === rule);
  if (findings.length === 0) {
    const back = takenBackOf(rule, view.runs);
    return back.length > 0 ? ok(back) : err(nothingShown(view, rule, null));
  }
  const allowed = findings.map(allowable);
  const never = findings.find((_, index) => allowed[index] === null);
  if (never === undefined) return ok(allowed.filter((one) => one !== null));
  return refused("conflict", "never_published", `${never.message}: this cannot be allowed.`, {
    remedy: failure?.remedy ?? never.remedy,
    details: { rule, path: never.path },
  });
}

/** What was allowed by this rule and taken back: it can be allowed again, as it was shown then. */
function takenBackOf(rule: string, runs: readonly Run[]): readonly AllowedFinding[] {
  const last = runs.findLast(({ options }) =>
    options.allowance?.takenBack?.some(({ name }) => name === rule),
  );
  return last?.options.allowance?.findings.filter((finding) => finding.rule === rule) ?? [];
}

function nothingShown({ attempt, last }: Shown, name: string, near: string | null): Refusal {
  const isKept = last.failure?.code === "gate_rejected" || last.failure?.code === "check_failed";
  const meant = near === null ? "" : ` Did you mean "${near}"?`;
  return refuse("conflict", "nothing_to_allow", `Nothing was found by "${name}" in the last run.${meant}`, {
    remedy: isKept
      ? `\`tazuna show ${shortId(attempt.id)}\` lists what was found, each with its rule.`
      : `Leave out \`--allow\` and \`--reason\`: nothing was found that keeps it back.`,
    details: { rule: name },
  });
}
