/** The checks that run, the limits of each attempt, and what happens to its commit. */

import { ChevronDown } from "lucide-react";
import { useWhyNot } from "../../data/may.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import type { Publish, TaskForm } from "./form.ts";
import type { Configured } from "./queries.ts";

export function Limits(props: {
  readonly form: TaskForm;
  readonly configured: Configured;
  readonly onChange: (change: Partial<TaskForm>) => void;
}) {
  const { t } = useTranslation("newTask");
  const { form, configured, onChange } = props;
  // They become settings of the task, which win over every file.
  const mayLimit = useWhyNot()("createTask", { settings: { limits: true } }) === null;
  return (
    <details open className="group border-t border-line pt-2.5">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 text-small font-medium text-ink-2">
        <ChevronDown size={14} aria-hidden="true" className="-rotate-90 group-open:rotate-0" />
        {t("more")}
      </summary>
      <div className="grid gap-3.5 pt-2.5 sm:grid-cols-[1fr_1fr_1.2fr]">
        <Part words={t("checks")}>
          <span className="flex flex-wrap gap-1">
            {configured.checks.length === 0 && <span className="text-small text-ink-3">{t("noChecks")}</span>}
            {configured.checks.map((name) => (
              <span key={name} className="chip">
                <VerdictSign verdict="pass" />
                {name}
              </span>
            ))}
          </span>
        </Part>
        {mayLimit && (
          <Part words={t("limit")}>
            <span className="flex flex-wrap items-center gap-1.5 text-small">
              <SmallNumber
                name={t("minutes")}
                value={form.minutes}
                placeholder={configured.timeoutS === null ? "" : String(Math.round(configured.timeoutS / 60))}
                onChange={(minutes) => onChange({ minutes })}
              />
              {t("minutesUnit")} · $
              <SmallNumber
                name={t("budget")}
                value={form.budget}
                placeholder={configured.costUsd === null ? "–" : String(configured.costUsd)}
                onChange={(budget) => onChange({ budget })}
              />
            </span>
          </Part>
        )}
        <Part words={t("afterChecks")}>
          <Segmented<Publish>
            label={t("afterChecks")}
            value={form.publish ?? (configured.publish as Publish)}
            options={[
              { value: "push", words: t("push") },
              { value: "commit", words: t("commit") },
              { value: "hold", words: t("hold") },
            ]}
            onChange={(publish) => onChange({ publish })}
          />
        </Part>
      </div>
    </details>
  );
}

function Part({ words, children }: { readonly words: string; readonly children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1.5 text-small font-medium text-ink-2">{words}</p>
      {children}
    </div>
  );
}

function SmallNumber(props: {
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <input
      aria-label={props.name}
      inputMode="decimal"
      placeholder={props.placeholder}
      className="h-6 w-14 rounded-chip border border-line-control bg-surface px-1.5 text-small tabular-nums placeholder:text-ink-3 max-sm:h-11"
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}
