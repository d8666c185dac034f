/** Keeps the diff of a working run true, and says which files the agent edits now. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLastAction } from "../../data/last-action.ts";
import type { Side } from "./sides.ts";

/** Files settle for so long before git is asked again. */
const SETTLE_MS = 1_500;

/** Paths that the last action of the run names; null if the side shows no working run. */
export function useLiveDiff(attempt: AttemptDocument, side: Side): readonly string[] | null {
  const client = useQueryClient();
  const run = side.kind === "run" ? attempt.runs.find(({ id }) => id === side.run.id) : undefined;
  const isLive = run?.status === "RUNNING";
  const id = run?.id ?? "";
  const action = useLastAction(run ?? null);
  const at = action?.at ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each action of the agent begins the wait again.
  useEffect(() => {
    if (!isLive) return;
    const timer = setTimeout(
      () => void client.invalidateQueries({ queryKey: ["diff", "run", id] }, { cancelRefetch: false }),
      SETTLE_MS,
    );
    return () => clearTimeout(timer);
  }, [client, id, isLive, at]);
  const text = isLive ? (action?.text ?? "") : null;
  return useMemo(() => (text === null ? null : editedIn(cleanLine(text))), [text]);
}

const EDITS = /^(?:Edit|Write|Delete|Move) (.+)$/;

function editedIn(action: string): readonly string[] {
  const path = EDITS.exec(action)?.[1];
  return path === undefined ? [] : [path];
}
