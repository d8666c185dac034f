/** The same attempts as a table, of which only the rows in sight exist. */
import { cleanLine } from "@contract/text.ts";
import { COLUMNS } from "@contract/words/present-card.ts";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../i18n/format.ts";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Letter } from "../../ui/letter.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { Checks, Cost, Lines } from "../attempts/numbers.tsx";
import { StateLine } from "../attempts/state-line.tsx";

const ROW = 31;

/** Grouped by column; "Needs you" comes first. */
export function FleetTable({ cards }: { readonly cards: readonly AttemptCard[] }) {
  const { t } = useTranslation("fleet");
  const scroller = useRef<HTMLDivElement>(null);
  const order = ["needs", ...COLUMNS.filter((column) => column !== "needs")];
  const rows = cards.toSorted(
    (one, other) => order.indexOf(one.card.column) - order.indexOf(other.card.column),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <table className="table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {(
              [
                "colState",
                "colTask",
                "colAgent",
                "colRepository",
                "colLines",
                "colChecks",
                "colCost",
                "colTime",
              ] as const
            ).map((column) => (
              <th key={column} scope="col">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index }) => {
            const row = rows[index];
            return row === undefined ? null : <TableRow key={row.attempt.id} of={row} index={index} />;
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

function TableRow({ of, index }: { readonly of: AttemptCard; readonly index: number }) {
  const { task, attempt, letter, card } = of;
  const { rest } = useFormat();
  const now = useNow();
  return (
    <tr
      data-card={attempt.id}
      data-task={task.id}
      tabIndex={index === 0 ? 0 : -1}
      aria-rowindex={index + 2}
      style={{ height: ROW }}
      className="hover:bg-hover focus-visible:bg-accent-soft"
    >
      <td className="max-w-64">
        <StateLine of={of} />
      </td>
      <td className="max-w-96">
        <span className="flex items-center gap-2">
          {task.attempts.length > 1 && <Letter letter={letter} />}
          <Link
            to="/attempts/$id"
            params={{ id: attempt.id }}
            tabIndex={-1}
            className="truncate hover:underline"
          >
            <bdi>{cleanLine(task.title)}</bdi>
          </Link>
        </span>
      </td>
      <td>
        <AgentMark executor={attempt.executor} agent={attempt.agent} model={attempt.model} />
      </td>
      <td className="text-ink-2">{task.repository.name}</td>
      <td>
        <Lines attempt={attempt} />
      </td>
      <td>
        <Checks attempt={attempt} />
      </td>
      <td>
        <Cost attempt={attempt} />
      </td>
      <td className="text-ink-2 tabular-nums">{rest(now - Date.parse(card.since))}</td>
    </tr>
  );
}
