/** Keeps on the server what a person types for the way out, a moment after each pause; this tab keeps what is not there yet. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useKeptWords } from "../../data/kept-words.ts";
import { tellProblem } from "../../ui/toast.tsx";
import { type Change, keptChange, withoutSaved } from "./unsaved.ts";

const PAUSE_MS = 600;

/** What was typed and is not kept yet goes along when the screen is left, or after a reload. */
export function useShipDraft(attempt: string, part: "message" | "pull") {
  const { unsaved, note, found } = useUnsaved(`ship-${part} ${attempt}`);
  const due = useRef<Change>(found);
  const save = useMutation({
    mutationFn: (change: Change) => answerOf(api.keepShipDraft(attempt, change)),
    scope: { id: `ship-draft ${attempt}` },
    onSuccess: (_, change) => note(withoutSaved(unsaved(), change)),
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
    keep();
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
  return {
    /** What an earlier visit could not save. */
    found,
    keep: (change: Change) => {
      due.current = { ...due.current, ...change };
      note({ ...unsaved(), ...change });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => now.current(), PAUSE_MS);
    },
    /** Such as when the box loses the focus. */
    keepNow: () => now.current(),
    /** It was used: nothing of it is kept any more. */
    drop: () => {
      clearTimeout(timer.current);
      due.current = {};
      note({});
    },
    isKept: save.isSuccess,
  };
}

/** What this tab holds as not saved, through reloads. */
function useUnsaved(place: string) {
  const [words, onWords] = useKeptWords(place);
  const [found] = useState(() => keptChange(words));
  const held = useRef(found);
  return {
    found,
    unsaved: () => held.current,
    note: (change: Change) => {
      held.current = change;
      onWords(Object.keys(change).length === 0 ? "" : JSON.stringify(change));
    },
  };
}
