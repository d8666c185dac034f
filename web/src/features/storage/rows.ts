/** Makes the rows of the storage screen from what a clean-up would do. */
import type { CleanAnswer } from "@contract/endpoints/trash.ts";
import type { AttemptCard } from "../attempts/cards.ts";

export interface WorktreeRow {
  readonly id: string;
  /** Null for what no attempt explains. */
  readonly of: AttemptCard | null;
  /** What it is, in the server's words. */
  readonly what: string;
  readonly path: string | null;
  /** Null if it was not counted. */
  readonly bytes: number | null;
  /** `working` and `foreign` can never be chosen here; `kept` goes only if it is named. */
  readonly verdict: "go" | "kept" | "working" | "foreign";
  readonly why: string;
  readonly remedy: string | null;
}

const ORDER: readonly WorktreeRow["verdict"][] = ["working", "kept", "go", "foreign"];

export function rowsOf(cleaned: CleanAnswer, cards: readonly AttemptCard[]): readonly WorktreeRow[] {
  const known = new Map(cards.map((card) => [card.attempt.id, card]));
  const gone = cleaned.removed.map((each): WorktreeRow => {
    const { id, what, path, bytes, why } = each;
    return { id, of: known.get(id) ?? null, what, path, bytes, verdict: "go", why, remedy: null };
  });
  const kept = cleaned.kept.map((each): WorktreeRow => {
    const { id, what, path, bytes, reason, remedy } = each;
    const of = known.get(id) ?? null;
    return { id, of, what, path, bytes, verdict: verdictOf(of), why: reason, remedy };
  });
  return [...gone, ...kept].sort((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
}

function verdictOf(of: AttemptCard | null): WorktreeRow["verdict"] {
  if (of === null) return "foreign";
  const isBusy = of.attempt.runs.some(
    ({ status, question }) => !ENDED.has(status) && (status !== "PENDING" || question !== null),
  );
  return isBusy ? "working" : "kept";
}

const ENDED: ReadonlySet<string> = new Set(["SUCCEEDED", "FAILED", "CANCELED"]);

export function canChoose({ verdict }: Pick<WorktreeRow, "verdict">): boolean {
  return verdict === "go" || verdict === "kept";
}

/** The known sizes of all together. */
export function bytesOf(rows: readonly { readonly bytes: number | null }[]): number {
  return rows.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}

/** Every word is in its text. */
export function matches(text: string, words: string): boolean {
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}
