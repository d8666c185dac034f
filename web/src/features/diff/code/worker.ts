/** Colours code beside the page, so that typing and scrolling never wait. No WebAssembly, no code from text. */
import { createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { LANGUAGES, type Language } from "./languages.ts";
import type { Coloured, ColourRequest, LineColours } from "./messages.ts";
import { hueOf, THEME } from "./theme.ts";

const MAX_LINE = 1_000;
/** The first line of a language is slow, since its patterns are made then. */
const MAX_MS_OF_LINE = 3_000;

const highlighter = createHighlighterCore({
  themes: [THEME],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});
const loading = new Map<Language, Promise<void>>();

function load(language: Language): Promise<void> {
  const known = loading.get(language);
  if (known !== undefined) return known;
  const begun = Promise.all([highlighter, LANGUAGES[language]()]).then(([core, { default: grammars }]) =>
    core.loadLanguage(...grammars),
  );
  loading.set(language, begun);
  return begun;
}

addEventListener("message", async ({ data: { id, language, texts } }: MessageEvent<ColourRequest>) => {
  await load(language);
  const core = await highlighter;
  const lines = texts.map((text): readonly LineColours[] =>
    core
      .codeToTokensBase(text, {
        lang: language,
        theme: "tazuna",
        tokenizeMaxLineLength: MAX_LINE,
        tokenizeTimeLimit: MAX_MS_OF_LINE,
      })
      .map(coloursOf),
  );
  const answer: Coloured = { id, lines };
  postMessage(answer);
});

/** Neighbours of one hue become one. */
function coloursOf(tokens: readonly { readonly content: string; readonly color?: string }[]): LineColours {
  const runs: number[] = [];
  for (const { content, color } of tokens) {
    const hue = hueOf(color);
    if (runs.length > 0 && runs.at(-1) === hue) runs[runs.length - 2] = (runs.at(-2) ?? 0) + content.length;
    else runs.push(content.length, hue);
  }
  return runs;
}
