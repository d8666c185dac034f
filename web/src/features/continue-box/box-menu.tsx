/** What else can be done from the box: commit own edits, merge the base, ask for a review, end the attempt. */
import { isOpen } from "@contract/words/attempt-standing.ts";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { dialogPart } from "../../ui/loaded/part.tsx";
import { Menu } from "../../ui/menu.tsx";
import { tell } from "../../ui/toast.tsx";
import { useFollowUp } from "../attempts/act.ts";
import type { AttemptCard } from "../attempts/cards.ts";

const ReviewDialog = dialogPart(async () => (await import("./review-dialog.tsx")).default);
const CancelDialog = dialogPart(async () => (await import("./cancel-dialog.tsx")).default);

export function BoxMenu(props: {
  readonly shown: AttemptCard;
  readonly works: boolean;
  readonly mergeBase: boolean;
  readonly onMergeBase: (mergeBase: boolean) => void;
  readonly isReviewAsked: boolean;
  readonly onReviewAsked: (isAsked: boolean) => void;
  readonly onTerminal: () => void;
}) {
  const { shown, works } = props;
  const { t } = useTranslation("continue");
  const [isCanceling, setCanceling] = useState(false);
  const followUp = useFollowUp(shown.attempt.id);
  const ended = isOpen(shown.attempt) ? null : t("isOver");
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="button"
            data-kind="quiet"
            data-size="small"
            data-icon=""
            data-menu=""
            aria-label={t("more")}
          >
            <Ellipsis size={16} aria-hidden="true" />
          </button>
        }
        items={[
          {
            words: t("mergeBase"),
            isChosen: props.mergeBase,
            run: () => props.onMergeBase(!props.mergeBase),
            off: ended,
          },
          {
            words: t("commitEdits"),
            run: () =>
              followUp.mutate({ instruction: null }, { onSuccess: () => tell({ title: t("editsSent") }) }),
            off: ended ?? (works ? t("whileWorks") : null),
          },
          { words: t("terminal"), asks: "openTerminal", keySpec: "`", run: props.onTerminal },
          { words: t("askReview"), run: () => props.onReviewAsked(true), off: ended },
          { words: t("cancelAttempt"), run: () => setCanceling(true), off: ended, danger: true },
        ]}
      />
      {props.isReviewAsked && <ReviewDialog shown={shown} onClose={() => props.onReviewAsked(false)} />}
      {isCanceling && <CancelDialog shown={shown} onClose={() => setCanceling(false)} />}
    </>
  );
}
