/** Edits the message of a commit that is still to be made; it is kept on the server as a draft. */
import { useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { useShipDraft } from "../use-ship-draft.ts";

export function MessageEditor(props: {
  readonly attempt: string;
  /** As a person typed it, else in Tazuna's words. */
  readonly first: string;
  readonly isTyped: boolean;
  readonly trailers: string;
}) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const { attempt, first, isTyped, trailers } = props;
  const draft = useShipDraft(attempt, "message");
  /** Null as long as nobody types here: then what the server says is shown. */
  const [text, setText] = useState<string | null>(draft.found.message ?? null);
  const shown = text ?? first;
  const change = (message: string) => {
    setText(message);
    draft.keep({ message: message.trim() === "" ? null : message });
  };
  const reset = () => {
    setText(null);
    draft.keep({ message: null });
    draft.keepNow();
  };
  return (
    <>
      <textarea
        aria-label={a("editMessage")}
        className="field min-h-28 font-mono text-[11.5px] leading-[17.5px]"
        rows={Math.min(14, shown.split("\n").length + 1)}
        value={shown}
        maxLength={20_000}
        onChange={({ target }) => change(target.value)}
        onBlur={draft.keepNow}
      />
      {trailers !== "" && (
        <pre className="mt-1 overflow-x-auto text-fine whitespace-pre-wrap text-ink-3">
          <bdi>{trailers}</bdi>
        </pre>
      )}
      <p className="mt-1 flex flex-wrap items-center gap-2 text-fine text-ink-3">
        <span>
          {isTyped || text !== null ? a("messageDue") : t("notCommitted")} {draft.isKept && a("kept")}
        </span>
        {(isTyped || text !== null) && (
          <Button size="small" kind="quiet" className="ml-auto" onClick={reset}>
            {a("ownMessage")}
          </Button>
        )}
      </p>
    </>
  );
}
