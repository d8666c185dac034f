/** Keeps what is typed and not sent yet: another screen does not lose it, nor does a reload of this tab. */
import { useSyncExternalStore } from "react";
import { keepInTab, keptInTab } from "./preferences.ts";

/** Of this tab alone: what one tab has sent must not stand in another one. */
const KEY = "tazuna.kept";
const kept = readKept();
const listeners = new Set<() => void>();

function keptWords(place: string): string {
  return kept.get(place) ?? "";
}

/** `place` is an attempt for the box that continues it; what else is typed names its own. */
export function keepWords(place: string, words: string): void {
  if (words === "") kept.delete(place);
  else kept.set(place, words);
  keepInTab(KEY, [...kept]);
  for (const tell of listeners) tell();
}

/** Puts words that could not be sent back into the box of their attempt, before what is typed there. */
export function putBack(attempt: string, refused: string): void {
  keepWords(attempt, [refused, keptWords(attempt)].filter(Boolean).join("\n"));
}

/** Puts what was typed at a place that is gone into the box of its attempt. */
export function rescueWords(place: string, attempt: string): void {
  const words = keptWords(place);
  keepWords(place, "");
  if (words.trim() !== "") putBack(attempt, words);
}

/** Puts words that Tazuna offers behind what is typed in the box of an attempt; once is enough. */
export function addWords(attempt: string, offered: string): void {
  const typed = keptWords(attempt);
  if (typed.trim() === "") keepWords(attempt, offered);
  else if (!typed.includes(offered.trim())) keepWords(attempt, `${typed.trimEnd()}\n\n${offered}`);
}

export function useKeptWords(place: string) {
  const words = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => keptWords(place),
  );
  return [words, (next: string) => keepWords(place, next)] as const;
}

function readKept(): Map<string, string> {
  const held = keptInTab(KEY);
  return new Map(Array.isArray(held) ? held.filter(isKept) : []);
}

function isKept(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string";
}
