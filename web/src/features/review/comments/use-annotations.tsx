/** Puts comments, threads of the forge and the open composer below their lines. */
import type { CommentDocument } from "@contract/endpoints/comments.ts";
import { needsNames } from "@contract/words/actor-words.ts";
import { useCallback, useMemo, useRef, useState } from "react";
import { keepUnsent, unsentWords } from "../../../data/unsent-words.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { part } from "../../../ui/loaded/part.tsx";
import type { AttemptCard } from "../../attempts/cards.ts";
import type { Annotation, DiffHandle } from "../../diff/handle.ts";
import type { LinePlace } from "../../diff/patch/line-of.ts";
import { useKeepDraft } from "./comments.ts";
import { Composer } from "./composer.tsx";
import { placedThreads, placeWords } from "./threads.ts";
import type { Picked } from "./use-picked.ts";

const CommentCard = part(async () => (await import("./comment-card.tsx")).CommentCard);
const ForgeCard = part(async () => (await import("./forge-card.tsx")).ForgeCard);

interface Of {
  readonly shown: AttemptCard;
  readonly comments: readonly CommentDocument[];
  readonly sides: "both" | "new" | "none";
  readonly picked: Picked;
  readonly numberOf: (run: string) => number | null;
  readonly composing: Composing;
}

export function useAnnotations(of: Of): readonly Annotation[] {
  const { shown, comments, sides, picked, numberOf, composing } = of;
  const { attempt } = shown;
  const isNamed = needsNames(comments.map(({ actor }) => actor));
  const isHere = (side: "old" | "new") => sides === "both" || (sides === "new" && side === "new");
  const own = comments
    .filter(({ side }) => isHere(side))
    .map(
      (comment): Annotation => ({
        key: comment.id,
        path: comment.path,
        side: comment.side,
        // Its line is gone, so it stands at the head of its file.
        line: comment.outdated ? null : (comment.end_line ?? comment.line),
        content: (
          <CommentCard
            attempt={attempt.id}
            comment={comment}
            numberOf={numberOf}
            isNamed={isNamed}
            isChosen={picked.has(comment.id)}
            onChoose={(chosen) => picked.set(comment.id, chosen)}
          />
        ),
      }),
    );
  const threads = (isHere("new") ? placedThreads(attempt.pull_request?.open_threads ?? []) : []).map(
    (thread): Annotation => ({
      key: thread.id,
      path: thread.path,
      side: "new",
      line: thread.line,
      content: (
        <ForgeCard
          thread={thread}
          isChosen={picked.has(thread.id)}
          onChoose={(chosen) => picked.set(thread.id, chosen)}
        />
      ),
    }),
  );
  return [...own, ...threads, ...composing.annotations];
}

interface Composing {
  readonly annotations: readonly Annotation[];
  readonly open: (place: LinePlace) => void;
}

/**
 * At most one composer is open; what was written and not kept is there again at the same place. After a reload, the
 * composer that was open last is open again.
 */
export function useComposing(attempt: string, handle: () => DiffHandle | null): Composing {
  const { t } = useTranslation("review");
  const [first] = useState(() => unsentWords(attempt).filter(({ place }) => placeOf(place) !== null));
  const [place, setPlace] = useState<LinePlace | null>(() => placeOf(first.at(-1)?.place));
  /** The person has not opened it, so the focus stays wherever it is. */
  const [isOpenAgain, setOpenAgain] = useState(place !== null);
  const [written, setWritten] = useState<ReadonlyMap<string, string>>(
    () => new Map(first.map((each) => [each.place, each.words])),
  );
  const keep = useKeepDraft(attempt);
  /** Another one may be written meanwhile. */
  const saving = keep.isPending ? JSON.stringify(keep.variables.place) : null;
  const opened = useRef(place);
  opened.current = place;
  const annotations = useMemo((): readonly Annotation[] => {
    if (place === null) return [];
    const key = JSON.stringify(place);
    const write = (words: string) => {
      setWritten((now) => new Map(now).set(key, words));
      keepUnsent({ attempt, place: key, words });
    };
    const words = written.get(key) ?? "";
    const close = () => {
      keepUnsent({ attempt, place: key, words: "" });
      setPlace(null);
      handle()?.show({ path: place.path, side: place.side, line: place.endLine ?? place.line });
    };
    const onKept = () => {
      write("");
      // Meanwhile the person may have begun another one.
      if (opened.current === place) close();
    };
    const where = placeWords({ path: place.path, line: place.line, end_line: place.endLine });
    return [
      {
        key: `composer ${key}`,
        path: place.path,
        side: place.side,
        line: place.endLine ?? place.line,
        content: (
          <Composer
            key={key}
            title={t("commentAt", { place: where })}
            words={words}
            onWords={write}
            takesFocus={!isOpenAgain}
            lines={place.side === "new" ? (handle()?.textOf(place) ?? null) : null}
            isSaving={saving === key}
            // The screen may be left before the answer: what is kept must not be written again.
            onKeep={() => void keep.mutateAsync({ place, body: words }).then(onKept, () => undefined)}
            onClose={close}
          />
        ),
      },
    ];
  }, [attempt, place, written, isOpenAgain, saving, keep.mutateAsync, handle, t]);
  const open = useCallback((at: LinePlace) => {
    setOpenAgain(false);
    setPlace(at);
  }, []);
  return { annotations, open };
}

/** Null if the text is not that of a place. */
function placeOf(text: string | undefined): LinePlace | null {
  if (text?.startsWith("{") !== true) return null;
  try {
    const { path, side, line, endLine } = JSON.parse(text) as Partial<LinePlace>;
    const isPlace =
      typeof path === "string" && (side === "old" || side === "new") && typeof line === "number";
    return isPlace ? { path, side, line, endLine: endLine ?? null } : null;
  } catch {
    return null;
  }
}
