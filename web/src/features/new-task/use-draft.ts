/** Keeps the form on the server while it is filled in, and brings it back. Typing never waits for that. */
import type { TaskDraft } from "@contract/endpoints/drafts.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { draftOf, formOf, isEmpty, type TaskForm } from "./form.ts";

const PAUSE_MS = 600;
/** No form is written so. */
const NOT_KEPT = "";

interface KeptDraft {
  /** When it was kept last, UTC ISO; null if nothing is kept. */
  readonly savedAt: string | null;
  /** Keeps it now. */
  readonly keep: () => void;
  /** The form became a task: its draft goes, and nothing more is kept. */
  readonly end: () => void;
}

export function useDraft(form: TaskForm, onFound: (form: TaskForm) => void): KeptDraft {
  const { data } = useQuery({
    queryKey: ["draft", "task"],
    queryFn: () => answerOf(api.taskDraft()),
    staleTime: 0,
    gcTime: 0,
  });
  /** What the server holds, as text; null until that is known. */
  const held = useRef<string | null>(null);
  const save = useMutation({
    mutationFn: (draft: TaskDraft | null) => answerOf(api.keepTaskDraft({ draft })),
    scope: { id: "task-draft" },
    // It is tried again with the next change, or when the page is left.
    onError: () => {
      held.current = NOT_KEPT;
    },
  });
  const text = JSON.stringify(isEmpty(form) ? null : draftOf(form));
  useEffect(() => {
    if (data === undefined || held.current !== null) return;
    held.current = JSON.stringify(data.draft === null ? null : draftOf(formOf(data.draft)));
    if (data.draft !== null) onFound(formOf(data.draft));
  }, [data, onFound]);
  const isOver = useRef(false);
  const keep = useRef(() => {});
  keep.current = () => {
    if (isOver.current || held.current === null || held.current === text) return;
    held.current = text;
    save.mutate(JSON.parse(text) as TaskDraft | null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text begins a new pause.
  useEffect(() => {
    const timer = setTimeout(() => keep.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const now = () => keep.current();
    addEventListener("pagehide", now);
    addEventListener("blur", now);
    return () => {
      removeEventListener("pagehide", now);
      removeEventListener("blur", now);
      now();
    };
  }, []);
  return {
    savedAt: (save.data ?? data)?.updated_at ?? null,
    keep: () => keep.current(),
    end: () => {
      isOver.current = true;
      save.mutate(null);
    },
  };
}
