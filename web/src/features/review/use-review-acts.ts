/** What a person does in a review by keys and buttons. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import type { CommentDocument } from "@contract/endpoints/comments.ts";
import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { AttemptCard } from "../attempts/cards.ts";
import { copyWords, openOutside } from "../attempts/outside.ts";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import type { DiffHandle } from "../diff/handle.ts";
import type { LinePlace } from "../diff/patch/line-of.ts";
import type { Layout } from "../diff/patch/rows.ts";
import { placeWords } from "./comments/threads.ts";
import { type Compared, sidesWithComments } from "./compared.ts";
import type { ViewedMarks } from "./files/viewed-marks.ts";
import { useReviewKeys } from "./review-keys.ts";
import type { SetSearch } from "./review-search.ts";

interface Of {
  readonly shown: AttemptCard;
  readonly handle: () => DiffHandle | null;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly files: readonly DiffFile[];
  readonly file: DiffFile | null;
  readonly marks: ViewedMarks;
  readonly comments: readonly CommentDocument[];
  readonly compared: Compared;
  readonly layout: Layout;
  readonly hideSpace: boolean;
  readonly shownComment: string | null;
  readonly onSearch: SetSearch;
  readonly onShownComment: (id: string) => void;
  readonly onCompose: (place: LinePlace) => void;
  readonly onPanel: (which: "files" | "drafts") => void;
}

export function useReviewActs(of: Of) {
  const { shown, handle, form, files, file, marks, comments, onSearch } = of;
  const { attempt, task } = shown;
  const navigate = useNavigate();
  const params = { id: attempt.id };
  const showComment = ({ id, path, side, line, end_line }: CommentDocument) => {
    of.onShownComment(id);
    const at = end_line ?? line;
    const sides = sidesWithComments(attempt, of.compared);
    const isHere = (sides === "both" || sides === side) && files.some((each) => each.path === path);
    if (!isHere && of.compared.kind !== "base")
      onSearch({ since: "base", run: undefined, file: path, line: at === null ? undefined : String(at) });
    else handle()?.show(at === null ? { path } : { path, side, line: at });
  };
  const copy = () => {
    const place = handle()?.selected() ?? null;
    const text = place === null ? file?.path : placeWords({ ...place, end_line: place.endLine });
    if (text !== undefined) void copyWords(text);
  };
  /** The comment that was shown last, or one at the line with the cursor. */
  const focusedComment = () => {
    const place = handle()?.selected() ?? null;
    const isAt = (each: CommentDocument) =>
      each.path === place?.path && each.side === place.side && (each.end_line ?? each.line) === place.line;
    const shownAt = document.activeElement?.closest<HTMLElement>("[data-comment-id]")?.dataset.commentId;
    return (
      comments.find(({ id }) => id === shownAt) ??
      comments.find(isAt) ??
      comments.find(({ id }) => id === of.shownComment)
    );
  };
  const acts = {
    comment: of.onCompose,
    openComment: () => {
      const comment = focusedComment();
      const card = comment && document.querySelector<HTMLElement>(`.diff [data-comment-id="${comment.id}"]`);
      card?.focus();
    },
    reply: () => {
      const comment = focusedComment();
      if (comment?.line == null) form.current?.querySelector("textarea")?.focus();
      else {
        const { path, side, line, end_line } = comment;
        of.onCompose({ path, side, line, endLine: end_line });
      }
    },
    openOutside: () => openOutside(shown),
    notViewed: () => {
      const next = files.find(({ path }) => marks.markOf(path) !== "viewed") ?? files[0];
      if (next !== undefined) handle()?.show({ path: next.path });
    },
    viewed: () => {
      if (file === null) return;
      marks.set(file.path, true);
      const next = nextUnviewed(files, file, marks);
      if (next !== null) handle()?.show({ path: next.path });
    },
    nextComment: () => {
      const order = new Map(files.map(({ path }, index) => [path, index]));
      const open = comments
        .filter(({ state }) => state !== "resolved")
        .toSorted(
          (one, other) =>
            (order.get(one.path) ?? 0) - (order.get(other.path) ?? 0) || (one.line ?? 0) - (other.line ?? 0),
        );
      const next = open[(open.findIndex(({ id }) => id === of.shownComment) + 1) % open.length];
      if (next !== undefined) showComment(next);
    },
    toggleLayout: () => onSearch({ mode: of.layout === "split" ? undefined : "split" }),
    toggleSpace: () => onSearch({ space: of.hideSpace ? undefined : "hidden" }),
    toggleSides: () => onSearch(nextSide(shown, of.compared, marks.seenRun)),
    showRun: (number: number) => {
      const run = runsWithDiff(attempt).find((each) => each.number === number);
      if (run !== undefined) onSearch({ run: run.id, since: undefined });
    },
    send: () => form.current?.requestSubmit(),
    togglePanel: of.onPanel,
    ship: () => void navigate({ to: "/attempts/$id/ship", params }),
    attempt: () => void navigate({ to: "/attempts/$id", params }),
    compare: () => void navigate({ to: "/tasks/$id", params: { id: task.id } }),
    showComment,
    copy,
  };
  useReviewKeys(handle, acts);
  return acts;
}

/** The next file without a whole mark, from this one on and then from the top; null if all have one. */
function nextUnviewed(files: readonly DiffFile[], from: DiffFile, marks: ViewedMarks): DiffFile | null {
  const at = files.indexOf(from);
  const order = [...files.slice(at + 1), ...files.slice(0, at)];
  return order.find(({ path }) => marks.markOf(path) !== "viewed") ?? files[at + 1] ?? null;
}

/** Base, the last run, and what came since the last review, in turn. */
function nextSide({ attempt }: AttemptCard, compared: Compared, seen: string | null) {
  const last = runsWithDiff(attempt).at(-1);
  if (compared.kind === "base" && last !== undefined) return { run: last.id, since: undefined };
  if (compared.kind === "run" && seen !== null) return { run: undefined, since: seen };
  return { run: undefined, since: "base" };
}
