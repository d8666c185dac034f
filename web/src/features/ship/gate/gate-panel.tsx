/** The gate, rule by rule: what stops the commit first, then what was allowed or told, then what passes. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeText } from "../../../ui/code-text.tsx";
import { type Verdict, VerdictSign } from "../../../ui/state-sign.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import type { GateRow } from "../facts.ts";
import { Panel } from "../panel.tsx";
import { SendBox } from "../send-box.tsx";
import { useActKey } from "../suggested.ts";
import { Allowed } from "./allowed.tsx";
import { LeaveOut, type LeftOutFile, LeftOutList } from "./left-out.tsx";
import { OverrideDialog } from "./override-dialog.tsx";
import { useRuleWords } from "./rule-words.ts";

interface GateProps {
  readonly attempt: string;
  readonly rows: readonly GateRow[];
  readonly tree: string | null;
  readonly isWorking: boolean;
  readonly isKnown: boolean;
  readonly leftOut: readonly LeftOutFile[];
}

const ORDER: Readonly<Record<GateRow["verdict"], number>> = {
  reject: 0,
  overridden: 1,
  report: 2,
  not_run: 3,
  pass: 4,
};

export function GatePanel({ attempt, rows, tree, isWorking, isKnown, leftOut }: GateProps) {
  const { t } = useTranslation("ship");
  const act = useActKey("ask_remove");
  const [isAsking, setAsking] = useState(false);
  const isWide = useMedia("(min-width: 640px)");
  const sorted = rows.toSorted((one, other) => ORDER[one.verdict] - ORDER[other.verdict]);
  const telling = sorted
    .filter(tells)
    .map((row) => withoutLeft(row, leftOut))
    .filter(tells);
  const quiet = sorted.filter((row) => !tells(row));
  const rejected = rows.filter(({ verdict }) => verdict === "reject");
  return (
    <Panel
      step="gate"
      title={t("stepGate")}
      chips={<Counts rows={rows} />}
      side={
        tree === null ? undefined : (
          <>
            {t("tree")} <code>{tree.slice(0, 7)}</code>
          </>
        )
      }
    >
      {rows.length === 0 && <p className="text-small text-ink-2">{t(isKnown ? "gateNotRun" : "loading")}</p>}
      <ul>
        {telling.map((row) => (
          <TellingRow key={row.rule} row={row} attempt={attempt} isWorking={isWorking} />
        ))}
      </ul>
      <LeftOutList files={leftOut} attempt={attempt} isWorking={isWorking} />
      {rejected.length > 0 && !isAsking && !isWorking && (
        <Button
          kind="primary"
          size="small"
          {...act}
          asks="followUp"
          className="mb-2"
          onClick={() => setAsking(true)}
        >
          {t("askRemove")}
        </Button>
      )}
      {isAsking && (
        <SendBox
          attempt={attempt}
          words={t("askRemoveWords", { places: placesOf(rejected) })}
          onClose={() => setAsking(false)}
        />
      )}
      {quiet.length > 0 && (
        <details open={isWide}>
          <summary className="text-fine text-ink-3 sm:hidden">
            {t("gatePassed", { count: quiet.filter(({ verdict }) => verdict === "pass").length })}
          </summary>
          <ul className="columns-2 gap-4 max-sm:columns-1">
            {quiet.map((row) => (
              <QuietRow key={row.rule} row={row} />
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

/** What passes is told only if a person allowed something by it and took that back. */
function tells({ verdict, findings, taken_back }: GateRow): boolean {
  const isQuiet =
    verdict === "pass" || verdict === "not_run" || (verdict === "report" && findings.length === 0);
  return !isQuiet || taken_back.length > 0;
}

/** What a person leaves out has a list of its own. */
function withoutLeft(row: GateRow, leftOut: readonly LeftOutFile[]): GateRow {
  if (row.rule !== "left_out") return row;
  const findings = row.findings.filter(({ path }) => !leftOut.some((file) => file.path === path));
  return { ...row, findings };
}

function Counts({ rows }: { readonly rows: readonly GateRow[] }) {
  const { t } = useTranslation("ship");
  const count = (verdict: GateRow["verdict"]) => rows.filter((row) => row.verdict === verdict).length;
  const chip = (family: string, verdict: Verdict, words: string) => (
    <span className={`chip family-${family}`}>
      <VerdictSign verdict={verdict} />
      {words}
    </span>
  );
  const [passed, rejected, over] = [count("pass"), count("reject"), count("overridden")];
  return (
    <>
      {rejected > 0 && chip("fail", "fail", t("gateRejected", { count: rejected }))}
      {over > 0 && chip("needs", "over", t("gateOverridden", { count: over }))}
      {passed > 0 && chip("ready", "pass", t("gatePassed", { count: passed }))}
    </>
  );
}

