/** Gives a screen the attempt that its address names, with its task and its siblings; facts keep it true. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { attemptQuery, taskQuery } from "../../data/queries.ts";
import { type AttemptCard, cardsOfTask } from "./cards.ts";

export interface ShownAttempt {
  readonly shown: AttemptCard;
  /** All attempts of the task, by letter. */
  readonly siblings: readonly AttemptCard[];
}

/** Null until it was read, and if it cannot be read; `error` says why. */
export function useAttempt(id: string): { readonly found: ShownAttempt | null; readonly error: unknown } {
  const alone = useQuery(attemptQuery(id));
  const whole = useQuery({ ...taskQuery(alone.data?.task ?? ""), enabled: alone.data !== undefined });
  const found = useMemo(() => {
    if (whole.data === undefined) return null;
    const siblings = cardsOfTask({ ...whole.data.task, attempts: whole.data.attempts });
    const shown = siblings.find(({ attempt }) => attempt.id === id);
    return shown === undefined ? null : { shown, siblings };
  }, [whole.data, id]);
  return { found, error: alone.error ?? whole.error };
}
