/** Edits what a new pull request says, kept as a draft, and opens it. */
import type { PreviewAnswer } from "@contract/endpoints/pull-requests.ts";
import { useRef, useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { useKeys } from "../../keys/keys.ts";
import { useActKey } from "../suggested.ts";
import { useShipDraft } from "../use-ship-draft.ts";
import { useOpen } from "./use-open.ts";

interface NewPullProps {
  readonly attempt: string;
  readonly preview: PreviewAnswer;
  readonly isWorking: boolean;
}

/** What a person does not change is sent as Tazuna's own words, so that it may renew them later. */
export function NewPull({ attempt, preview, isWorking }: NewPullProps) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const form = useRef<HTMLFormElement>(null);
  const open = useOpen(attempt);
  const act = useActKey("open_pull");
  const words = useWords(attempt, preview);
  const { title, body, draft, isOwn } = words;
  const send = () => {
    if (isWorking || open.isPending) return;
    words.drop();
    const asked = {
      title: title === preview.title ? null : title,
      body: body === preview.body ? null : body,
      draft,
    };
    // Also if the screen is left before it is refused.
    void open.mutateAsync(asked).catch(words.keepAll);
  };
  useKeys([
    {
      spec: "mod+enter",
      words: t("openPull"),
      whileTyping: true,
      run: send,
      when: () => form.current?.contains(document.activeElement) === true,
    },
  ]);
  return (
    <form
      ref={form}
      className="flex flex-col gap-2"
      onBlur={words.keepNow}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className="flex flex-col gap-0.5 text-fine text-ink-3">
        {t("pullTitle")}
        <input
          className="field text-body text-ink"
          value={title}
          maxLength={1000}
          onChange={({ target }) => words.change({ title: target.value })}
        />
      </label>
      <label className="flex flex-col gap-0.5 text-fine text-ink-3">
        {t("pullBody")}
        <textarea
          className="field min-h-44 font-mono text-fine text-ink"
          value={body}
          maxLength={60_000}
          onChange={({ target }) => words.change({ body: target.value })}
        />
      </label>
      <span className="flex flex-wrap items-center justify-end gap-3">
        {!isOwn && (
          <Button kind="quiet" size="small" className="mr-auto" onClick={words.reset}>
            {a("ownPull")}
          </Button>
        )}
        {words.isKept && !isOwn && <span className="text-fine text-ink-3">{a("kept")}</span>}
        <label className="tick text-small text-ink-2">
          <input
            type="checkbox"
            checked={draft}
            onChange={({ target }) => words.change({ draft: target.checked })}
          />
          {t("pullDraft")}
        </label>
        <Button
          kind="primary"
          type="submit"
          {...act}
          busy={open.isPending}
          off={isWorking ? t("whyWorking") : null}
        >
          {t("openPull")}
        </Button>
      </span>
    </form>
  );
}

interface Words {
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

/** What the person typed here, else what they typed before, else Tazuna's words as they are now. */
function useWords(attempt: string, { title, body, typed }: PreviewAnswer) {
  const kept = useShipDraft(attempt, "pull");
  /** Null stands for Tazuna's words, also if those change. */
  const [here, setHere] = useState<{ readonly [Key in keyof Words]?: Words[Key] | null | undefined }>(
    kept.found,
  );
  const now = { ...typed, ...here };
  const shown: Words = { title: now.title ?? title, body: now.body ?? body, draft: now.draft ?? false };
  return {
    ...shown,
    isOwn: shown.title === title && shown.body === body && !shown.draft,
    isKept: kept.isKept,
    keepNow: kept.keepNow,
    drop: kept.drop,
    keepAll: () => kept.keep(here),
    change: (change: Partial<Words>) => {
      setHere({ ...here, ...change });
      kept.keep(change);
    },
    reset: () => {
      const own = { title: null, body: null, draft: null };
      setHere(own);
      kept.keep(own);
      kept.keepNow();
    },
  };
}
