/** Which worktrees are chosen, and the keys that choose. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { useKeys } from "../keys/keys.ts";
import { focusedRow, stepRow } from "../keys/walk-rows.ts";
import { canChoose, type WorktreeRow } from "./rows.ts";

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly add: (ids: readonly string[]) => void;
  readonly remove: (ids: readonly string[]) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

export function useSelection(rows: readonly WorktreeRow[]): Selection {
  const [held, setChosen] = useState<ReadonlySet<string>>(new Set());
  const free = new Set(rows.filter(canChoose).map(({ id }) => id));
  const chosen = held.intersection(free);
  return {
    chosen,
    toggle: (id) => {
      if (free.has(id)) setChosen(chosen.symmetricDifference(new Set([id])));
    },
    add: (ids) => setChosen(chosen.union(new Set(ids).intersection(free))),
    remove: (ids) => setChosen((now) => now.difference(new Set(ids))),
    chooseAll: () =>
      setChosen(new Set(rows.filter(({ item }) => item.verdict === "may_go").map(({ id }) => id))),
    clear: () => setChosen(new Set()),
  };
}

export function useStorageKeys(selection: Selection, onMove: () => void): void {
  const { t } = useTranslation("keys");
  const { t: s } = useTranslation("storage");
  const navigate = useNavigate();
  const { chosen, toggle } = selection;
  const extend = (by: 1 | -1) => () => {
    const [from, to] = [focusedRow()?.dataset.row, stepRow(by)?.dataset.row];
    selection.add([from, to].filter((id) => id !== undefined));
  };
  useKeys([
    { spec: "j", words: t("move"), run: () => void stepRow(1), inBar: true },
    { spec: "k", words: t("move"), run: () => void stepRow(-1), inBar: true },
    { spec: "x", words: t("select"), run: () => toggle(focusedRow()?.dataset.row ?? ""), inBar: true },
    { spec: "J", words: s("keyExtend"), run: extend(1) },
    { spec: "K", words: s("keyExtend"), run: extend(-1) },
    { spec: "A", words: s("keySelectAll"), run: selection.chooseAll, inBar: true },
    {
      spec: "enter",
      words: s("keyOpen"),
      inBar: true,
      run: () => {
        const id = focusedRow()?.dataset.attempt;
        if (id !== undefined) void navigate({ to: "/attempts/$id", params: { id } });
      },
    },
    {
      spec: "/",
      words: t("filter"),
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
    },
    { spec: "mod+backspace", asks: "clean", words: s("keyMove"), run: onMove, inBar: chosen.size > 0 },
    ...(chosen.size === 0
      ? []
      : [{ spec: "escape" as const, words: s("keyClear"), run: selection.clear, inBar: true }]),
  ]);
}

/** Restores the focused entry of the trash; gives false if none has the focus. */
export function pressRestore(): boolean {
  const button = focusedRow()?.querySelector<HTMLButtonElement>("[data-act=restore]");
  button?.click();
  return button !== null && button !== undefined;
}
