/** Keeps what is typed for an agent as long as the page is open: another screen does not lose it. */
import { useState } from "react";

const kept = new Map<string, string>();

export function useKeptWords(attempt: string) {
  const [words, setWords] = useState(() => kept.get(attempt) ?? "");
  const change = (next: string) => {
    if (next === "") kept.delete(attempt);
    else kept.set(attempt, next);
    setWords(next);
  };
  return [words, change] as const;
}
