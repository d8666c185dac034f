/** What a person does with one worker: drain it, take it back, remove it for good. */
import type { WorkerDocument } from "@contract/endpoints/engine.ts";
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";

const SOON_S = 30 * 60;

/** `onDone` reads the list anew; the news of the act may come later. */
export function WorkerActs(props: {
  readonly worker: WorkerDocument;
  /** The id of what shows its name. */
  readonly nameId: string;
  readonly onDone: () => void;
}) {
  const { worker, nameId, onDone } = props;
  const { t } = useTranslation("workers");
  const [isRemoving, setRemoving] = useState(false);
  const { id, state, drain, here } = worker;
  const act = useMutation({
    mutationFn: (what: "drain" | "soon" | "resume") =>
      what === "resume"
        ? answerOf(api.resumeWorker(id))
        : answerOf(api.drainWorker(id, { within_s: what === "soon" ? SOON_S : null })),
    onSuccess: onDone,
    onError: tellProblem,
  });
  const shared = { size: "small", busy: act.isPending, "aria-describedby": nameId } as const;
  // The server of this page would end with it.
  const isRemovable = !here && (state !== "ready" || drain?.runs === 0);
  const isWaiting = drain !== null && drain.runs > 0 && drain.stops_at === null;
  return (
    <span className="ml-auto flex flex-wrap gap-1.5">
      {isWaiting && (
        <Button {...shared} asks="drainWorker" kind="quiet" onClick={() => act.mutate("soon")}>
          {t("stopSoon")}
        </Button>
      )}
      {drain === null ? (
        <Button {...shared} asks="drainWorker" kind="quiet" onClick={() => act.mutate("drain")}>
          {t("drain")}
        </Button>
      ) : (
        <Button {...shared} asks="resumeWorker" onClick={() => act.mutate("resume")}>
          {t("resume")}
        </Button>
      )}
      {isRemovable && (
        <Button
          kind="quiet"
          size="small"
          asks="removeWorker"
          aria-haspopup="dialog"
          aria-describedby={nameId}
          onClick={() => setRemoving(true)}
        >
          {t("remove")}
        </Button>
      )}
      <RemoveDialog worker={worker} open={isRemoving} onClose={() => setRemoving(false)} onDone={onDone} />
    </span>
  );
}

function RemoveDialog(props: {
  readonly worker: WorkerDocument;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation("workers");
  const safe = useRef<HTMLButtonElement>(null);
  const { id, pinned } = props.worker;
  const name = cleanLine(props.worker.name);
  const remove = useMutation({
    mutationFn: () => answerOf(api.removeWorker(id)),
    onSuccess: () => {
      tell({ title: t("removed", { name }) });
      props.onClose();
      props.onDone();
    },
    onError: tellProblem,
  });
  return (
    <Dialog open={props.open} onClose={props.onClose} title={t("removeTitle", { name })} firstFocus={safe}>
      <p className="text-ink-2">{t("removeText")}</p>
      {pinned > 0 && <p className="mt-2 text-ink-2">{t("removePinned", { count: pinned })}</p>}
      <div className="mt-4 flex justify-end gap-2">
        <Button ref={safe} onClick={props.onClose}>
          {t("cancel", { ns: "shell" })}
        </Button>
        <Button kind="danger" asks="removeWorker" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t("removeAct")}
        </Button>
      </div>
    </Dialog>
  );
}
