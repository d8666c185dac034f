/** Decides which words that were not sent are kept: the newest ones, and not too many. */

/** Words at a place of an attempt, such as a line. */
export interface Unsent {
  readonly attempt: string;
  readonly place: string;
  readonly words: string;
}

/** Older ones go first. */
const MOST = 50;
const MOST_CHARACTERS = 200_000;

/** The newest comes last. Blank words are forgotten. */
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
