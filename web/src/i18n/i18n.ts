/** Holds the words: a catalog for each noun, typed, in every language. */
import { preferences } from "../data/preferences.ts";
import type { ENGINE_CATALOGS } from "./engine/engine-catalogs.ts";
import type { QUESTION_CATALOGS } from "./engine/question-catalogs.ts";
import { FIRST_CATALOGS } from "./first-catalogs.ts";
import type { DECIDE_CATALOGS } from "./ship/decide-catalogs.ts";
import type { WORK_CATALOGS } from "./work-catalogs.ts";

type Catalogs = typeof FIRST_CATALOGS &
  typeof WORK_CATALOGS &
  typeof DECIDE_CATALOGS &
  typeof ENGINE_CATALOGS &
  typeof QUESTION_CATALOGS;
type Language = ReturnType<typeof preferences>["language"];

export type Noun = keyof Catalogs;

/** A plural is asked for by its stem: `attempts` stands for `attempts_one` and `attempts_other`, and `_zero` if there is one. */
type Stem<Key> = Key extends `${infer S}_${"zero" | "one" | "other"}` ? S : Key;
export type KeyOf<N extends Noun> = Stem<keyof Catalogs[N]["en"] & string>;

/** `count` chooses between none, the singular and the plural. */
export type Values = Readonly<Record<string, string | number>>;

type Held = Readonly<Record<Language, Readonly<Record<string, string>>>>;

const held: Record<string, Held> = { ...FIRST_CATALOGS };
const plurals = { en: new Intl.PluralRules("en"), ja: new Intl.PluralRules("ja") };

const SETS = {
  work: async () => (await import("./work-catalogs.ts")).WORK_CATALOGS,
  decide: async () => (await import("./ship/decide-catalogs.ts")).DECIDE_CATALOGS,
  engine: async () => (await import("./engine/engine-catalogs.ts")).ENGINE_CATALOGS,
  questions: async () => (await import("./engine/question-catalogs.ts")).QUESTION_CATALOGS,
} as const;

export type WordSet = keyof typeof SETS;

/** Loads the words of more screens; a screen waits for them as for its code. */
export async function loadWords(...sets: readonly WordSet[]): Promise<void> {
  Object.assign(held, ...(await Promise.all(sets.map((set) => SETS[set]()))));
}

/** Words that are not of a component, such as those of a toast. */
export const sayNow = <N extends Noun>(noun: N, key: KeyOf<N>, values: Values = {}): string =>
  filled(templateOf(preferences().language, noun, key, values), values);

/** Whether there are words for a code. A code of a newer server has none yet. */
export function isKnown<N extends Noun>(
  language: Language,
  noun: N,
  code: string,
): code is KeyOf<N> & string {
  return held[noun]?.[language][code] !== undefined;
}

/** The words before the values stand in them. */
export function templateOf(language: Language, noun: Noun, key: string, { count }: Values): string {
  const words = held[noun]?.[language];
  // A screen that asks before it has loaded them would show keys instead of words.
  if (words === undefined) console.error(`no words of ${noun}`);
  const none = count === 0 ? words?.[`${key}_zero`] : undefined;
  const plural = typeof count === "number" ? words?.[`${key}_${plurals[language].select(count)}`] : undefined;
  return none ?? plural ?? words?.[key] ?? key;
}

/** Puts each value in the place of its `{{name}}`. */
export function filled(template: string, values: Values): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
}
