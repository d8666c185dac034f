/** The attempt's own checks on its last tree, each with its log and the way to the agent. */

import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { OutputBlock } from "../../ui/output-block.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import type { GateRow } from "./facts.ts";
import { Allowed } from "./gate/allowed.tsx";
import { OverrideDialog } from "./gate/override-dialog.tsx";
import { Panel } from "./panel.tsx";
import { SendBox } from "./send-box.tsx";
import { useActKey } from "./suggested.ts";

type Check = RunDocument["checks"][number];

interface ChecksProps {
  readonly attempt: string;
  readonly checks: readonly Check[];
  readonly allowed: readonly string[];
  readonly isWorking: boolean;
  /** Rows of the gate that stand for checks. */
  readonly rows: readonly GateRow[];
}

export function ChecksPanel(props: ChecksProps) {
  const { t } = useTranslation("ship");
  const { checks } = props;
  const passed = checks.filter((check) => check.passed).length;
  const firstRed = checks.find((check) => !check.passed);
  return (
    <Panel
      step="checks"
      title={t("stepChecks")}
      chips={
        checks.length === 0 ? undefined : (
          <span className={`chip ${passed === checks.length ? "family-ready" : "family-fail"}`}>
            <VerdictSign verdict={passed === checks.length ? "pass" : "fail"} />
            {t("checksPassed", { passed, all: checks.length })}
          </span>
        )
      }
      side={
        checks[0] === undefined ? undefined : (
          <>
            {t("tree")} <code>{checks[0].tree.slice(0, 7)}</code>
          </>
        )
      }
    >
      {checks.length === 0 && <p className="text-small text-ink-2">{t("noChecksText")}</p>}
      <ul>
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} isFirstRed={check === firstRed} {...props} />
        ))}
      </ul>
    </Panel>
  );
}

const END_OF_LOG = 2_000;

/** The key presses the first of them. */
function useCheckKey(isFirst: boolean) {
  const { keySpec, ...act } = useActKey("send_check");
  return isFirst && keySpec !== undefined ? { ...act, keySpec } : act;
}

function CheckRow(props: ChecksProps & { readonly check: Check; readonly isFirstRed: boolean }) {
  const { t } = useTranslation("ship");
  const { span } = useFormat();
  const { check, attempt, allowed, isWorking, rows } = props;
  const [shown, setShown] = useState<"log" | "send" | "override" | null>(check.passed ? null : "log");
  const isAllowed = allowed.includes(check.name);
  const act = useCheckKey(props.isFirstRed);
  const row = rows.find(({ rule }) => rule === `check:${check.name}`);
  const show = (what: NonNullable<typeof shown>) => setShown(shown === what ? null : what);
  return (
    <li
      className={`flex items-start gap-2 py-[3px] text-small pointer-coarse:items-center ${check.passed ? "" : "-mx-2 my-1 rounded-control bg-fail-soft px-2"}`}
    >
      <span className="mt-[5px]">
        <VerdictSign verdict={check.passed ? "pass" : isAllowed ? "over" : "fail"} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{cleanLine(check.name)}</bdi>
          <span className="visually-hidden">{t(check.passed ? "pass" : isAllowed ? "over" : "fail")}</span>
          {!check.required && <span className="text-ink-3">{t("optional")}</span>}
          <Button size="small" kind="quiet" aria-expanded={shown === "log"} onClick={() => show("log")}>
            {t("log")}
          </Button>
          <span className="ml-auto text-fine text-ink-3 tabular-nums">{span(check.duration_ms)}</span>
        </p>
        {shown === "log" &&
          (check.log.trim() === "" ? (
            <p className="text-ink-3">{t("noLog")}</p>
          ) : (
            <OutputBlock text={cleanText(check.log)} label={`${t("log")}: ${check.name}`} />
          ))}
        {!check.passed && !isWorking && shown !== "send" && (
          <span className="mt-1.5 mb-1 flex flex-wrap gap-2">
            <Button kind="primary" size="small" {...act} asks="followUp" onClick={() => show("send")}>
              {t("sendFailure")}
            </Button>
            {check.required && !isAllowed && (
              <Button
                kind="quiet"
                size="small"
                data-act="override"
                asks="publish"
                onClick={() => show("override")}
              >
                {t("override")}
              </Button>
            )}
          </span>
        )}
        {row !== undefined && <Allowed row={row} attempt={attempt} isWorking={isWorking} />}
        {shown === "send" && (
          <SendBox
            attempt={attempt}
            words={`${t("sendCheckWords", { name: cleanLine(check.name) })}\n\n${t("sendCheckEnd")}\n${cleanText(check.log).trimEnd().slice(-END_OF_LOG)}`}
            onClose={() => setShown("log")}
          />
        )}
        {shown === "override" && (
          <OverrideDialog
            row={row ?? { rule: `check:${check.name}`, title: check.name, findings: [] }}
            attempt={attempt}
            onClose={() => setShown("log")}
          />
        )}
      </div>
    </li>
  );
}
