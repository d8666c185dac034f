/** Every worktree with its size, and why it may or may not go. */
import type { StorageItem } from "@contract/endpoints/trash.ts";
import { Link } from "@tanstack/react-router";
import { ArrowUp, Lock } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { CodeText } from "../../ui/code-text.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { useRowHeight } from "../../ui/use-row-height.ts";
import { VirtualRows } from "../../ui/virtual-rows.tsx";
import { canChoose, type WorktreeRow } from "./rows.ts";
import { AgeCell, AttemptName, Head, RepositoryCell, Row, SizeCell } from "./table-parts.tsx";

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
          <Head
            words={t("selected", { count: props.chosen.size })}
            className="w-9 pointer-coarse:w-11"
            isShown={false}
          />
          <Head words={t("colWorktree")} />
          <Head words={t("colRepository")} className="w-24 xl:w-36 max-md:hidden" />
          <Head words={t("colSize")} className="w-24 text-right! max-sm:w-20" />
          <Head words={t("colAge")} className="w-16 text-right! max-md:hidden" />
          <Head words={t("colFlags")} className="w-40 max-lg:hidden" />
          <Head words={t("colWhy")} className="w-[34%] lg:max-xl:w-[27%] max-sm:w-24 max-sm:truncate" />
        </tr>
      </thead>
      <VirtualRows
        scroller={props.scroller}
        count={rows.length}
        height={height}
        row={(index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <ChoosableRow
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

function ChoosableRow(props: {
  readonly row: WorktreeRow;
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}) {
  const { t } = useTranslation("storage");
  const { row } = props;
  const { item, name } = row;
  return (
    <Row
      name={row.id}
      attempt={item.attempt}
      tabIndex={props.isFirst ? 0 : -1}
      aria-selected={props.isChosen}
      style={{ height: useRowHeight(ROW) }}
    >
      <td>
        {/* As large as the cell: a finger does not hit the box alone. */}
        <label className="tick -mx-2.5 -my-1.5 min-h-[30px] px-2.5 pointer-coarse:my-0 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t("choose", { name })}
            className="block size-[15px]"
            checked={props.isChosen}
            disabled={!canChoose(row)}
            onChange={props.onToggle}
          />
        </label>
      </td>
      <td>
        <Name row={row} />
      </td>
      <RepositoryCell name={item.repository?.name} />
      <SizeCell bytes={item.bytes} />
      <AgeCell since={item.last_used_at} />
      <td className="max-lg:hidden">
        <Flags item={item} />
      </td>
      <td title={item.reason ?? undefined}>
        <Verdict row={row} />
      </td>
    </Row>
  );
}

function Name({ row: { item, of, name } }: { readonly row: WorktreeRow }) {
  if (item.attempt === null)
    return (
      <span className="family-needs flex min-w-0 items-center gap-2" title={item.path ?? undefined}>
        <StateSign sign="ring-question" />
        <bdi lang="en" className="truncate">
          {name}
        </bdi>
      </span>
    );
  return (
    <span className={`family-${of?.card.family ?? "queue"} flex min-w-0 items-center gap-2`}>
      <StateSign sign={of?.card.sign ?? "ring-dashed"} />
      <Link
        to="/attempts/$id"
        params={{ id: item.attempt }}
        tabIndex={-1}
        className="min-w-0 hover:underline"
      >
        <AttemptName of={of} title={item.title} />
      </Link>
    </span>
  );
}

/** Nothing is said of what git was not asked. */
function Flags({ item: { dirty, unpushed } }: { readonly item: StorageItem }) {
  const { t } = useTranslation("storage");
  if (dirty === null && unpushed === null) return null;
  if (dirty !== true && unpushed !== true) return <span className="text-ink-3">{t("clean")}</span>;
  return (
    <span className="flex gap-1">
      {dirty === true && (
        <span className="chip family-needs">
          <VerdictSign verdict="over" />
          {t("dirty")}
        </span>
      )}
      {unpushed === true && (
        <span className="chip family-needs">
          <ArrowUp size={11} aria-hidden="true" />
          {t("unpushed")}
        </span>
      )}
    </span>
  );
}

const TONES = {
  may_go: "text-ready-ink",
  kept: "text-ink-2",
  working: "text-work-ink",
  not_ours: "text-needs-ink",
};

function Verdict({ row: { item } }: { readonly row: WorktreeRow }) {
  const { t } = useTranslation("storage");
  const { verdict, reason } = item;
  if (verdict === null) return <span className="text-ink-3">{t("notExamined")}</span>;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className={`flex flex-none items-center gap-1 font-medium ${TONES[verdict]}`}>
        {verdict === "may_go" ? <VerdictSign verdict="pass" /> : <Lock size={12} aria-hidden="true" />}
        {t(verdict)}
      </span>
      <span className="truncate text-ink-3 max-sm:hidden">
        <CodeText text={reason ?? ""} />
      </span>
    </span>
  );
}
