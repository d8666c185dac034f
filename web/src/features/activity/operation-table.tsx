/** Every operation in plain words: when, what, why, where, before and after, how long, and the way back. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { groupOfKind } from "@contract/words/operation-group.ts";
import { ArrowRight, Undo2 } from "lucide-react";
import type { RefObject } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { useRowHeight } from "../../ui/use-row-height.ts";
import { VirtualRows } from "../../ui/virtual-rows.tsx";
import { useActorName } from "../actors/use-actor-name.ts";
import { KindIcon } from "./kind-icon.tsx";
import { changeOf, shortSha, tookMs } from "./operations.ts";
import { SubjectLink } from "./subject.tsx";
import { useOperationWords } from "./use-operation-words.ts";

const ROW = 37;

interface TableProps {
  readonly operations: readonly OperationDocument[];
  readonly undone: ReadonlySet<string>;
  /** Whether it needs to be told who asked. There is no room for the reason then; the details have it. */
  readonly isNamed: boolean;
  readonly chosen: string | null;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly onChoose: (id: string) => void;
  readonly onUndo: (operation: OperationDocument) => void;
}

export function OperationTable(props: TableProps) {
  const { t } = useTranslation("activity");
  const height = useRowHeight(ROW);
  const { operations } = props;
  return (
    <table className="table table-fixed" aria-rowcount={-1}>
      <thead>
        <tr>
          <th scope="col" className="w-20">
            {t("colWhen")}
          </th>
          <th scope="col">{t("colWhat")}</th>
          <th scope="col" className="w-[17%] max-xl:hidden">
            {props.isNamed ? t("by", { ns: "actors" }) : t("colWhy")}
          </th>
          <th scope="col" className="w-[22%] max-sm:hidden">
            {t("colWhere")}
          </th>
          <th scope="col" className="w-44 max-lg:hidden">
            {t("colChange")}
          </th>
          <th scope="col" className="w-20 text-right! max-md:hidden">
            {t("colTook")}
          </th>
          <th scope="col" className="w-32 max-sm:w-24">
            {t("colUndo")}
          </th>
        </tr>
      </thead>
      <VirtualRows
        scroller={props.scroller}
        count={operations.length}
        height={height}
        row={(index) => {
          const operation = operations[index];
          return operation === undefined ? null : (
            <Row key={operation.id} {...props} operation={operation} isFirst={index === 0} />
          );
        }}
      />
    </table>
  );
}

function Row(props: TableProps & { readonly operation: OperationDocument; readonly isFirst: boolean }) {
  const { seconds } = useFormat();
  const { why } = useOperationWords();
  const nameOf = useActorName();
  const { operation } = props;
  const isChosen = props.chosen === operation.id;
  return (
    <tr
      data-row={operation.id}
      tabIndex={props.isFirst ? 0 : -1}
      aria-selected={isChosen}
      style={{ height: useRowHeight(ROW) }}
      className="hover:bg-hover focus-visible:bg-accent-soft aria-selected:bg-accent-soft"
      onClick={() => props.onChoose(operation.id)}
    >
      <td className="whitespace-nowrap text-ink-3 tabular-nums">
        <time dateTime={operation.at}>{seconds(operation.at)}</time>
      </td>
      <td>
        <What operation={operation} />
      </td>
      <td className="truncate text-ink-2 max-xl:hidden">
        <bdi>{props.isNamed ? nameOf(operation.actor) : why(operation)}</bdi>
      </td>
      <td className="max-sm:hidden">
        <SubjectLink subject={operation.subject} />
      </td>
      <td className="max-lg:hidden">
        <Before operation={operation} />
      </td>
      <td className="text-right whitespace-nowrap text-ink-3 tabular-nums max-md:hidden">
        <Took operation={operation} />
      </td>
      <td className="py-1! leading-[14px]!">
        <UndoCell {...props} />
      </td>
    </tr>
  );
}

function What({ operation }: { readonly operation: OperationDocument }) {
  const { t } = useTranslation("activity");
  const { what } = useOperationWords();
  const { kind, status } = operation;
  const isFailed = status === "failed";
  const words = status === "intended" ? "goesOn" : status === "abandoned" ? "abandoned" : null;
  return (
    <span className={`flex min-w-0 items-center gap-2 ${isFailed ? "family-fail text-fail-ink" : ""}`}>
      {isFailed ? (
        <StateSign sign="square-cross" />
      ) : groupOfKind(kind) === "stepped" ? (
        <VerdictSign verdict="over" />
      ) : (
        <KindIcon kind={kind} />
      )}
      <span className="truncate font-medium">{what(kind)}</span>
      {isFailed && <span className="chip family-fail">{t("failed")}</span>}
      {words !== null && <span className="chip">{t(words)}</span>}
    </span>
  );
}

/** Short commits; the whole ones are in the details. */
function Before({ operation }: { readonly operation: OperationDocument }) {
  const { from, to } = changeOf(operation);
  if (from === null && to === null) return null;
  return (
    <span
      className="flex min-w-0 items-center gap-1.5 font-mono text-fine"
      title={`${from ?? "—"} → ${to ?? "—"}`}
    >
      <span className="truncate text-ink-3">{from === null ? "—" : shortSha(from)}</span>
      <ArrowRight size={11} aria-hidden="true" className="flex-none" />
      <span className="truncate">{to === null ? "—" : shortSha(to)}</span>
    </span>
  );
}

function Took({ operation }: { readonly operation: OperationDocument }) {
  const { t } = useTranslation("activity");
  const { number, running } = useFormat();
  const ms = tookMs(operation);
  if (ms === null) return null;
  if (ms < 1000) return <>{t("ms", { count: ms })}</>;
  return <>{ms < 60_000 ? `${number(Math.round(ms / 100) / 10)} s` : running(ms)}</>;
}

function UndoCell(props: TableProps & { readonly operation: OperationDocument }) {
  const { t } = useTranslation("activity");
  const { t: s } = useTranslation("shell");
  const { what, noUndo } = useOperationWords();
  const { operation } = props;
  if (!operation.undoable)
    return (
      <span className="line-clamp-2 text-fine leading-[13px] text-ink-3">
        {props.undone.has(operation.id) ? t("undone") : noUndo(operation)}
      </span>
    );
  return (
    <Button
      size="small"
      tabIndex={-1}
      data-act="undo"
      asks="undo"
      icon={<Undo2 size={13} aria-hidden="true" className="max-sm:hidden" />}
      onClick={(event) => {
        event.stopPropagation();
        props.onUndo(operation);
      }}
    >
      {s("undo")}
      <span className="visually-hidden">{what(operation.kind)}</span>
    </Button>
  );
}
