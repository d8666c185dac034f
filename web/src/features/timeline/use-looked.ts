/** Remembers how far a person has seen an attempt: in this tab to the line, on the server to the run. */

import type { AttemptDocument } from "@contract/task-document.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../data/api.ts";
import { useWhyNot } from "../../data/may.ts";
import { viewedQuery } from "../attempts/viewed.ts";
import type { LogWindow } from "./log/log-window.ts";
import type { Looked } from "./rows.ts";

interface Now {
  readonly attempt: AttemptDocument;
  readonly logs: ReadonlyMap<string, LogWindow | null>;
  /** The newest run that the server knows as seen. */
  readonly known: string | null | undefined;
}

const keyOf = (attempt: string) => ["looked", attempt] as const;

/** The mark stays where it was when the screen opened; null if there is nothing to mark. */
export function useLooked(attempt: AttemptDocument, logs: Now["logs"]): Looked | null {
  const client = useQueryClient();
  const { data } = useQuery(viewedQuery(attempt.id));
  const [inTab] = useState(() => client.getQueryData<Looked>(keyOf(attempt.id)) ?? null);
  const onServer = useRef<Looked | null | undefined>(undefined);
  if (onServer.current === undefined && data !== undefined) {
    const seen = attempt.runs.find(({ id }) => id === data.seen_run);
    onServer.current = seen === undefined ? null : { run: seen.number, line: null, at: data.seen_at };
  }
  useNoteAtEnd({ attempt, logs, known: data?.seen_run });
  return inTab ?? onServer.current ?? null;
}

/** When the screen is left, or the tab is hidden, all that is there has been seen. */
function useNoteAtEnd(state: Now): void {
  const client = useQueryClient();
  const isNoted = useWhyNot()("markSeen") === null;
  const now = useRef({ ...state, isNoted });
  now.current = { ...state, isNoted };
  const { id } = state.attempt;
  useEffect(() => {
    const note = () => {
      const { attempt, logs, known } = now.current;
      client.setQueryData(keyOf(attempt.id), seenNow(attempt, logs));
      const ended = attempt.runs.findLast(({ ended_at }) => ended_at !== null);
      const isNews = ended !== undefined && known !== undefined && ended.id !== known;
      if (isNews && now.current.isNoted) void api.markSeen(id, {});
    };
    const onHidden = () => document.hidden && note();
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      note();
    };
  }, [client, id]);
}

function seenNow({ runs }: AttemptDocument, logs: Now["logs"]): Looked | undefined {
  const run = runs.findLast(({ started_at }) => started_at !== null);
  if (run === undefined) return undefined;
  const line = logs.get(run.id)?.lines.at(-1)?.n ?? null;
  return { run: run.number, line, at: new Date().toISOString() };
}
