/** Saves an answer that was typed and not sent, if its question is answered elsewhere or over. */
import type { ListedTask, RunDocument, TaskDocument } from "@contract/task-document.ts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { rescueWords } from "../../data/kept-words.ts";
import { boardQuery } from "../../data/queries.ts";

interface Asked {
  readonly attempt: string;
  readonly run: Pick<RunDocument, "id">;
  /** The id of the question. */
  readonly question: string;
  /** Where the words are kept. */
  readonly place: string;
}

/** Gives what saves them at once, if the question is over. They go where what comes next is written. */
export function useRescued(asked: Asked, isSending: boolean): () => void {
  const client = useQueryClient();
  const latest = useRef({ asked, isSending });
  latest.current = { asked, isSending };
  const rescue = () => {
    const { attempt, place } = asked;
    if (!isStillAsked(client, asked)) rescueWords(place, attempt);
  };
  const now = useRef(rescue);
  now.current = rescue;
  // The box goes with its question. It goes with its screen, too: then the words stay for the next visit.
  useEffect(
    () => () => {
      if (!latest.current.isSending) now.current();
    },
    [],
  );
  return rescue;
}

function isStillAsked(client: QueryClient, { attempt, run, question }: Asked): boolean {
  const board: readonly ListedTask[] = client.getQueryData(boardQuery.queryKey) ?? [];
  const whole = client.getQueriesData<TaskDocument>({ queryKey: ["task"] });
  const attempts = [...board, ...whole.flatMap(([, task]) => task ?? [])].flatMap((task) => task.attempts);
  return attempts.some(
    ({ id, runs }) =>
      id === attempt && runs.some((each) => each.id === run.id && each.question?.id === question),
  );
}
