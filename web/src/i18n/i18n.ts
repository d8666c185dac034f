/** Sets the words up: one namespace for each noun, typed, in the language of this device. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { onPreferences, preferences } from "../data/preferences.ts";
import { CATALOGS } from "./catalogs.ts";

type Resources = { readonly [Noun in keyof typeof CATALOGS]: (typeof CATALOGS)[Noun]["en"] };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: Resources;
  }
}

const of = (language: "en" | "ja") =>
  Object.fromEntries(Object.entries(CATALOGS).map(([noun, catalog]) => [noun, catalog[language]]));

void i18next.use(initReactI18next).init({
  lng: preferences().language,
  fallbackLng: false,
  defaultNS: "shell",
  resources: { en: of("en"), ja: of("ja") },
  interpolation: { escapeValue: false },
  returnNull: false,
});

onPreferences(() => {
  if (i18next.language !== preferences().language) void i18next.changeLanguage(preferences().language);
});
