/** Writes to an agent in its card: words, or one of the answers that it offers. */

import { cleanText } from "@contract/text.ts";
import { useKeptWords } from "../../data/kept-words.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { isPressed } from "../../data/keys/key-of.ts";
import { Button } from "../../ui/button.tsx";

export function WriteForm(props: {
  /** Under which the words are kept until they were sent. */
  readonly place: string;
  readonly label: string;
  /** What the button that sends says. */
  readonly submit: string;
  /** What sending does, if the button does not say it all. */
  readonly hint?: string | undefined;
  /** Ready answers; none if the agent offered none. */
  readonly options?: readonly { readonly id: string; readonly name: string }[];
  readonly isBusy: boolean;
  /** The person asked for it just now. */
  readonly hasFocus: boolean;
  readonly onSend: (text: string) => void;
  /** Sends the name of a ready answer. */
  readonly onChoose?: (name: string) => void;
  readonly onLeave: () => void;
}) {
  const [text, setText] = useKeptWords(props.place);
  return (
    <form
      className="mt-1 flex w-full flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        // Around it, a submit says that something was sent.
        if (props.isBusy || text.trim() === "") event.stopPropagation();
        else props.onSend(text);
      }}
    >
      <textarea
        aria-label={props.label}
        placeholder={props.hint ?? props.label}
        className="field min-h-14"
        rows={2}
        value={text}
        readOnly={props.isBusy}
        // biome-ignore lint/a11y/noAutofocus: the person just asked to write here.
        autoFocus={props.hasFocus}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const isSend = isPressed(event.nativeEvent, "mod+enter");
          if (isComposing(event.nativeEvent) || (!isSend && event.key !== "Escape")) return;
          event.preventDefault();
          if (isSend) event.currentTarget.form?.requestSubmit();
          else {
            event.currentTarget.closest<HTMLElement>("[data-card]")?.focus();
            props.onLeave();
          }
        }}
      />
      <span className="flex flex-wrap justify-end gap-1.5">
        {props.options?.map((option) => (
          <Button
            key={option.id}
            size="small"
            busy={props.isBusy}
            onClick={() => props.onChoose?.(option.name)}
          >
            <bdi>{cleanText(option.name)}</bdi>
          </Button>
        ))}
        <Button kind="primary" size="small" keySpec="mod+enter" type="submit" busy={props.isBusy}>
          {props.submit}
        </Button>
      </span>
    </form>
  );
}
