/** Lets what the gate stopped through, with a reason; for a credential the name of its file is typed. */
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { answerOf, api, once } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeText } from "../../../ui/code-text.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";
import type { GateRow } from "../facts.ts";
import { useRuleWords } from "./rule-words.ts";

export function OverrideDialog(props: {
  readonly row: Pick<GateRow, "rule" | "title" | "findings">;
  readonly attempt: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("ship");
  const ruleWords = useRuleWords();
  const safe = useRef<HTMLButtonElement>(null);
  const { row, attempt, onClose } = props;
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const paths = row.rule === "credential" ? pathsOf(row.findings) : [];
  const allow = useMutation({
    mutationFn: () => answerOf(api.publish(attempt, { allow: [row.rule], reason }, once())),
    onError: tellProblem,
    onSuccess: () => {
      onClose();
      tell({ title: t("overridden") });
    },
  });
  const isNamed = paths.every((path) => typed[path]?.trim() === path);
  const off = reason.trim() === "" ? t("overrideNeeds") : isNamed ? null : t("overrideNeedsName");
  return (
    <Dialog open onClose={onClose} title={t("overrideTitle", { rule: ruleWords(row) })} firstFocus={safe}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (off === null && !allow.isPending) allow.mutate();
        }}
      >
        <p>{t("overrideLost")}</p>
        <ul className="text-small text-ink-2">
          {row.findings.map(({ message }) => (
            <li key={message}>
              <CodeText text={message} />
            </li>
          ))}
        </ul>
        {paths.map((path) => (
          <label key={path} className="flex flex-col gap-1 text-small text-ink-2">
            {t("overrideType", { path: cleanLine(path) })}
            <input
              className="field font-mono text-ink"
              autoComplete="off"
              value={typed[path] ?? ""}
              onChange={({ target }) => setTyped({ ...typed, [path]: target.value })}
            />
          </label>
        ))}
        <label className="flex flex-col gap-1 text-small text-ink-2">
          {t("overrideReason")}
          <input
            className="field text-ink"
            value={reason}
            maxLength={2000}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
        <span className="flex justify-end gap-2">
          <button ref={safe} type="button" className="button" data-kind="plain" onClick={onClose}>
            {t("cancel")}
          </button>
          <Button kind="danger" type="submit" busy={allow.isPending} off={off}>
            {t("overrideDo")}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}

function pathsOf(findings: GateRow["findings"]): readonly string[] {
  return [...new Set(findings.flatMap(({ path }) => (path === null ? [] : [path])))];
}
