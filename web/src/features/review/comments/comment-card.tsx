/** A comment below its line: a draft, one that was sent and what came of it, or one of a review agent. */
import type { CommentDocument } from "@contract/endpoints/comments.ts";
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { Check, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { keepWords, useKeptWords } from "../../../data/kept-words.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { tell } from "../../../ui/toast.tsx";
import { useActorName } from "../../actors/use-actor-name.ts";
import { CommentBody } from "./comment-body.tsx";
import { useChangeComment, useKeepDraft, useRemoveDraft } from "./comments.ts";
import { Composer } from "./composer.tsx";

interface CardProps {
  readonly attempt: string;
  readonly comment: CommentDocument;
  /** The number of a run by its id. */
  readonly numberOf: (run: string) => number | null;
  /** Whether it needs to be told which person wrote it. */
  readonly isNamed: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

export function CommentCard(props: CardProps) {
  const { comment } = props;
  // Far from sight a card is taken from the page. What is being written goes on when it is back.
  const [written, write] = useKeptWords(`comment ${comment.id}`);
  const [isAsked, setAsked] = useState(false);
  if (written !== "" || isAsked)
    return (
      <Edit
        {...props}
        words={written}
        onWords={write}
        isAsked={isAsked}
        onDone={() => {
          setAsked(false);
          keepWords(`comment ${comment.id}`, "");
        }}
      />
    );
  if (comment.state === "resolved") return <Closed {...props} />;
  return (
    <article
      data-comment-id={comment.id}
      tabIndex={-1}
      className="flex flex-col gap-1 rounded-card border border-line-strong bg-raised px-2.5 pt-1.5 pb-2 shadow-1"
    >
      <div className="flex min-h-6 flex-wrap items-center gap-2 text-small text-ink-2">
        <Author {...props} />
        <span className="ml-auto flex items-center gap-1">
          <Marks {...props} />
          {comment.state === "draft" && (
            <DraftActs
              {...props}
              onEdit={() => {
                setAsked(true);
                write(comment.body);
              }}
            />
          )}
        </span>
      </div>
      <CommentBody body={comment.body} quoted={comment.quoted} />
      {comment.state !== "draft" && <Foot {...props} />}
    </article>
  );
}

function Author({ comment, numberOf, isNamed }: CardProps) {
  const { t } = useTranslation("review");
  const { clock } = useFormat();
  const nameOf = useActorName();
  const { state, author_kind, author, actor, severity, line, sent_with, at } = comment;
  if (state === "draft")
    return (
      <>
        <span className="chip family-review">
          <MessageSquare size={11} aria-hidden="true" />
          {t("draft")}
        </span>
        {isNamed && <bdi className="chip">{nameOf(actor)}</bdi>}
        {line === null ? t("onFileNotSent") : t("onLineNotSent", { line: lineWords(comment) })}
      </>
    );
  const run = sent_with === null ? null : numberOf(sent_with);
  return (
    <>
      <bdi className="chip">
        {author_kind === "agent" ? cleanLine(author ?? "") : isNamed ? nameOf(actor) : t("you")}
      </bdi>
      {severity !== null && (
        <span
          className={`chip ${severity === "critical" || severity === "high" ? "family-fail" : "family-needs"}`}
        >
          {t(severity)}
        </span>
      )}
      {run === null ? clock(at) : t("sentWith", { run })}
    </>
  );
}

const lineWords = ({ line, end_line }: CommentDocument) =>
  end_line === null ? String(line) : `${line}–${end_line}`;

function Marks({ comment, numberOf }: CardProps) {
  const { t } = useTranslation("review");
  const run = comment.addressed_in === null ? null : numberOf(comment.addressed_in);
  return (
    <>
      {comment.outdated && <span className="chip family-queue">{t("outdated")}</span>}
      {run !== null && (
        <span className="chip family-ready">
          <Check size={11} aria-hidden="true" />
          {t("addressed", { run })}
        </span>
      )}
    </>
  );
}

/** A draft that was deleted can be written again as it was. */
function DraftActs({ attempt, comment, onEdit }: CardProps & { readonly onEdit: () => void }) {
  const { t } = useTranslation("review");
  const keep = useKeepDraft(attempt);
  const { path, line, end_line, side, body } = comment;
  const undo =
    line === null ? undefined : () => keep.mutate({ place: { path, line, endLine: end_line, side }, body });
  const remove = useRemoveDraft(attempt, () => tell({ title: t("deleted"), undo }));
  return (
    <>
      <Button size="small" kind="quiet" label={t("edit")} icon={<Pencil size={13} />} onClick={onEdit} />
      <Button
        size="small"
        kind="quiet"
        label={t("delete")}
        icon={<Trash2 size={13} />}
        busy={remove.isPending}
        onClick={() => remove.mutate(comment.id)}
      />
    </>
  );
}

function Edit({
  attempt,
  comment,
  words,
  onWords,
  isAsked,
  onDone,
}: CardProps & {
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** The person has just asked for it. */
  readonly isAsked: boolean;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation("review");
  const change = useChangeComment(attempt);
  return (
    <Composer
      title={t("editComment")}
      words={words}
      onWords={onWords}
      takesFocus={isAsked}
      lines={comment.quoted}
      isSaving={change.isPending}
      onKeep={() => void change.mutateAsync({ id: comment.id, body: words }).then(onDone, () => undefined)}
      onClose={onDone}
    />
  );
}

function Foot({ attempt, comment, isChosen, onChoose }: CardProps) {
  const { t } = useTranslation("review");
  const change = useChangeComment(attempt);
  const { addressed_in, author_kind, state, id, path, line, side } = comment;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-3 border-t border-line pt-1.5 text-small">
      {addressed_in !== null && (
        <Link
          to="/attempts/$id/review"
          params={{ id: attempt }}
          search={{
            run: addressed_in,
            file: path,
            ...(side === "new" && line !== null ? { line: String(line) } : {}),
          }}
          className="text-accent hover:underline"
        >
          {t("seeWhatChanged")}
        </Link>
      )}
      {author_kind === "agent" && state === "open" && (
        <label className="tick">
          <input type="checkbox" checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
          {t("sendThisToo")}
        </label>
      )}
      <Button
        size="small"
        kind="quiet"
        className="ml-auto"
        busy={change.isPending}
        onClick={() => change.mutate({ id, resolved: true })}
      >
        {t("resolve")}
      </Button>
    </div>
  );
}

function Closed({ attempt, comment }: CardProps) {
  const { t } = useTranslation("review");
  const change = useChangeComment(attempt);
  return (
    <div
      data-comment-id={comment.id}
      tabIndex={-1}
      className="flex items-center gap-2 rounded-card border border-line px-2.5 py-1 text-small text-ink-3"
    >
      <Check size={13} aria-hidden="true" />
      <span className="visually-hidden">{t("resolved")}</span>
      <bdi className="min-w-0 flex-1 truncate">{cleanLine(comment.body)}</bdi>
      <Button
        size="small"
        kind="quiet"
        busy={change.isPending}
        onClick={() => change.mutate({ id: comment.id, resolved: false })}
      >
        {t("openAgain")}
      </Button>
    </div>
  );
}
