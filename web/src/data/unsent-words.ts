/** Keeps on this device what a person wrote and has not sent, so that a reload loses none of it. */
import { type Unsent, withUnsent } from "./newest-words.ts";
import { keepOnDevice, keptOnDevice } from "./preferences.ts";

const KEY = "tazuna.unsent";

/** The newest comes last. */
export function unsentWords(attempt: string): readonly Unsent[] {
  return read().filter((each) => each.attempt === attempt);
}

/** Blank words are forgotten. */
export function keepUnsent(words: Unsent): void {
  keepOnDevice(KEY, withUnsent(read(), words));
}

function read(): readonly Unsent[] {
  const held = keptOnDevice(KEY);
  return Array.isArray(held) ? held.filter(isUnsent) : [];
}

function isUnsent(value: unknown): value is Unsent {
  const parts = (value ?? {}) as Partial<Unsent>;
  return [parts.attempt, parts.place, parts.words].every((part) => typeof part === "string");
}
