/** Keeps the form on the server while it is filled in, and brings it back. Typing never waits for that. */

import type { TaskDraft } from "@contract/endpoints/drafts.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useWhyNot } from "../../data/may.ts";
import { draftOf, formOf, isEmpty, type TaskForm } from "./form.ts";

const DRAFT = ["draft", "task"];
const PAUSE_MS = 600;
/** An empty form. */
const EMPTY = "null";
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
  const client = useQueryClient();
  // There is one draft, and it is of those who may keep it.
  const isKept = useWhyNot()("keepTaskDraft") === null;
  const { data } = useQuery({
    queryKey: DRAFT,
    queryFn: () => answerOf(api.taskDraft()),
    staleTime: 0,
    gcTime: 0,
    enabled: isKept,
  });
  /** What the server holds, as text; null until it is read, or written over. */
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
  const keep = useRef((_: { readonly isLeft: boolean }) => {});
  keep.current = ({ isLeft }) => {
    if (!isKept || isOver.current || held.current === text) return;
    // Who leaves before the draft is read has written over it, unless nothing is written.
    if (held.current === null && (!isLeft || text === EMPTY)) return;
    held.current = text;
    save.mutate(JSON.parse(text) as TaskDraft | null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text begins a new pause.
  useEffect(() => {
    const timer = setTimeout(() => keep.current({ isLeft: false }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useWhenLeft(() => keep.current({ isLeft: true }));
  // An answer that is under way knows nothing of that.
  useEffect(() => () => void client.cancelQueries({ queryKey: DRAFT }), [client]);
  return {
    savedAt: (save.data ?? data)?.updated_at ?? null,
    keep: () => keep.current({ isLeft: true }),
    end: () => {
      isOver.current = true;
      if (isKept) save.mutate(null);
    },
  };
}

/** When the screen or the page goes, or another window is looked at. */
function useWhenLeft(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const now = () => latest.current();
    addEventListener("pagehide", now);
    addEventListener("blur", now);
    return () => {
      removeEventListener("pagehide", now);
      removeEventListener("blur", now);
      now();
    };
  }, []);
}