function QuietRow({ row }: { readonly row: GateRow }) {
  const { t } = useTranslation("ship");
  const ruleWords = useRuleWords();
  return (
    <li className="flex break-inside-avoid items-start gap-2 py-[3px] text-small">
      <span className="mt-0.5">
        <VerdictSign verdict={row.verdict === "pass" ? "pass" : "skipped"} />
      </span>
      <span className="min-w-0 truncate" title={row.title}>
        {ruleWords(row)}
        <span className="visually-hidden"> {t(row.verdict === "pass" ? "pass" : "notRun")}</span>
      </span>
    </li>
  );
}

const SIGNS = {
  reject: "fail",
  overridden: "over",
  report: "skipped",
  pass: "pass",
  not_run: "skipped",
} as const;
const SAID = { reject: "fail", overridden: "over", report: "told", pass: "pass", not_run: "notRun" } as const;

function TellingRow(props: { readonly row: GateRow; readonly attempt: string; readonly isWorking: boolean }) {
  const { t } = useTranslation("ship");
  const ruleWords = useRuleWords();
  const [isOpen, setOpen] = useState(false);
  const { row, attempt, isWorking } = props;
  const { verdict } = row;
  const canAllow = row.findings.every(({ allowable }) => allowable);
  return (
    <li
      className={`flex items-start gap-2 py-1 text-small max-sm:flex-wrap ${verdict === "reject" ? "-mx-2 mb-1 rounded-control bg-fail-soft px-2" : ""}`}
    >
      <span className="mt-0.5">
        <VerdictSign verdict={SIGNS[verdict]} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium" title={row.title}>
          {ruleWords(row)}
          <span className="visually-hidden"> {t(SAID[verdict])}</span>
        </p>
        <ul>
          {row.findings.map((finding) => (
            <Finding
              key={`${finding.path} ${finding.line} ${finding.message}`}
              finding={finding}
              attempt={attempt}
              isRejected={verdict === "reject"}
            />
          ))}
        </ul>
        {row.more > 0 && <p className="text-fine text-ink-3">{t("moreFindings", { count: row.more })}</p>}
        <Allowed row={row} attempt={attempt} isWorking={isWorking} />
      </div>
      {verdict === "reject" && (
        <span className="flex flex-none flex-col items-end gap-1 max-sm:w-full max-sm:flex-row max-sm:justify-end">
          <Button
            size="small"
            kind="quiet"
            data-act="override"
            asks="publish"
            off={canAllow ? (isWorking ? t("whyWorking") : null) : t("overrideNever")}
            onClick={() => setOpen(true)}
          >
            {t("override")}
          </Button>
          <LeaveOut row={row} attempt={attempt} isWorking={isWorking} />
        </span>
      )}
      {isOpen && <OverrideDialog row={row} attempt={attempt} onClose={() => setOpen(false)} />}
    </li>
  );
}

function Finding(props: {
  readonly finding: GateRow["findings"][number];
  readonly attempt: string;
  readonly isRejected: boolean;
}) {
  const { finding, attempt, isRejected } = props;
  const { path, line, remedy } = finding;
  const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`} `;
  // The place stands before it as a link.
  const message = finding.message.startsWith(place) ? finding.message.slice(place.length) : finding.message;
  return (
    <li className="text-ink-2">
      {path !== null && (
        <Link
          to="/attempts/$id"
          params={{ id: attempt }}
          search={{ file: path }}
          className="font-mono text-fine text-ink hover:underline"
        >
          <bdi>
            {cleanLine(path)}
            {line === null ? "" : `:${line}`}
          </bdi>
        </Link>
      )}{" "}
      <span className="text-fine [overflow-wrap:anywhere]">
        <CodeText text={message} />
      </span>
      {isRejected && remedy !== null && (
        <p className="text-fine text-ink-3">
          <CodeText text={remedy} />
        </p>
      )}
    </li>
  );
}

/** Such as `config/dev.ts:2 (credential)`, as the terminal suggests it. */
function placesOf(rows: readonly GateRow[]): string {
  const places = rows.flatMap(({ rule, findings }) =>
    findings.map(({ path, line }) =>
      path === null ? rule : `${cleanLine(path)}${line === null ? "" : `:${line}`} (${rule})`,
    ),
  );
  return [...new Set(places)].slice(0, 10).join(", ");
}
