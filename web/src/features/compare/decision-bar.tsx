/** Chooses an attempt with a reason, and shows which one was chosen and why. */
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useKeptWords } from "../../data/kept-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Letter } from "../../ui/letter.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useKeys } from "../keys/keys.ts";
import type { AttemptColumn } from "./columns.ts";
import { lettersWords } from "./file-grid.tsx";
import { useTrash } from "./trash.ts";

interface DecisionProps {
  readonly columns: readonly AttemptColumn[];
  readonly column: AttemptColumn;
  readonly decision: { readonly id: string; readonly attempt: string; readonly reason: string } | null;
  /** Another one is to be chosen than the one that is. */
  readonly isChanging: boolean;
  readonly onChanging: (changing: boolean) => void;
  readonly reasonBox: RefObject<HTMLInputElement | null>;
  /** Names are no longer hidden then, so letters are those of the fleet. */
  readonly onRecorded: (letter: string) => void;
}

export function DecisionBar(props: DecisionProps) {
  const { decision, isChanging, columns } = props;
  const chosen = columns.find(({ id }) => id === decision?.attempt);
  const [isNew, setNew] = useState(false);
  if (decision !== null && chosen !== undefined && !isChanging)
    return <Decided {...props} chosen={chosen} reason={decision.reason} isNew={isNew} />;
  return <Choosing {...props} onChosen={() => setNew(true)} />;
}

const BAR =
  "flex min-h-[52px] flex-none flex-wrap items-center gap-x-2.5 gap-y-1.5 border-t border-line bg-surface px-3.5 py-1.5";

const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

function Decided({
  chosen,
  reason,
  isNew,
  onChanging,
  decision,
}: DecisionProps & {
  readonly chosen: AttemptColumn;
  readonly reason: string;
  /** It was chosen on this screen: what had the focus is gone, and this comes next. */
  readonly isNew: boolean;
}) {
  const { t } = useTranslation("compare");
  const navigate = useNavigate();
  const takeBack = useTakeBack(chosen.of.task.id);
  return (
    <div className={BAR}>
      <Letter letter={chosen.letter} solid />
      <span className="min-w-0 flex-[1_1_12rem] truncate" title={cleanLine(reason)}>
        <span className="text-ink-3">{t("chosenBecause", { letter: chosen.letter })}</span>{" "}
        <bdi>{cleanLine(reason)}</bdi>
      </span>
      <Button
        kind="quiet"
        busy={takeBack.isPending}
        onClick={() => decision !== null && takeBack.mutate(decision.id)}
      >
        {t("takeBack")}
      </Button>
      <Button onClick={() => onChanging(true)}>{t("chooseAnother")}</Button>
      <Button
        kind="primary"
        keySpec="S"
        {...(isNew ? { ref: takeFocus } : {})}
        onClick={() => void navigate({ to: "/attempts/$id/ship", params: { id: chosen.id } })}
      >
        {t("toShip", { letter: chosen.letter })}
      </Button>
    </div>
  );
}

function Choosing(props: DecisionProps & { readonly onChosen: () => void }) {
  const { t } = useTranslation("compare");
  const { columns, column, decision, reasonBox, onChanging } = props;
  const [reason, setReason] = useKeptWords(`reason ${column.of.task.id}`);
  const choose = useChoose(props, () => {
    setReason("");
    props.onChosen();
    onChanging(false);
  });
  const record = () => {
    if (reason.trim() !== "" && !choose.isPending) choose.mutate(reason);
  };
  useKeys([{ spec: "mod+enter", words: t("record"), run: record, whileTyping: true }]);
  return (
    <form
      className={BAR}
      onSubmit={(event) => {
        event.preventDefault();
        record();
      }}
    >
      <Letter letter={column.letter} solid />
      <span className="font-medium">{t("choose", { letter: column.letter })}</span>
      <label className="field flex min-w-48 flex-1 items-center gap-1.5 py-0! focus-within:border-transparent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <span className="text-ink-3">{t("because")}</span>
        <input
          ref={reasonBox}
          className="min-w-0 flex-1 bg-transparent py-1.5 outline-none"
          value={reason}
          readOnly={choose.isPending}
          maxLength={4000}
          // A choice that somebody else makes meanwhile does not take the box away.
          onFocus={() => onChanging(true)}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      <Beside columns={columns} column={column} decision={decision} />
      {decision !== null && (
        <Button kind="quiet" onClick={() => onChanging(false)}>
          {t("keepChoice")}
        </Button>
      )}
      <Button
        kind="primary"
        type="submit"
        keySpec="mod+enter"
        busy={choose.isPending}
        off={reason.trim() === "" ? t("needsReason") : null}
      >
        {t("record")}
      </Button>
    </form>
  );
}

/** More are told by their number. */
const MOST_LETTERS = 6;

/** What becomes of the others; or what is chosen at present, perhaps by somebody else meanwhile. */
function Beside({ columns, column, decision }: Pick<DecisionProps, "columns" | "column" | "decision">) {
  const { t } = useTranslation("compare");
  const chosen = columns.find(({ id }) => id === decision?.attempt);
  const others = columns.filter(({ id }) => id !== column.id).map(({ letter }) => letter);
  return (
    <span
      aria-live="polite"
      className={`text-fine text-ink-3 ${chosen === undefined ? "max-w-[190px] max-md:hidden" : "max-w-72"}`}
    >
      {chosen !== undefined && decision !== null ? (
        <>
          {t("chosenBecause", { letter: chosen.letter })}{" "}
          <bdi className="line-clamp-2">{cleanLine(decision.reason)}</bdi>
        </>
      ) : others.length === 0 ? (
        t("onlyAttempt")
      ) : (
        t(others.length > MOST_LETTERS ? "manyStay" : "othersStay", {
          count: others.length,
          letters: lettersWords(others, t),
        })
      )}
    </span>
  );
}

/** The choice names the one that it replaces, so that two people do not choose past each other. */
function useChoose({ columns, column, decision, onRecorded }: DecisionProps, onDone: () => void) {
  const { t } = useTranslation("compare");
  const trash = useTrash();
  const takeBack = useTakeBack(column.of.task.id);
  return useMutation({
    mutationFn: (reason: string) =>
      answerOf(api.choose({ attempt: column.id, reason, replaces: decision?.id ?? null }, once())),
    onError: tellProblem,
    onSuccess: ({ decision: made }) => {
      onDone();
      onRecorded(column.of.letter);
      const others = columns.filter(({ id, of }) => id !== column.id && of.card.column !== "done");
      const letters = lettersWords(others.map(({ of }) => of.letter).sort(), t);
      tell({
        title: t("recorded", { letter: column.of.letter }),
        undo: () => takeBack.mutate(made.id),
        act:
          others.length === 0
            ? undefined
            : {
                words: t("trashOthers", { letters }),
                run: () => trash.mutate(others.map(({ id }) => id)),
              },
      });
    },
  });
}

/** Undoes the operation that recorded the choice; the record stays as history. */
function useTakeBack(task: string) {
  const { t } = useTranslation("compare");
  return useMutation({
    mutationFn: async (decision: string) => {
      const { items } = await answerOf(api.operations({ subject: task, kind: "choose", limit: 50 }));
      const made = items.find(({ after }) => after?.decision === decision);
      return answerOf(api.undo(made?.id ?? decision));
    },
    onError: tellProblem,
    onSuccess: ({ operation: { after } }) =>
      tell({ title: t(after?.decision === null ? "tookBack" : "tookBackTo") }),
  });
}
