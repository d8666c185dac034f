/** Works out what of a draft for the way out the server does not have yet. */
import type { api } from "../../data/api.ts";

export type Change = NonNullable<Parameters<typeof api.keepShipDraft>[1]>;

const KINDS = { message: "string", title: "string", body: "string", draft: "boolean" } as const;

/** What is kept as text in a tab; anything else of it is left out. */
export function keptChange(text: string): Change {
  const held = parsed(text);
  return Object.fromEntries(
    Object.entries(KINDS).flatMap(([key, kind]) => {
      const value = held[key];
      return value === null || typeof value === kind ? [[key, value]] : [];
    }),
  );
}

/** What was typed again since then stays. */
export function withoutSaved(unsaved: Change, saved: Change): Change {
  const isSaved = ([key, value]: readonly [string, unknown]) =>
    key in saved && saved[key as keyof Change] === value;
  return Object.fromEntries(Object.entries(unsaved).filter((entry) => !isSaved(entry)));
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
