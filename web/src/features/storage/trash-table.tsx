/** What lies in the trash, and the way back. */
import type { TrashDocument } from "@contract/endpoints/trash.ts";
import { cleanLine } from "@contract/text.ts";
import { Trash2, Undo2 } from "lucide-react";
import type { RefObject } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useRowHeight } from "../../ui/use-row-height.ts";
import { VirtualRows } from "../../ui/virtual-rows.tsx";
import { useAttemptCard } from "../attempts/use-attempt-card.ts";
import { useRestore } from "./acts.ts";
import { nameOf } from "./rows.ts";

const ROW = 37;

export function TrashTable(props: {
  readonly entries: readonly TrashDocument[];
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation("storage");
  const height = useRowHeight(ROW);
  return (
    <table className="table table-fixed" aria-rowcount={props.entries.length + 1}>
      <thead>
        <tr>
          <th scope="col">{t("colWorktree")}</th>
          <th scope="col" className="w-36 max-md:hidden">
            {t("colRepository")}
          </th>
          <th scope="col" className="w-24 text-right!">
            {t("colSize")}
          </th>
          <th scope="col" className="w-24 text-right! max-md:hidden">
            {t("colSince")}
          </th>
          <th scope="col" className="w-56 max-md:hidden">
            {t("colSnapshot")}
          </th>
          <th scope="col" className="w-32">
            <span className="visually-hidden">{t("colAct")}</span>
          </th>
        </tr>
      </thead>
      <VirtualRows
        scroller={props.scroller}
        count={props.entries.length}
        height={height}
        row={(index) => {
          const entry = props.entries[index];
          return entry === undefined ? null : <Row key={entry.id} entry={entry} />;
        }}
      />
    </table>
  );
}

function Row({ entry }: { readonly entry: TrashDocument }) {
  const { t } = useTranslation("storage");
  const { bytes, rest, clock } = useFormat();
  const now = useNow();
  const restore = useRestore();
  const of = useAttemptCard(entry.attempt);
  const name = nameOf(of, entry.attempt.slice(0, 8));
  return (
    <tr
      data-row={entry.id}
      data-attempt={entry.attempt}
      tabIndex={-1}
      style={{ height: useRowHeight(ROW) }}
      className="hover:bg-hover focus-visible:bg-accent-soft"
    >
      <td>
        <span className="flex min-w-0 items-center gap-2">
          <Trash2 size={14} aria-hidden="true" className="flex-none text-ink-3" />
          <bdi className="truncate">{cleanLine(name)}</bdi>
        </span>
      </td>
      <td className="truncate text-ink-2 max-md:hidden">{of?.task.repository.name}</td>
      <td className="text-right tabular-nums">
        {entry.bytes === null ? <span className="text-ink-3">{t("notCounted")}</span> : bytes(entry.bytes)}
      </td>
      <td className="text-right text-ink-2 tabular-nums max-md:hidden" title={clock(entry.deleted_at)}>
        {rest(now - Date.parse(entry.deleted_at))}
      </td>
      <td className="max-md:hidden">
        <Snapshot entry={entry} />
      </td>
      <td className="text-right">
        <Button
          size="small"
          tabIndex={-1}
          data-act="restore"
          icon={<Undo2 size={13} aria-hidden="true" />}
          busy={restore.isPending}
          onClick={() => restore.mutate(entry.id)}
        >
          {t("restore")}
          <span className="visually-hidden">{name}</span>
        </Button>
      </td>
    </tr>
  );
}

/** Until when it can be restored whole, and what stays after that. */
function Snapshot({ entry }: { readonly entry: TrashDocument }) {
  const { t } = useTranslation("storage");
  const { rest, clock } = useFormat();
  const now = useNow();
  const { snapshot, purge_at: purgeAt, snapshot_stays: stays } = entry;
  const left = rest(Math.max(0, Date.parse(purgeAt) - now));
  return (
    <span
      className="flex min-w-0 items-center gap-1.5 text-ink-2"
      title={`${clock(purgeAt)} ${snapshot ?? ""}`}
    >
      {stays && <VerdictSign verdict="pass" />}
      <span className="truncate">{t(stays ? "purgedStays" : "purged", { left })}</span>
    </span>
  );
}
