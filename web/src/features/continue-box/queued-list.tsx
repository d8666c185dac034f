/** The follow-ups that wait in the queue of an attempt: edit, reorder, remove. */

import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Pencil, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { putBack } from "../../data/kept-words.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useShown } from "../../ui/use-shown.ts";
import { useFollowUp } from "../attempts/act.ts";

export function QueuedList({
  attempt,
  queued,
}: {
  readonly attempt: string;
  readonly queued: readonly RunDocument[];
}) {
  const { t } = useTranslation("continue");
  const inOrder = queued.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));
  return (
    <ol aria-label={t("queue_label")} className="flex max-h-40 flex-col gap-1 overflow-y-auto">
      {inOrder.map((run, index) => (
        <QueuedRun
          key={run.id}
          run={run}
          attempt={attempt}
          place={{ isFirst: index === 0, isLast: index === inOrder.length - 1 }}
        />
      ))}
    </ol>
  );
}

function QueuedRun(props: {
  readonly run: RunDocument;
  readonly attempt: string;
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean };
}) {
  const { t } = useTranslation("continue");
  const { run, attempt, place } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const [wasEdited, setEdited] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const followUp = useFollowUp(attempt);
  const change = useMutation({
    mutationFn: (set: NonNullable<Parameters<typeof api.changeQueued>[1]>) =>
      answerOf(api.changeQueued(run.id, set)),
    // What was refused stays in its box, or goes where it can be seen.
    onError: (error, { instruction }) => {
      tellProblem(error);
      if (instruction != null && !isShown()) putBack(attempt, instruction);
    },
    onSuccess: (_, { instruction }) => {
      if (instruction != null) setDraft(null);
    },
  });
  const isShown = useShown();
  useRescued(attempt, change.isPending || draft === run.instruction ? null : draft);
  const remove = useMutation({
    mutationFn: () => answerOf(api.removeQueued(run.id)),
    onError: tellProblem,
    onSuccess: () => {
      leave(row.current);
      tell({
        title: t("removed"),
        undo: run.kind === "agent" ? () => followUp.mutate({ instruction: run.instruction }) : undefined,
      });
    },
  });
  const position = run.position ?? 1;
  const save = () => {
    const words = draft?.trim() ?? "";
    if (words === "" || words === run.instruction) setDraft(null);
    else if (!change.isPending) change.mutate({ instruction: words });
  };
  if (draft !== null)
    return (
      <li>
        <textarea
          className="field min-h-12"
          aria-label={t("editQueued")}
          value={draft}
          readOnly={change.isPending}
          // biome-ignore lint/a11y/noAutofocus: the person just asked to write here.
          autoFocus
          onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
          onChange={({ target }) => setDraft(target.value)}
          onBlur={() => {
            setEdited(false);
            save();
          }}
          onKeyDown={(event) => {
            const isSave = event.key === "Enter" && !event.shiftKey;
            if (isComposing(event.nativeEvent) || (!isSave && event.key !== "Escape")) return;
            event.preventDefault();
            event.stopPropagation();
            setEdited(true);
            if (isSave) save();
            else setDraft(null);
          }}
        />
      </li>
    );
  return (
    <li
      ref={row}
      data-queued={run.id}
      className="flex items-center gap-1.5 rounded-control bg-sunken px-2 py-0.5 text-small"
    >
      <span className={`chip ${run.held ? "family-needs" : ""}`}>
        {run.held ? t("held") : t("place", { number: position })}
      </span>
      <bdi className="min-w-0 flex-1 truncate" title={cleanLine(run.instruction)}>
        {cleanLine(run.instruction)}
      </bdi>
      <Button
        kind="quiet"
        size="small"
        label={t("earlier")}
        icon={<ArrowUp size={14} />}
        off={place.isFirst ? t("isFirst") : null}
        onClick={() => change.mutate({ position: position - 1 })}
      />
      <Button
        kind="quiet"
        size="small"
        label={t("later")}
        icon={<ArrowDown size={14} />}
        off={place.isLast ? t("isLast") : null}
        onClick={() => change.mutate({ position: position + 1 })}
      />
      <Button
        kind="quiet"
        size="small"
        label={t("edit")}
        icon={<Pencil size={14} />}
        data-edit=""
        // The person left the words of this row by a key.
        autoFocus={wasEdited}
        onClick={() => setDraft(run.instruction)}
      />
      <Button
        kind="quiet"
        size="small"
        label={t("remove")}
        icon={<X size={14} />}
        busy={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  );
}

/** A row may go while its words are changed, such as when its run begins. Then they stand in the box of the attempt. */
function useRescued(attempt: string, draft: string | null): void {
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(
    () => () => {
      const words = latest.current?.trim() ?? "";
      if (words !== "") putBack(attempt, words);
    },
    [attempt],
  );
}

/** A row that goes gives the focus to the one beside it, else to the screen. */
function leave(row: HTMLElement | null): void {
  if (row === null || !row.contains(document.activeElement)) return;
  const beside = row.nextElementSibling ?? row.previousElementSibling;
  (beside?.querySelector<HTMLElement>("[data-edit]") ?? document.getElementById("main"))?.focus();
}
