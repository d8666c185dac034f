/** Gives a component its words, and renders it anew when the language changes. */
import { cloneElement, createElement, Fragment, type ReactElement, useMemo } from "react";
import { usePreferences } from "../data/preferences.ts";
import { filled, isKnown, type KeyOf, type Noun, templateOf, type Values } from "./i18n.ts";

/** Says words of one noun; with `ns`, of another one. */
interface Say<N extends Noun> {
  (key: KeyOf<N>, values?: Values): string;
  <M extends Noun>(key: KeyOf<M>, values: Values & { readonly ns: M }): string;
}

export function useTranslation<N extends Noun>(noun: N) {
  const { language } = usePreferences();
  return useMemo(() => {
    const t: Say<N> = (key: string, values: Values & { readonly ns?: Noun } = {}) =>
      filled(templateOf(language, values.ns ?? noun, key, values), values);
    return {
      t,
      language,
      isKnown: (code: string): code is KeyOf<N> & string => isKnown(language, noun, code),
    };
  }, [noun, language]);
}

/** A sentence in which a part is an element, such as `<b>`; the values are text and never markup. */
export function Rich<N extends Noun>(props: {
  readonly noun: N;
  readonly words: KeyOf<N> & string;
  readonly values?: Values;
  readonly parts: Readonly<Record<string, ReactElement>>;
}) {
  const { language } = usePreferences();
  const { noun, words, values = {}, parts } = props;
  // The pieces are text, name, text, text, name, text and so on.
  const pieces = templateOf(language, noun, words, values).split(/<(\w+)>(.*?)<\/\1>/);
  const shown = pieces.map((piece, index) => {
    const text = filled(piece, values);
    if (index % 3 === 0) return text;
    const part = parts[pieces[index - 1] ?? ""];
    return index % 3 === 1 ? null : part === undefined ? text : cloneElement(part, {}, text);
  });
  return createElement(Fragment, null, ...shown);
}
