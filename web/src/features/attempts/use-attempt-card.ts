/** Finds what an attempt is called, from the board or else from the server. */
import { useQuery } from "@tanstack/react-query";
import { attemptQuery, boardQuery, taskQuery } from "../../data/queries.ts";
import { type AttemptCard, cardsOf, cardsOfTask } from "./cards.ts";

/** Null while it is not known. */
export function useAttemptCard(id: string | null): AttemptCard | null {
  const { data: board } = useQuery(boardQuery);
  const listed = board === undefined ? undefined : cardsOf(board).find(({ attempt }) => attempt.id === id);
  const isAlone = board !== undefined && listed === undefined && id !== null;
  const { data: alone } = useQuery({ ...attemptQuery(id ?? ""), enabled: isAlone });
  const { data: task } = useQuery({ ...taskQuery(alone?.task ?? ""), enabled: alone !== undefined });
  if (listed !== undefined) return listed;
  if (task === undefined) return null;
  const cards = cardsOfTask({ ...task.task, attempts: task.attempts });
  return cards.find(({ attempt }) => attempt.id === id) ?? null;
}
