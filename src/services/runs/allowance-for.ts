/** Turns the rules that a person names into an allowance: of the findings and checks that were shown to them, no others. */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { type Allowance, type AllowedFinding, allowable } from "../../domain/publish/allowance.ts";
import type { Run } from "../../domain/run/run.ts";
import { readIdentity } from "../../git/identity.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Publish, Refusal } from "../services.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { checksHolding } from "./held-back.ts";

const CHECK = "check:";

const shown = z.object({
  findings: z
    .array(
      z.object({
        rule: z.string(),
        level: z.enum(["reject", "report"]).default("reject"),
        path: z.string(),
        line: z.number().exactOptional(),
        message: z.string(),
        remedy: z.string().default(""),
        blob: z.string().exactOptional(),
        final: z.literal(true).exactOptional(),
      }),
    )
    .default([]),
});

/** Null where nothing is to be allowed. `last` is the run whose findings were shown. */
export async function allowanceFor(
  context: ServiceContext,
  { allow, reason }: Pick<Publish, "allow" | "reason">,
  of: { readonly attempt: Attempt; readonly runs: readonly Run[]; readonly last: Run },
): Promise<Result<Allowance | null, Refusal>> {
  const why = reason?.trim() ?? "";
  if (allow.length === 0 && why === "") return ok(null);
  if (allow.length === 0 || why === "")
    return err(
      refuse(
        "bad_request",
        "reason_missing",
        "What is allowed needs a reason, and a reason something allowed.",
        {
          remedy: "`tazuna publish ATTEMPT --allow RULE --reason TEXT`.",
        },
      ),
    );
  const known = allow.map((name) =>
    name.startsWith(CHECK) ? checkOf(name, of.runs) : findingsOf(name, of.last),
  );
  const refused = known.find((one) => one.isErr());
  if (refused?.isErr()) return err(refused.error);
  const all = known.flatMap((one) => one.unwrapOr([]));
  const identity = await readIdentity(context.git, worktreeTarget(of.attempt));
  if (identity.isErr())
    return err(refuse("failed", "git_failed", identity.error.message, { remedy: "Run `git --version`." }));
  const { name, email } = identity.value.author;
  return ok({
    by: `${name} <${email}>`,
    reason: why,
    findings: all.filter((one) => typeof one !== "string"),
    checks: all.filter((one) => typeof one === "string"),
  });
}

type Allowed = Result<readonly (AllowedFinding | string)[], Refusal>;

function checkOf(name: string, runs: readonly Run[]): Allowed {
  const check = name.slice(CHECK.length);
  return checksHolding(runs).includes(check) ? ok([check]) : err(nothingShown(name));
}

function findingsOf(rule: string, { failure }: Run): Allowed {
  const details = failure?.code === "gate_rejected" ? failure.details : {};
  const findings = shown.parse(details).findings.filter((finding) => finding.rule === rule);
  if (findings.length === 0) return err(nothingShown(rule));
  const allowed = findings.map(allowable);
  const never = findings.find((_, index) => allowed[index] === null);
  if (never === undefined) return ok(allowed.filter((one) => one !== null));
  return err(
    refuse("conflict", "never_published", `${never.message}: nobody can allow that.`, {
      remedy: never.remedy || "Remove it, then `tazuna continue ATTEMPT`.",
      details: { rule, path: never.path },
    }),
  );
}

function nothingShown(name: string): Refusal {
  return refuse("conflict", "nothing_to_allow", `Nothing was found by "${name}" in the last run.`, {
    remedy: "`tazuna show ATTEMPT` lists what was found, each with its rule.",
    details: { rule: name },
  });
}
