/** What will be sent, what was sent with which run, and what others wrote; each leads to its line. */
import type { CommentDocument } from "@contract/endpoints/comments.ts";
import { cleanLine, visibleText } from "@contract/text.ts";
import { Check } from "lucide-react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { partsOf } from "./suggestions.ts";
import { placeWords, type Threads } from "./threads.ts";

interface ListProps {
  readonly threads: Threads;
  readonly shown: string | null;
  readonly numberOf: (run: string) => number | null;
  readonly onShow: (comment: CommentDocument) => void;
}

export function DraftsList(props: ListProps) {
  const { t } = useTranslation("review");
  const { threads, numberOf } = props;
  const isEmpty = threads.drafts.length + threads.open.length + threads.sent.length === 0;
  return (
    <>
      <div className="flex h-9 flex-none items-center gap-2 border-b border-line px-3">
        <h2 className="text-small">{t("drafts")}</h2>
        <span className="chip family-review tabular-nums">{threads.drafts.length}</span>
        {threads.drafts.length > 0 && <span className="ml-auto text-fine text-ink-3">{t("saved")}</span>}
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-1.5 overflow-y-auto p-2">
        {isEmpty && <p className="p-2 text-small text-ink-3">{t("noComments")}</p>}
        {threads.drafts.map((comment) => (
          <Entry key={comment.id} {...props} comment={comment} />
        ))}
        {threads.open.length > 0 && <Head words={t("byReviewers")} />}
        {threads.open.map((comment) => (
          <Entry key={comment.id} {...props} comment={comment} />
        ))}
        {threads.sent.map(({ run, comments }) => (
          <Sent key={run} {...props} number={numberOf(run)} comments={comments} />
        ))}
      </div>
    </>
  );
}

function Head({ words, beside }: { readonly words: string; readonly beside?: string }) {
  return (
    <h3 className="px-1 pt-2 text-fine font-medium text-ink-2">
      {words} {beside !== undefined && <span className="font-normal text-ink-3">{beside}</span>}
    </h3>
  );
}

function Sent(
  props: ListProps & { readonly number: number | null; readonly comments: readonly CommentDocument[] },
) {
  const { t } = useTranslation("review");
  const { comments, number } = props;
  const addressed = comments.filter(({ addressed_in }) => addressed_in !== null).length;
  return (
    <>
      <Head
        words={number === null ? t("sent") : t("sentWith", { run: number })}
        beside={t("addressedOf", { addressed, count: comments.length })}
      />
      {comments.map((comment) => (
        <Entry key={comment.id} {...props} comment={comment} />
      ))}
    </>
  );
}

function Entry({ comment, shown, onShow }: ListProps & { readonly comment: CommentDocument }) {
  const { t } = useTranslation("review");
  const isDraft = comment.state === "draft";
  const [first] = partsOf(comment.body);
  const words = first?.kind === "words" ? cleanLine(first.text) : t("suggestion");
  return (
    <button
      type="button"
      onClick={() => onShow(comment)}
      className={`flex flex-none flex-col gap-0.5 rounded-card border px-2 py-1.5 text-left ${isDraft ? "border-line bg-surface" : "border-transparent"} ${comment.id === shown ? "outline-2 -outline-offset-1 outline-accent" : ""} hover:bg-hover`}
    >
      <span className="flex max-w-full items-center gap-1 font-mono text-fine text-ink-3">
        {comment.addressed_in !== null && (
          <span className="family-ready flex-none text-ready-ink">
            <Check size={11} aria-hidden="true" />
            <span className="visually-hidden">{t("addressedShort")}</span>
          </span>
        )}
        <bdi className="truncate" dir="ltr">
          {visibleText(placeWords(comment))}
        </bdi>
        {comment.outdated && <span className="chip flex-none font-sans">{t("outdated")}</span>}
      </span>
      <bdi className={`line-clamp-2 text-small ${isDraft ? "" : "text-ink-2"}`}>{words}</bdi>
    </button>
  );
}
