/** Keeps on this device what a person wrote and has not sent, so that a reload loses none of it. */

/** Words at a place of an attempt, such as a line. */
export interface Unsent {
  readonly attempt: string;
  readonly place: string;
  readonly words: string;
}

const KEY = "tazuna.unsent";
/** Older ones go first. */
const MOST = 50;
const MOST_CHARACTERS = 200_000;

export function unsentWords(attempt: string): readonly Unsent[] {
  return read().filter((each) => each.attempt === attempt);
}

/** Blank words are forgotten. */
export function keepUnsent(words: Unsent): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(withUnsent(read(), words)));
  } catch {
    // A full or closed store costs only that a reload loses them.
  }
}

/** The newest comes last. */
export function withUnsent(all: readonly Unsent[], words: Unsent): readonly Unsent[] {
  const others = all.filter(({ attempt, place }) => attempt !== words.attempt || place !== words.place);
  const kept = words.words.trim() === "" ? others : [...others, words];
  let room = MOST_CHARACTERS;
  const newest = kept.toReversed().filter((each, index) => {
    room -= each.words.length;
    return index < MOST && room >= 0;
  });
  return newest.toReversed();
}

function read(): readonly Unsent[] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(held) ? held.filter(isUnsent) : [];
  } catch {
    return [];
  }
}

function isUnsent(value: unknown): value is Unsent {
  const parts = (value ?? {}) as Partial<Unsent>;
  return [parts.attempt, parts.place, parts.words].every((part) => typeof part === "string");
}
