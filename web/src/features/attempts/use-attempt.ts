/** Gives a screen the attempt that its address names, with its task and its siblings; facts keep it true. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { attemptQuery, taskQuery } from "../../data/queries.ts";
import { type AttemptCard, cardsOfTask } from "./cards.ts";
import { useSilence } from "./use-silence.ts";

export interface ShownAttempt {
  readonly shown: AttemptCard;
  /** All attempts of the task, by letter. */
  readonly siblings: readonly AttemptCard[];
}

/** Null until it was read, and if it cannot be read; `error` says why. */
export function useAttempt(id: string): { readonly found: ShownAttempt | null; readonly error: unknown } {
  const alone = useQuery(attemptQuery(id));
  const whole = useQuery({ ...taskQuery(alone.data?.task ?? ""), enabled: alone.data !== undefined });
  const cards = useMemo(
    () => (whole.data ? cardsOfTask({ ...whole.data.task, attempts: whole.data.attempts }) : []),
    [whole.data],
  );
  const siblings = useSilence(cards);
  const found = useMemo(() => {
    const shown = siblings.find(({ attempt }) => attempt.id === alone.data?.id);
    return shown === undefined ? null : { shown, siblings };
  }, [siblings, alone.data]);
  return { found, error: alone.error ?? whole.error };
}

/** For a screen. The command line shows the beginning of an id: the address becomes that of the whole one. */
export function useAttemptOfAddress(id: string): ReturnType<typeof useAttempt> {
  const { found, error } = useAttempt(id);
  const navigate = useNavigate();
  const whole = found?.shown.attempt.id ?? id;
  useEffect(() => {
    if (whole !== id) void navigate({ to: ".", params: { id: whole }, search: true, replace: true });
  }, [whole, id, navigate]);
  return { found: whole === id ? found : null, error };
}
