/** Shows word for word what would be allowed from now on, before it becomes a rule. */

import { cleanText } from "@contract/text.ts";
import { useId, useState } from "react";
import { isComposing } from "../../data/keys/composing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";

export interface Always {
  readonly whole: string;
  readonly prefix: string | null;
}

export default function AlwaysForm(props: {
  readonly always: Always;
  readonly repository: string;
  readonly isBusy: boolean;
  readonly onSend: (always: string) => void;
  readonly onLeave: () => void;
}) {
  const { t } = useTranslation("questions");
  const { whole, prefix } = props.always;
  const [chosen, setChosen] = useState(whole);
  const name = useId();
  const choices = prefix === null || prefix === whole ? [whole] : [whole, prefix];
  return (
    <form
      className="mt-1 flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSend(chosen);
      }}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        // On a radio, Enter sends; it would open the card otherwise.
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          return props.onSend(chosen);
        }
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>("[data-card]")?.focus();
        props.onLeave();
      }}
    >
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-small text-ink-2">
          {t("alwaysTitle", { repository: props.repository })}
        </legend>
        {choices.map((text) => (
          <label key={text} className="flex min-h-6 items-start gap-2 text-small max-sm:min-h-11">
            <input
              type="radio"
              name={name}
              className="mt-0.5 accent-(--accent-fill)"
              checked={text === chosen}
              // biome-ignore lint/a11y/noAutofocus: the person just asked for this form.
              autoFocus={text === whole}
              onChange={() => setChosen(text)}
            />
            <span className="min-w-0">
              {t(text === whole ? "exactly" : "beginning")}
              <code className="block break-all whitespace-pre-wrap">{cleanText(text)}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <span className="flex flex-wrap justify-end gap-1.5">
        <Button kind="quiet" size="small" onClick={props.onLeave}>
          {t("back")}
        </Button>
        <Button kind="primary" size="small" keySpec="enter" type="submit" busy={props.isBusy}>
          {t("allowAlways")}
        </Button>
      </span>
    </form>
  );
}
