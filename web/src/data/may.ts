/** Says what the person who looks may not do. The server decides it anew at every call. */
import type { ROUTES } from "@contract/endpoints/routes.ts";
import { useSyncExternalStore } from "react";

/** A row of the table of endpoints. */
export type Act = keyof typeof ROUTES;

/** Why the person who looks may not do it, in words; null if they may. `sent` has fields that reach further than the row. */
type WhyNot = (act: Act, sent?: Readonly<Record<string, unknown>>) => string | null;

/** As long as it is not known who looks, nothing is held back: mostly it is the owner of the machine. */
let known: WhyNot | null = null;
const everything: WhyNot = () => null;
const listeners = new Set<() => void>();

export function setWhyNot(next: WhyNot): void {
  known = next;
  for (const listen of listeners) listen();
}

function useKnown(): WhyNot | null {
  return useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => known,
  );
}

export const useWhyNot = (): WhyNot => useKnown() ?? everything;

/** Whether it is known who looks. */
export const useIsKnown = (): boolean => useKnown() !== null;
