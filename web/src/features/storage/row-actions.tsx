/** What can be done with a worktree or an entry of the trash: by keys, and in the menu of its row. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { boardQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { cardsOf } from "../attempts/cards.ts";
import { copyWords, openOutside } from "../attempts/outside.ts";
import { ActionsMenu } from "../keys/actions-menu.tsx";
import { useKeys } from "../keys/keys.ts";
import { focusedRow } from "../keys/walk-rows.ts";
import { canChoose, type WorktreeRow } from "./rows.ts";
import type { Selection } from "./use-selection.ts";

export function RowActions(props: {
  readonly rows: readonly WorktreeRow[];
  readonly selection: Selection;
  readonly onMove: (ids: readonly string[]) => void;
}) {
  const { t } = useTranslation("keys");
  const { t: n } = useTranslation("keyActs");
  const { t: s } = useTranslation("storage");
  const navigate = useNavigate();
  const { rows, selection } = props;
  const { data = [] } = useQuery(boardQuery);
  const cardOf = (row: HTMLElement | null) =>
    cardsOf(data).find(({ attempt }) => attempt.id === row?.dataset.attempt) ?? null;
  const pathOf = (row: HTMLElement | null) =>
    rows.find(({ id }) => id === row?.dataset.row)?.item.path ?? cardOf(row)?.attempt.worktree ?? null;
  const outside = (row: HTMLElement | null) => {
    const of = cardOf(row);
    if (of !== null) openOutside(of);
    else copy(row);
  };
  const copy = (row: HTMLElement | null) => {
    const path = pathOf(row);
    if (path !== null) void copyWords(path);
  };
  useKeys([
    { spec: "o", words: t("openOutside"), run: () => outside(focusedRow()) },
    { spec: "y", words: t("copy"), run: () => copy(focusedRow()) },
  ]);
  const itemsOf = (row: HTMLElement) => {
    const { row: id, attempt } = row.dataset;
    if (id === undefined) return [];
    const worktree = rows.find((each) => each.id === id);
    const restore = row.querySelector<HTMLButtonElement>("[data-act=restore]");
    const off = worktree !== undefined && canChoose(worktree) ? null : s("keptHere");
    return [
      ...(attempt === undefined
        ? []
        : [
            {
              words: n("open"),
              keySpec: "enter" as const,
              run: () => void navigate({ to: "/attempts/$id", params: { id: attempt } }),
            },
          ]),
      { words: n("openOutside"), keySpec: "o" as const, run: () => outside(row) },
      { words: n("copy"), keySpec: "y" as const, run: () => copy(row) },
      ...(restore === null
        ? [
            { words: n("select"), keySpec: "x" as const, off, run: () => selection.toggle(id) },
            { words: s("move", { count: 1 }), asks: "clean" as const, off, run: () => props.onMove([id]) },
          ]
        : [
            {
              words: s("restore"),
              asks: "restoreTrash" as const,
              keySpec: "z" as const,
              run: () => restore.click(),
            },
          ]),
    ];
  };
  return <ActionsMenu things="[data-row]" itemsOf={itemsOf} />;
}
