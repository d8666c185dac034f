/** Says what emptying the trash deletes, before it does. The safe button has the focus. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { useEmptyTrash } from "./acts.ts";
import { isMove } from "./queries.ts";
import { bytesOf } from "./rows.ts";

export function EmptyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("storage");
  const { t: s } = useTranslation("shell");
  const { bytes } = useFormat();
  const safe = useRef<HTMLButtonElement>(null);
  const empty = useEmptyTrash(onClose);
  const { data, error } = useQuery({
    queryKey: ["storage", "emptying"],
    queryFn: () => answerOf(api.emptyTrash({ yes: false })),
    staleTime: 0,
    gcTime: 0,
    // What is told before is what goes.
    meta: { renewedBy: isMove },
  });
  const count = data?.removed.length ?? 0;
  return (
    <Dialog open onClose={onClose} title={t("emptyTitle")} firstFocus={safe}>
      <div className="flex flex-col gap-2">
        {error !== null && <ProblemNote error={error} />}
        {data === undefined && error === null && <p className="text-ink-3">{t("scanning")}</p>}
        {data !== undefined && (
          <>
            <p className="font-medium">
              {count === 0
                ? t("emptyNothing")
                : t("emptyText", { count, bytes: bytes(bytesOf(data.removed)) })}
            </p>
            {count > 0 && <p className="text-ink-2">{t("emptySnapshots")}</p>}
            {data.kept.length > 0 && (
              <p className="text-small text-ink-2">
                {t("emptyKept", { count: data.kept.length, reason: data.kept[0]?.reason ?? "" })}
              </p>
            )}
          </>
        )}
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <Button ref={safe} onClick={onClose}>
          {s("cancel")}
        </Button>
        <Button
          kind="danger"
          off={count === 0 ? t("emptyNothing") : null}
          asks="emptyTrash"
          busy={empty.isPending}
          onClick={() => empty.mutate()}
        >
          {t("emptyAct")}
        </Button>
      </div>
    </Dialog>
  );
}
