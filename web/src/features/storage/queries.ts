/** Reads what lies on the disk: worktrees with their verdict, and the trash. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

const MOVES: ReadonlySet<unknown> = new Set(["worktree_add", "trash", "trash_restore", "trash_purge"]);

const isMove = ({ kind, data }: FactDocument) => kind === "operation.done" && MOVES.has(data.kind);

/** The clean-up that is not carried out judges every worktree. */
export const worktreesQuery = queryOptions({
  queryKey: ["storage", "worktrees"],
  queryFn: () => answerOf(api.clean({ yes: false })),
  meta: { renewedBy: isMove },
});

export const trashQuery = queryOptions({
  queryKey: ["storage", "trash"],
  queryFn: async () => (await answerOf(api.trash())).items,
  meta: { renewedBy: isMove },
});
