/** The head of an attempt's column: its letter, its agent, its state, and the button that chooses it. */
import { numberKey } from "../../data/keys/key-table.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { Letter } from "../../ui/letter.tsx";
import { StateLine } from "../attempts/state-line.tsx";
import type { AttemptColumn } from "./columns.ts";
import type { SummaryProps } from "./summary.tsx";

/** In narrow columns the words of the state need the room. The key is in the line at the foot of the screen. */
const MOST_WITH_KEYS = 4;

export function ColumnHead(props: SummaryProps & { readonly column: AttemptColumn; readonly index: number }) {
  const { t } = useTranslation("compare");
  const { column, columns, index, focused, onFocus, onChoose } = props;
  const { of, letter, isHidden, compared } = column;
  const isOn = letter === focused;
  return (
    <th
      scope="col"
      data-on={isOn || undefined}
      className="rounded-t-control px-2.5 py-1.5 text-left align-bottom font-normal data-on:bg-surface data-on:shadow-[inset_1px_0_var(--line-strong),inset_-1px_0_var(--line-strong),inset_0_1px_var(--line-strong)]"
    >
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          aria-pressed={isOn}
          onClick={() => onFocus(letter)}
          className="flex min-w-24 flex-[1_1_6rem] items-center gap-2 pointer-coarse:min-h-11"
        >
          <Letter letter={letter} solid />
          {isHidden ? (
            <span className="text-fine text-ink-3">{t("hidden")}</span>
          ) : (
            <AgentMark executor={of.attempt.executor} agent={of.attempt.agent} model={of.attempt.model} />
          )}
        </button>
        <span className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-2 gap-y-1">
          <StateLine of={of} />
          {compared.chosen ? (
            // The state of one that has gone no further says it too.
            of.card.code !== "pushed" && <span className="chip family-ready">{t("chosen")}</span>
          ) : (
            <Button size="small" onClick={() => onChoose(letter)}>
              {t("choose", { letter })}
            </Button>
          )}
          {columns.length <= MOST_WITH_KEYS && <KeyCap spec={numberKey(index + 1)} />}
        </span>
      </span>
    </th>
  );
}
