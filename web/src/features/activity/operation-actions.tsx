/** What can be done about an operation: by keys, and in the menu of its row. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { useQuery } from "@tanstack/react-query";
import { boardQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { cardsOf } from "../attempts/cards.ts";
import { copyWords, openOutside } from "../attempts/outside.ts";
import { ActionsMenu } from "../keys/actions-menu.tsx";
import { useKeys } from "../keys/keys.ts";
import { focusedRow } from "../keys/walk-rows.ts";

export function OperationActions(props: {
  readonly operations: readonly OperationDocument[];
  readonly onOpen: (id: string) => void;
  readonly onShowOnly: (subject: string) => void;
  readonly onUndo: (operation: OperationDocument) => void;
}) {
  const { t } = useTranslation("keys");
  const { t: n } = useTranslation("keyActs");
  const { t: a } = useTranslation("activity");
  const open = useOpenSubject();
  const find = (row: HTMLElement | null) =>
    props.operations.find(({ id }) => id === row?.dataset.row) ?? null;
  const onFocused = (act: (operation: OperationDocument) => void) => () => {
    const operation = find(focusedRow());
    if (operation !== null) act(operation);
  };
  const copy = (operation: OperationDocument) => void copyWords(operation.id);
  useKeys([
    { spec: "o", words: t("openOutside"), run: onFocused(open) },
    { spec: "y", words: t("copy"), run: onFocused(copy) },
  ]);
  const itemsOf = (row: HTMLElement) => {
    const operation = find(row);
    if (operation === null) return [];
    return [
      { words: n("open"), keySpec: "enter", run: () => props.onOpen(operation.id) },
      {
        words: t("undo", { ns: "shell" }),
        asks: "undo",
        keySpec: "z",
        off: operation.undoable ? null : a("noUndo"),
        run: () => props.onUndo(operation),
      },
      { words: n("openOutside"), keySpec: "o", run: () => open(operation) },
      { words: n("copy"), keySpec: "y", run: () => copy(operation) },
      { words: a("showOnly"), run: () => props.onShowOnly(operation.subject.id) },
    ] as const;
  };
  return <ActionsMenu things="[data-row]" itemsOf={itemsOf} />;
}

/** Its pull request, or the path of its worktree; for what is no attempt, the id. */
function useOpenSubject(): (operation: OperationDocument) => void {
  const { data = [] } = useQuery(boardQuery);
  return ({ subject: { id } }) => {
    const of = cardsOf(data).find(
      ({ attempt }) => attempt.id === id || attempt.runs.some((run) => run.id === id),
    );
    if (of === undefined) void copyWords(id);
    else openOutside(of);
  };
}
