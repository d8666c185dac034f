/** Every worktree with its size, and why it may or may not go. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../i18n/format.ts";
import { CodeText } from "../../ui/code-text.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useRowHeight } from "../../ui/use-row-height.ts";
import { VirtualRows } from "../../ui/virtual-rows.tsx";
import { canChoose, type WorktreeRow } from "./rows.ts";

const ROW = 31;

export function WorktreeTable(props: {
  readonly rows: readonly WorktreeRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation("storage");
  const height = useRowHeight(ROW);
  const { rows } = props;
  return (
    <table className="table table-fixed" aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          <th scope="col" className="w-9">
            <span className="visually-hidden">{t("selected", { count: props.chosen.size })}</span>
          </th>
          <th scope="col">{t("colWorktree")}</th>
          <th scope="col" className="w-36 max-md:hidden">
            {t("colRepository")}
          </th>
          <th scope="col" className="w-24 text-right! max-sm:w-20">
            {t("colSize")}
          </th>
          <th scope="col" className="w-16 text-right! max-md:hidden">
            {t("colAge")}
          </th>
          <th scope="col" className="w-[36%] max-sm:w-24 max-sm:truncate">
            {t("colWhy")}
          </th>
        </tr>
      </thead>
      <VirtualRows
        scroller={props.scroller}
        count={rows.length}
        height={height}
        row={(index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <Row
              key={row.id}
              row={row}
              isFirst={index === 0}
              isChosen={props.chosen.has(row.id)}
              onToggle={() => props.onToggle(row.id)}
            />
          );
        }}
      />
    </table>
  );
}

function Row(props: {
  readonly row: WorktreeRow;
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}) {
  const { t } = useTranslation("storage");
  const { bytes, rest } = useFormat();
  const now = useNow();
  const { row } = props;
  const name = nameOf(row);
  return (
    <tr
      data-row={row.id}
      data-attempt={row.of?.attempt.id}
      tabIndex={props.isFirst ? 0 : -1}
      aria-selected={props.isChosen}
      style={{ height: useRowHeight(ROW) }}
      className="hover:bg-hover focus-visible:bg-accent-soft aria-selected:bg-accent-soft"
    >
      <td>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t("choose", { name })}
          className="block size-[15px] accent-(--accent-fill)"
          checked={props.isChosen}
          disabled={!canChoose(row)}
          onChange={props.onToggle}
        />
      </td>
      <td>
        <Name row={row} name={name} />
      </td>
      <td className="truncate text-ink-2 max-md:hidden">{row.of?.task.repository.name}</td>
      <td className="text-right tabular-nums">
        {row.bytes === null ? <span className="text-ink-3">{t("notCounted")}</span> : bytes(row.bytes)}
      </td>
      <td className="text-right text-ink-2 tabular-nums max-md:hidden">
        {row.of !== null && rest(now - Date.parse(row.of.card.since))}
      </td>
      <td title={row.why}>
        <Verdict row={row} />
      </td>
    </tr>
  );
}

export function nameOf({ of, what }: Pick<WorktreeRow, "of" | "what">): string {
  if (of === null) return cleanLine(what);
  return of.task.attempts.length > 1
    ? `${cleanLine(of.task.title)} · ${of.letter}`
    : cleanLine(of.task.title);
}

function Name({ row, name }: { readonly row: WorktreeRow; readonly name: string }) {
  const { of } = row;
  if (of === null)
    return (
      <span className="family-needs flex min-w-0 items-center gap-2" title={row.path ?? undefined}>
        <StateSign sign="ring-question" />
        <bdi lang="en" className="truncate">
          {name}
        </bdi>
      </span>
    );
  return (
    <span className={`family-${of.card.family} flex min-w-0 items-center gap-2`}>
      <StateSign sign={of.card.sign} />
      <Link
        to="/attempts/$id"
        params={{ id: of.attempt.id }}
        tabIndex={-1}
        className="truncate hover:underline"
      >
        <bdi>{name}</bdi>
      </Link>
    </span>
  );
}

function Verdict({ row }: { readonly row: WorktreeRow }) {
  const { t } = useTranslation("storage");
  const tone =
    row.verdict === "go" ? "text-ready-ink" : row.verdict === "foreign" ? "text-needs-ink" : "text-ink-2";
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className={`flex flex-none items-center gap-1 font-medium ${tone}`}>
        {row.verdict === "go" ? <VerdictSign verdict="pass" /> : <Lock size={12} aria-hidden="true" />}
        {t(row.verdict)}
      </span>
      <span className="truncate text-ink-3 max-sm:hidden">
        <CodeText text={row.why} />
      </span>
    </span>
  );
}
