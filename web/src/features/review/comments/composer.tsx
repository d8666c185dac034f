/** The box in which a comment is written; it is kept as a draft, and lost only by deleting it. */

import { WandSparkles } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { isComposing } from "../../../data/keys/composing.ts";
import { isPressed } from "../../../data/keys/key-of.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { suggestionFor } from "./suggestions.ts";

export function Composer(props: {
  readonly title: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** The lines that the comment is about; null if they cannot be suggested anew. */
  readonly lines: string | null;
  /** Absent: it does, since a person has just opened it. */
  readonly takesFocus?: boolean;
  readonly isSaving: boolean;
  readonly onKeep: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("review");
  const { words, onWords, lines, takesFocus = true, onKeep, onClose } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  // Its height is measured first. Then all of it comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened.
  useEffect(() => {
    if (!takesFocus) return;
    box.current?.focus({ preventScroll: true });
    const frame = requestAnimationFrame(() =>
      box.current?.parentElement?.scrollIntoView({ block: "nearest" }),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
  const isEmpty = words.trim() === "";
  const keep = () => !isEmpty && !props.isSaving && onKeep();
  const onKeyDown = (event: KeyboardEvent) => {
    // Both keys belong to the conversion of what is being typed.
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    }
    if (isPressed(event.nativeEvent, "mod+enter")) {
      event.preventDefault();
      keep();
    }
  };
  const suggest = () => {
    if (lines === null) return;
    onWords(`${isEmpty ? "" : `${words.trimEnd()}\n`}${suggestionFor(lines)}`);
    box.current?.focus();
  };
  return (
    <div className="flex flex-col gap-2 rounded-card border border-line-strong bg-raised p-2.5 shadow-1">
      <textarea
        ref={box}
        className="field field-sizing-content max-h-72 min-h-16 resize-none"
        aria-label={props.title}
        placeholder={t("commentPlaceholder")}
        value={words}
        readOnly={props.isSaving}
        onChange={({ target }) => onWords(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        {lines !== null && (
          <Button size="small" kind="quiet" icon={<WandSparkles size={13} />} onClick={suggest}>
            {t("suggest")}
          </Button>
        )}
        <span className="ml-auto flex gap-2">
          <Button size="small" kind="quiet" onClick={onClose}>
            {t("close")}
          </Button>
          <Button
            size="small"
            kind="primary"
            keySpec="mod+enter"
            busy={props.isSaving}
            off={isEmpty ? t("writeFirst") : null}
            onClick={keep}
          >
            {t("keepDraft")}
          </Button>
        </span>
      </div>
    </div>
  );
}
