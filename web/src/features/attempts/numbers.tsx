/** The numbers of an attempt: lines, checks, cost. Each leads to its evidence. */
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";
import { Link } from "@tanstack/react-router";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";

const NUMBER =
  "inline-flex items-center text-fine tabular-nums pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:justify-end hover:underline";

type Of = { readonly attempt: AttemptDocument };

export function Lines({ attempt: { id, changes } }: Of) {
  if (changes === null || changes.files === 0) return null;
  return (
    <Link to="/attempts/$id" params={{ id }} tabIndex={-1} className={`${NUMBER} whitespace-nowrap`}>
      <LineCounts {...changes} />
    </Link>
  );
}

export function LineCounts(props: { readonly additions: number | null; readonly deletions: number | null }) {
  const { additions, deletions } = props;
  return (
    <span className="tabular-nums whitespace-nowrap">
      <span className="text-add-ink">+{additions ?? "?"}</span>{" "}
      <span className="text-del-ink">−{deletions ?? "?"}</span>
    </span>
  );
}

export function Checks({ attempt }: Of) {
  const { t } = useTranslation("fleet");
  const { id, runs } = attempt;
  const checks = runs.findLast((run: RunDocument) => run.checks.length > 0)?.checks ?? [];
  if (checks.length === 0) return null;
  const passed = checks.filter((check) => check.passed).length;
  return (
    <Link to="/attempts/$id/ship" params={{ id }} tabIndex={-1} className={`${NUMBER} gap-1`}>
      <VerdictSign verdict={passed === checks.length ? "pass" : "fail"} />
      <span aria-hidden="true">
        {passed}/{checks.length}
      </span>
      <span className="visually-hidden">{t("checksPassed", { passed, count: checks.length })}</span>
    </Link>
  );
}

export function Cost({ attempt: { usage } }: Of) {
  const { cost } = useFormat();
  const usd = usage?.cost_usd ?? null;
  if (usd === null) return null;
  return <span className="text-fine text-ink-3 tabular-nums">{cost(usd)}</span>;
}
