/** Asks the server what the form would do, after a pause. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { usePaused } from "../../ui/use-paused.ts";
import { type PreviewAsked, previewOf, type TaskForm } from "./form.ts";

const PAUSE_MS = 200;

const read = (asked: PreviewAsked) => answerOf(api.previewTask(asked));

/** Slots, logins, bases and settings change with these. */
const isNews = ({ kind, data }: FactDocument) =>
  kind === "run.state" ||
  kind === "settings.changed" ||
  kind === "repository.changed" ||
  (kind === "operation.done" && (data.kind === "fetch" || data.kind === "worktree_add"));

export function usePreview(form: TaskForm) {
  const now = previewOf(form);
  const asked = usePaused(now, { key: JSON.stringify(now), ms: PAUSE_MS });
  return useQuery({
    queryKey: ["preview", asked],
    queryFn: () => read(asked as PreviewAsked),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    meta: { renewedBy: isNews },
  });
}
