/** Sorts comments into what a review shows: drafts, what was sent with which run, and what others wrote. */
import type { CommentDocument } from "@contract/endpoints/comments.ts";
import type { PullRequestSummary } from "@contract/pull-request-document.ts";

export interface Threads {
  /** In the order of the files, then of the lines. */
  readonly drafts: readonly CommentDocument[];
  /** The newest run first. */
  readonly sent: readonly { readonly run: string; readonly comments: readonly CommentDocument[] }[];
  /** Of review agents, and not sent to the agent yet. */
  readonly open: readonly CommentDocument[];
}

export function threadsOf(comments: readonly CommentDocument[], paths: readonly string[]): Threads {
  const order = new Map(paths.map((path, index) => [path, index]));
  const placeOf = ({ path }: CommentDocument) => order.get(path) ?? paths.length;
  const ordered = comments.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || (one.line ?? 0) - (other.line ?? 0),
  );
  const groups = Map.groupBy(
    ordered.filter(({ sent_with }) => sent_with !== null),
    ({ sent_with }) => sent_with ?? "",
  );
  return {
    drafts: ordered.filter(({ state }) => state === "draft"),
    sent: [...groups].map(([run, all]) => ({ run, comments: all })).reverse(),
    open: ordered.filter(({ author_kind, state }) => author_kind === "agent" && state === "open"),
  };
}

type ForgeThread = PullRequestSummary["open_threads"][number];

/** Threads of the pull request that stand at a file. */
export const placedThreads = (threads: readonly ForgeThread[]) =>
  threads.flatMap((thread) => (thread.path === null ? [] : [{ ...thread, path: thread.path }]));

/** Such as `src/a.ts:12` or `src/a.ts:12-14`. */
export function placeWords({
  path,
  line,
  end_line,
}: Pick<CommentDocument, "path" | "line" | "end_line">): string {
  if (line === null) return path;
  return end_line === null ? `${path}:${line}` : `${path}:${line}-${end_line}`;
}
