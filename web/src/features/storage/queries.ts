/** Reads what lies on the disk: worktrees with their verdict, what else takes room, and the trash. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

const MOVES: ReadonlySet<unknown> = new Set(["worktree_add", "trash", "trash_restore", "trash_purge"]);

/** Something came onto the disk or into the trash, or left it. */
export const isMove = ({ kind, data }: FactDocument) => kind === "operation.done" && MOVES.has(data.kind);

/** The most worktrees that are listed. */
const MOST = 2_000;

/** From the last scan; a run that begins or ends changes a verdict without one. */
export const storageQuery = queryOptions({
  queryKey: ["storage", "worktrees"],
  queryFn: async () => {
    const first = await page(null);
    const items = [...first.items];
    let { next } = first;
    while (next !== null && items.length < MOST) {
      const more = await page(next);
      items.push(...more.items);
      next = more.next;
    }
    return { ...first, items };
  },
  meta: { renewedBy: (fact) => fact.kind === "storage.changed" || fact.kind === "run.state" || isMove(fact) },
});

const page = (cursor: string | null) => answerOf(api.storage({ cursor, limit: 200 }));

export const trashQuery = queryOptions({
  queryKey: ["storage", "trash"],
  queryFn: async () => (await answerOf(api.trash())).items,
  meta: { renewedBy: isMove },
});

/** What agents printed, the largest first, as the last scan measured it. */
export const logsQuery = infiniteQueryOptions({
  queryKey: ["storage", "logs"],
  queryFn: ({ pageParam }) => answerOf(api.storedLogs({ cursor: pageParam, limit: 50 })),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  meta: { renewedBy: ({ kind }) => kind === "storage.changed" },
});
