/** Keeps what is typed for an agent as long as the page is open: another screen does not lose it. */
import { useSyncExternalStore } from "react";

const kept = new Map<string, string>();
const listeners = new Set<() => void>();

function keptWords(attempt: string): string {
  return kept.get(attempt) ?? "";
}

function keepWords(attempt: string, words: string): void {
  if (words === "") kept.delete(attempt);
  else kept.set(attempt, words);
  for (const tell of listeners) tell();
}

/** Puts words that could not be sent back into the box of their attempt, before what is typed there. */
export function putBack(attempt: string, refused: string): void {
  keepWords(attempt, [refused, keptWords(attempt)].filter(Boolean).join("\n"));
}

export function useKeptWords(attempt: string) {
  const words = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => keptWords(attempt),
  );
  return [words, (next: string) => keepWords(attempt, next)] as const;
}
