/** Comments in the middle of an attempt: they are written and read there as in a review, and sent from the review. */
import type { RunDocument } from "@contract/task-document.ts";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell } from "../../ui/toast.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import type { DiffHandle } from "../diff/handle.ts";
import type { LinePlace } from "../diff/patch/line-of.ts";
import { commentsQuery } from "../review/comments/comments.ts";
import { useAnnotations, useComposing } from "../review/comments/use-annotations.tsx";
import { sidesWithComments } from "../review/compared.ts";
import type { Side } from "./sides.ts";

const NONE: readonly never[] = [];
/** Which comments of others go along is chosen in the review. */
const NOT_PICKED = { has: () => false, set: () => undefined, clear: () => undefined };

export function useComments(of: {
  readonly shown: AttemptCard;
  readonly side: Side;
  readonly diff: RefObject<DiffHandle | null>;
  readonly onWhole: () => void;
}) {
  const { shown, side, diff, onWhole } = of;
  const { t } = useTranslation("patch");
  const { attempt } = shown;
  const { data: comments = NONE } = useQuery(commentsQuery(attempt.id));
  const handle = useCallback(() => diff.current, [diff]);
  const composing = useComposing(attempt.id, handle);
  const sides = sidesWithComments(attempt, side.kind === "whole" ? { kind: "base" } : side);
  const numberOf = (run: string) =>
    attempt.runs.find(({ id }: Pick<RunDocument, "id">) => id === run)?.number ?? null;
  const annotations = useAnnotations({ shown, comments, sides, picked: NOT_PICKED, numberOf, composing });
  const comment = (place: LinePlace) => {
    if (sides === "both" || place.side === sides) composing.open(place);
    else
      tell({
        title: t("noCommentHere"),
        text: t("noCommentWhy"),
        act: { words: t("showWhole"), run: onWhole },
      });
  };
  return { annotations, sides, comment };
}
