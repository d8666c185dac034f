/** Answers a thread of the pull request, in the person's name. */
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { answerOf, api, once } from "../../../data/api.ts";
import { useKeptWords } from "../../../data/kept-words.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";
import { useKeys } from "../../keys/keys.ts";

export function ReplyBox(props: {
  readonly attempt: string;
  readonly thread: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("shipActs");
  const { t: k } = useTranslation("keys");
  // By thread, so that an answer is not lost to another one.
  const [words, onWords] = useKeptWords(`reply ${props.attempt} ${props.thread}`);
  const form = useRef<HTMLFormElement>(null);
  const reply = useMutation({
    mutationFn: (_: Element | null) =>
      answerOf(api.reply(props.attempt, { thread: props.thread, body: words }, once())),
    onError: tellProblem,
    onSuccess: (_, panel) => {
      onWords("");
      // The thread may be answered for good, and gone with the focus.
      if (isHere() || document.activeElement === document.body) focus(panel);
      props.onClose();
      tell({ title: t("replied") });
    },
  });
  const isHere = () => form.current?.contains(document.activeElement) === true;
  const close = () => {
    if (isHere()) focus(form.current?.closest("[data-thread]"));
    props.onClose();
  };
  const send = () => {
    if (words.trim() !== "" && !reply.isPending) reply.mutate(form.current?.closest("section") ?? null);
  };
  useKeys([{ spec: "mod+enter", words: k("send"), run: send, whileTyping: true, when: isHere }]);
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
        aria-label={t("replyWords")}
        className="field min-h-16"
        value={words}
        readOnly={reply.isPending}
        maxLength={60_000}
        // biome-ignore lint/a11y/noAutofocus: the person just asked to write here.
        autoFocus
        onChange={({ target }) => onWords(target.value)}
      />
      <span className="flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto text-fine text-ink-3">{t("replyText")}</span>
        <Button kind="quiet" size="small" onClick={close}>
          {t("cancel")}
        </Button>
        <Button
          kind="primary"
          size="small"
          type="submit"
          keySpec="mod+enter"
          busy={reply.isPending}
          off={words.trim() === "" ? t("replyNeeds") : null}
        >
          {t("reply")}
        </Button>
      </span>
    </form>
  );
}

function focus(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus();
}
