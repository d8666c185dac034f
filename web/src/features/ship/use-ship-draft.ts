/** Keeps on the server what a person types for the way out, a moment after each pause. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { tellProblem } from "../../ui/toast.tsx";

const PAUSE_MS = 600;

type Change = NonNullable<Parameters<typeof api.keepShipDraft>[1]>;

/** What was typed and is not kept yet goes along when the screen is left. */
export function useShipDraft(attempt: string) {
  const due = useRef<Change>({});
  const save = useMutation({
    mutationFn: (change: Change) => answerOf(api.keepShipDraft(attempt, change)),
    scope: { id: `ship-draft ${attempt}` },
    onError: (error, change) => {
      // It goes along with what is typed next.
      due.current = { ...change, ...due.current };
      tellProblem(error);
    },
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const now = useRef(() => {});
  now.current = () => {
    clearTimeout(timer.current);
    const change = due.current;
    due.current = {};
    if (Object.keys(change).length > 0) save.mutate(change);
  };
  useEffect(() => {
    const keep = () => now.current();
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
  return {
    keep: (change: Change) => {
      due.current = { ...due.current, ...change };
      clearTimeout(timer.current);
      timer.current = setTimeout(() => now.current(), PAUSE_MS);
    },
    /** Such as when the box loses the focus. */
    keepNow: () => now.current(),
    /** It was used: nothing of it is kept any more. */
    drop: () => {
      clearTimeout(timer.current);
      due.current = {};
    },
    isKept: save.isSuccess,
  };
}
