/** Sends the agent words that are prefilled with what is wrong; a person may change them first. */
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tell } from "../../ui/toast.tsx";
import { useFollowUp } from "../attempts/act.ts";
import { useKeys } from "../keys/keys.ts";

export function SendBox(props: {
  readonly attempt: string;
  readonly words: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("ship");
  const { t: k } = useTranslation("keys");
  const [words, setWords] = useState(props.words);
  const followUp = useFollowUp(props.attempt);
  const form = useRef<HTMLFormElement>(null);
  const send = () => {
    if (words.trim() === "" || followUp.isPending) return;
    followUp.mutate(
      { instruction: words },
      {
        onSuccess: () => {
          props.onClose();
          tell({ title: t("sent") });
        },
      },
    );
  };
  /** In another box, the key sends what stands there. */
  const isMeant = () => [null, form.current].includes(document.activeElement?.closest("form") ?? null);
  useKeys([{ spec: "mod+enter", words: k("send"), run: send, whileTyping: true, when: isMeant }]);
  return (
    <form
      ref={form}
      className="mt-1.5 flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label={t("sendWords")}
        className="field min-h-20"
        value={words}
        readOnly={followUp.isPending}
        // biome-ignore lint/a11y/noAutofocus: the person just asked to write here.
        autoFocus
        onChange={({ target }) => setWords(target.value)}
      />
      <span className="flex justify-end gap-2">
        <Button kind="quiet" size="small" onClick={props.onClose}>
          {t("cancel")}
        </Button>
        <Button kind="primary" size="small" type="submit" keySpec="mod+enter" busy={followUp.isPending}>
          {t("send")}
        </Button>
      </span>
    </form>
  );
}
