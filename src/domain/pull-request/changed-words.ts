/** Decides what of a pull request's words and draft mark Tazuna may change: only what it wrote itself, or what a person asks for now. */
import type { Wrote } from "./tracked.ts";

/** Null for what a person left out. */
export interface GivenWords {
  readonly title: string | null;
  readonly body: string | null;
  readonly draft: boolean;
}

interface Words {
  readonly title: string;
  readonly body: string;
}

interface ChangeFacts {
  readonly shown: Words & { readonly draft: boolean };
  /** The hashes of what Tazuna wrote last; null for words that were never its own. */
  readonly wrote: Wrote;
  /** The words as Tazuna would write them now. */
  readonly now: Words;
  /** What the person typed with this request; null for what they left out. */
  readonly given: GivenWords;
  readonly hash: (text: string) => string;
}

export interface WordsChange {
  readonly title?: string;
  readonly body?: string;
  readonly draft?: boolean;
}

/** Empty if nothing is to be changed. A pull request that a person made keeps its draft mark, unless it is asked for. */
export function changedWords(facts: ChangeFacts): WordsChange {
  const { shown, given, wrote } = facts;
  const title = given.title ?? ownWord(facts, "title");
  const body = given.body ?? ownWord(facts, "body");
  return {
    ...(title === null || isSame(title, shown.title) ? {} : { title }),
    ...(body === null || isSame(body, shown.body) ? {} : { body }),
    ...(given.draft !== shown.draft && (wrote.made || given.draft) ? { draft: given.draft } : {}),
  };
}

/** What Tazuna would write now, if the words there are still its own. */
function ownWord({ shown, wrote, now, hash }: ChangeFacts, part: keyof Words): string | null {
  return wrote[part] !== null && wrote[part] === hash(sameForm(shown[part])) ? now[part] : null;
}

/** Forges change line ends, and drop blanks at the ends. */
export function sameForm(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}

export function isSame(one: string, other: string): boolean {
  return sameForm(one) === sameForm(other);
}
