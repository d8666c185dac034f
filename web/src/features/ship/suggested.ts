/** Tells the buttons of the way out which act comes next: the key of the suggested act stands on that one alone. */
import { createContext, useContext } from "react";
import type { Suggested } from "./facts.ts";

export const SuggestedAct = createContext<Suggested | null>(null);

/** What a button of this act wears. */
export function useActKey(act: Suggested): { readonly "data-act": Suggested; readonly keySpec?: "a" } {
  const suggested = useContext(SuggestedAct);
  return suggested === act ? { "data-act": act, keySpec: "a" } : { "data-act": act };
}
