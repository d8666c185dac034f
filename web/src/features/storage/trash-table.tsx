/** What lies in the trash, and the way back. */
import type { TrashDocument } from "@contract/endpoints/trash.ts";
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
import { AgeCell, AttemptName, Head, RepositoryCell, Row, SizeCell } from "./table-parts.tsx";

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
          <Head words={t("colWorktree")} />
          <Head words={t("colRepository")} className="w-36 max-md:hidden" />
          <Head words={t("colSize")} className="w-24 text-right!" />
          <Head words={t("colSince")} className="w-24 text-right! max-md:hidden" />
          <Head words={t("colSnapshot")} className="w-56 max-md:hidden" />
          <Head words={t("colAct")} className="w-32" isShown={false} />
        </tr>
      </thead>
      <VirtualRows
        scroller={props.scroller}
        count={props.entries.length}
        height={height}
        row={(index) => {
          const entry = props.entries[index];
          return entry === undefined ? null : <TrashRow key={entry.id} entry={entry} />;
        }}
      />
    </table>
  );
}

function TrashRow({ entry }: { readonly entry: TrashDocument }) {
  const { t } = useTranslation("storage");
  const { clock } = useFormat();
  const restore = useRestore();
  const of = useAttemptCard(entry.attempt);
  const name = nameOf(of, entry.attempt.slice(0, 8));
  return (
    <Row name={entry.id} attempt={entry.attempt} style={{ height: useRowHeight(ROW) }}>
      <td>
        <span className="flex min-w-0 items-center gap-2">
          <Trash2 size={14} aria-hidden="true" className="flex-none text-ink-3" />
          <AttemptName of={of} title={entry.attempt.slice(0, 8)} />
        </span>
      </td>
      <RepositoryCell name={of?.task.repository.name} />
      <SizeCell bytes={entry.bytes} />
      <AgeCell since={entry.deleted_at} title={clock(entry.deleted_at)} />
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
    </Row>
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
