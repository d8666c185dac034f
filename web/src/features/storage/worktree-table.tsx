/** Every worktree with its size, and why it may or may not go. */
import type { StorageItem } from "@contract/endpoints/trash.ts";
import { Link } from "@tanstack/react-router";
import { ArrowUp, Lock } from "lucide-react";
import type { RefObject } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
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
          <th scope="col" className="w-40 max-lg:hidden">
            {t("colFlags")}
          </th>
          <th scope="col" className="w-[34%] max-sm:w-24 max-sm:truncate">
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
  const { item, name } = row;
  return (
    <tr
      data-row={row.id}
      data-attempt={item.attempt ?? undefined}
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
        <Name row={row} />
      </td>
      <td className="truncate text-ink-2 max-md:hidden">{item.repository?.name}</td>
      <td className="text-right tabular-nums">
        {item.bytes === null ? <span className="text-ink-3">{t("notCounted")}</span> : bytes(item.bytes)}
      </td>
      <td className="text-right text-ink-2 tabular-nums max-md:hidden">
        {item.last_used_at !== null && rest(now - Date.parse(item.last_used_at))}
      </td>
      <td className="max-lg:hidden">
        <Flags item={item} />
      </td>
      <td title={item.reason ?? undefined}>
        <Verdict row={row} />
      </td>
    </tr>
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
        dir="auto"
        className="truncate hover:underline"
      >
        {name}
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
