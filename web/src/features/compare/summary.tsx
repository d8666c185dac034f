/** The attempts of a task beside each other: what is known of each, and which needed the least. */
import { cleanLine, cleanText } from "@contract/text.ts";
import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { LineCounts } from "../attempts/numbers.tsx";
import { ColumnHead } from "./column-head.tsx";
import type { AttemptColumn, Measure } from "./columns.ts";
import { Merges } from "./merges.tsx";

export interface SummaryProps {
  readonly columns: readonly AttemptColumn[];
  /** The letter of the one that has the focus. */
  readonly focused: string;
  readonly onFocus: (letter: string) => void;
  readonly onChoose: (letter: string) => void;
}

export function Summary(props: SummaryProps) {
  const { t } = useTranslation("compare");
  const { columns } = props;
  const base = columns[0]?.of.attempt.base;
  const branch = base?.branch?.replace(/^refs\/heads\//, "") ?? t("base");
  const hasReviews = columns.some(({ compared }) => compared.comments !== null);
  return (
    <section
      aria-label={t("side")}
      className="max-h-[46%] flex-none overflow-auto max-lg:max-h-none border-b border-line px-3.5 py-2"
    >
      <table
        className="-mx-2 w-[calc(100%+16px)] table-fixed border-separate border-spacing-x-2 border-spacing-y-0 text-small"
        style={{ minWidth: 116 + columns.length * 190 }}
      >
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky left-0 z-1 w-[116px] bg-canvas pb-1.5 text-left align-bottom text-fine font-normal text-ink-3"
            >
              <span title={branch} className="line-clamp-2">
                {t("from", { base: branch })}
              </span>{" "}
              <code>{base?.sha?.slice(0, 7) ?? ""}</code>
            </th>
            {columns.map((column, index) => (
              <ColumnHead key={column.id} column={column} index={index} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name={t("checks")} {...props} cell={(column) => <CheckList column={column} />} />
          <Row name={t("lines")} {...props} cell={(column) => <LinesCell column={column} />} />
          <Row name={t("files")} {...props} cell={(column) => <FilesCell column={column} />} />
          <Row name={t("cost")} {...props} cell={(column) => <CostCell column={column} />} />
          <Row name={t("time")} {...props} cell={(column) => <TimeCell column={column} />} />
          <Row name={t("merges", { base: branch })} {...props} cell={({ of }) => <Merges of={of} />} />
          {hasReviews && (
            <Row name={t("review")} {...props} cell={(column) => <CommentsCell column={column} />} />
          )}
          <Row name={t("words")} {...props} isLast cell={(column) => <WordsCell column={column} />} />
        </tbody>
      </table>
    </section>
  );
}

function Row(
  props: SummaryProps & {
    readonly name: string;
    readonly isLast?: boolean;
    readonly cell: (column: AttemptColumn) => ReactNode;
  },
) {
  const { columns, focused, name, isLast = false, cell, onFocus } = props;
  return (
    <tr>
      <th
        scope="row"
        className="sticky left-0 z-1 bg-canvas py-[3px] text-left align-top font-normal text-ink-3"
      >
        <span title={name} className="line-clamp-2 [overflow-wrap:anywhere]">
          {name}
        </span>
      </th>
      {columns.map((column) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the number keys and the head of the column do the same.
        <td
          key={column.id}
          data-on={column.letter === focused || undefined}
          onClick={() => onFocus(column.letter)}
          className={`border-t border-line px-2.5 py-[3px] align-top data-on:bg-surface data-on:shadow-[inset_1px_0_var(--line-strong),inset_-1px_0_var(--line-strong)] ${
            isLast
              ? "data-on:rounded-b-control data-on:shadow-[inset_1px_0_var(--line-strong),inset_-1px_0_var(--line-strong),inset_0_-1px_var(--line-strong)]"
              : ""
          }`}
        >
          {cell(column)}
        </td>
      ))}
    </tr>
  );
}

type Of = { readonly column: AttemptColumn };

function CheckList({ column: { compared } }: Of) {
  const { t } = useTranslation("compare");
  if (compared.checks === null || compared.checks.length === 0)
    return <span className="text-ink-3">{t("noChecks")}</span>;
  return (
    <ul className="flex flex-wrap gap-x-2.5">
      {compared.checks.map(({ name, outcome }) => {
        const passed = outcome === "passed";
        return (
          <li
            key={name}
            className={`flex min-w-0 items-center gap-[3px] ${passed ? "" : "family-fail text-(--tone)"}`}
          >
            <VerdictSign verdict={passed ? "pass" : "fail"} />
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{cleanLine(name)}</bdi>
            <span className="visually-hidden">{t(passed ? "passed" : "failed")}</span>
          </li>
        );
      })}
    </ul>
  );
}

function LinesCell({ column: { compared, lines } }: Of) {
  return (
    <MeasureCell measure={lines}>
      <span className="text-fine">
        <LineCounts additions={compared.additions} deletions={compared.deletions} />
      </span>
    </MeasureCell>
  );
}

function FilesCell({ column: { files, newFiles } }: Of) {
  const { t } = useTranslation("compare");
  return (
    <MeasureCell measure={files} hasBar={false}>
      <b className="font-semibold tabular-nums">{files?.value}</b>
      {newFiles > 0 && <span className="text-ink-3">{t("newFiles", { count: newFiles })}</span>}
    </MeasureCell>
  );
}

function CostCell({ column: { compared, cost, isHidden } }: Of) {
  const { t } = useTranslation("compare");
  const format = useFormat();
  if (isHidden) return <span className="text-ink-3">{t("hidden")}</span>;
  const words = format.cost(cost?.value ?? 0);
  return (
    <MeasureCell measure={cost}>
      <span className="tabular-nums">
        {compared.usage?.cost_estimated ? t("estimated", { cost: words }) : words}
      </span>
    </MeasureCell>
  );
}

function TimeCell({ column: { seconds } }: Of) {
  const format = useFormat();
  return (
    <MeasureCell measure={seconds}>
      <span className="tabular-nums">{format.span((seconds?.value ?? 0) * 1000)}</span>
    </MeasureCell>
  );
}

function CommentsCell({ column: { compared } }: Of) {
  const { t } = useTranslation("compare");
  if (compared.comments === null) return <span className="text-ink-3">{t("unknown")}</span>;
  const count = Object.values(compared.comments).reduce((sum, each) => sum + each, 0);
  return <span>{count === 0 ? t("noComments") : t("comments", { count })}</span>;
}

function WordsCell({ column: { words, isHidden } }: Of) {
  const { t } = useTranslation("compare");
  if (isHidden) return <span className="text-ink-3">{t("hidden")}</span>;
  const said = cleanText(words ?? "").trim();
  if (said === "") return <span className="text-ink-3">{t("nothingSaid")}</span>;
  return (
    <bdi className="line-clamp-2 whitespace-pre-line text-ink-2" title={said}>
      “{said}”
    </bdi>
  );
}

function MeasureCell(props: {
  readonly measure: Measure | null;
  readonly hasBar?: boolean;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation("compare");
  const { measure, hasBar = true } = props;
  if (measure === null) return <span className="text-ink-3">{t("unknown")}</span>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {hasBar && (
        <span
          aria-hidden="true"
          className="keeps-colours h-[5px] w-[84px] max-w-[30%] flex-none rounded-full bg-line"
        >
          <span
            className="block h-full rounded-full bg-ink-3"
            style={{ width: `${Math.max(2, measure.share * 100)}%` }}
          />
        </span>
      )}
      {props.children}
      {measure.isLeast && (
        <em className="rounded-[3px] px-[5px] text-[10.5px] leading-[15px] text-ink-2 not-italic shadow-[inset_0_0_0_1px_var(--line-strong)]">
          {t("least")}
        </em>
      )}
    </span>
  );
}
