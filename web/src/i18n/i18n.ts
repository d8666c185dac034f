/** Sets the words up: one namespace for each noun, typed, in the language of this device. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { onPreferences, preferences } from "../data/preferences.ts";
import { FIRST_CATALOGS } from "./first-catalogs.ts";
import type { SCREEN_CATALOGS } from "./screen-catalogs.ts";

type Catalogs = typeof FIRST_CATALOGS & typeof SCREEN_CATALOGS;
type Resources = { readonly [Noun in keyof Catalogs]: Catalogs[Noun]["en"] };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: Resources;
  }
}

type Given = Readonly<Record<string, { readonly en: object; readonly ja: object }>>;

const of = (catalogs: Given, language: "en" | "ja") =>
  Object.fromEntries(Object.entries(catalogs).map(([noun, catalog]) => [noun, catalog[language]]));

void i18next.use(initReactI18next).init({
  lng: preferences().language,
  fallbackLng: false,
  defaultNS: "shell",
  resources: { en: of(FIRST_CATALOGS, "en"), ja: of(FIRST_CATALOGS, "ja") },
  interpolation: { escapeValue: false },
  returnNull: false,
});

let loading: Promise<void> | undefined;

/** Loads the words of all other screens, once; a screen waits for them as for its code. */
export function loadWords(): Promise<void> {
  loading ??= addWords().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function addWords(): Promise<void> {
  const { SCREEN_CATALOGS: catalogs } = await import("./screen-catalogs.ts");
  for (const [noun, { en, ja }] of Object.entries(catalogs))
    i18next.addResourceBundle("en", noun, en).addResourceBundle("ja", noun, ja);
}

onPreferences(() => {
  if (i18next.language !== preferences().language) void i18next.changeLanguage(preferences().language);
});
