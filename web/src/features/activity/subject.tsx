/** Names what an operation is about, and leads there. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { answerOf, api } from "../../data/api.ts";
import { boardQuery, repositoriesQuery } from "../../data/queries.ts";
import { cardsOf } from "../attempts/cards.ts";
import { useAttemptCard } from "../attempts/use-attempt-card.ts";

export type Subject = OperationDocument["subject"];

export function SubjectLink({ subject }: { readonly subject: Subject }) {
  const named = useSubject(subject);
  const short = subject.id.slice(0, 8);
  if (named === null) return <span className="text-ink-3">{short}</span>;
  if (named.attempt !== null)
    return (
      <Link
        to="/attempts/$id"
        params={{ id: named.attempt }}
        tabIndex={-1}
        className="block truncate hover:underline"
      >
        <bdi>{named.name}</bdi>
      </Link>
    );
  if (named.task !== null)
    return (
      <Link
        to="/tasks/$id"
        params={{ id: named.task }}
        tabIndex={-1}
        className="block truncate hover:underline"
      >
        <bdi>{named.name}</bdi>
      </Link>
    );
  return <span className="block truncate">{named.name}</span>;
}

interface Named {
  readonly name: string;
  readonly attempt: string | null;
  readonly task: string | null;
}

/** Null while it is not known. */
export function useSubject({ type, id }: Subject): Named | null {
  const { data: repositories } = useQuery(repositoriesQuery);
  const { data: board } = useQuery(boardQuery);
  const card = useAttemptCard(useAttemptOf({ type, id }));
  if (type === "repository") {
    const repository = repositories?.items.find((each) => each.id === id);
    return repository === undefined ? null : { name: repository.name, attempt: null, task: null };
  }
  if (type === "task") {
    const task = board?.find((each) => each.id === id);
    return task === undefined ? null : { name: cleanLine(task.title), attempt: null, task: id };
  }
  if (card === null) return null;
  const { task, attempt, letter } = card;
  const name = task.attempts.length > 1 ? `${cleanLine(task.title)} · ${letter}` : cleanLine(task.title);
  return { name, attempt: attempt.id, task: task.id };
}

function useAttemptOf({ type, id }: Subject): string | null {
  const { data: board } = useQuery(boardQuery);
  const listed =
    type === "run" && board !== undefined
      ? cardsOf(board).find(({ attempt }) => attempt.runs.some((run) => run.id === id))
      : undefined;
  const { data: run } = useQuery({
    queryKey: ["run", id],
    queryFn: () => answerOf(api.run(id)),
    enabled: type === "run" && board !== undefined && listed === undefined,
  });
  if (type === "attempt") return id;
  return listed?.attempt.id ?? run?.attempt ?? null;
}
