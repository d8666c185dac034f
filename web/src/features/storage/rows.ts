/** Makes the rows of the storage screen: each worktree with its name, its flags and its verdict. */
import type { StorageItem } from "@contract/endpoints/trash.ts";
import { cleanLine } from "@contract/text.ts";
import type { AttemptCard } from "../attempts/cards.ts";

export interface WorktreeRow {
  readonly id: string;
  readonly item: StorageItem;
  /** Null for what no attempt explains, or while its task is not read. */
  readonly of: AttemptCard | null;
  readonly name: string;
}

type Verdict = StorageItem["verdict"];

const ORDER: readonly Verdict[] = ["working", "kept", "may_go", "not_ours", null];

export function rowsOf(items: readonly StorageItem[], cards: readonly AttemptCard[]): readonly WorktreeRow[] {
  const known = new Map(cards.map((card) => [card.attempt.id, card]));
  return items
    .map((item): WorktreeRow => {
      const of = (item.attempt === null ? undefined : known.get(item.attempt)) ?? null;
      return { id: item.attempt ?? item.path ?? item.title, item, of, name: nameOf(of, item.title) };
    })
    .sort((one, other) => ORDER.indexOf(one.item.verdict) - ORDER.indexOf(other.item.verdict));
}

/** The title of its task, with the letter of the attempt if there are several. */
export function nameOf(of: AttemptCard | null, title: string): string {
  if (of === null) return cleanLine(title);
  const name = cleanLine(of.task.title);
  const letter = letterOf(of);
  return letter === null ? name : `${name} · ${letter}`;
}

/** Null if its task has no other attempt. */
export function letterOf({ task, attempt, letter }: AttemptCard): string | null {
  return task.attempts.length > 1 || attempt.number > 1 ? letter : null;
}

/** What would be kept goes only if a person names it; what works or is not ours never does. */
export function canChoose({ item: { attempt, verdict } }: Pick<WorktreeRow, "item">): boolean {
  return attempt !== null && (verdict === "may_go" || verdict === "kept");
}

/** The known sizes of all together. */
export function bytesOf(sized: readonly { readonly bytes: number | null }[]): number {
  return sized.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}
