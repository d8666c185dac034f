/** Changes one setting in place. What a page may not change is refused by the server, with the command that may. */
import type { ConfigValue } from "@contract/endpoints/repositories.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useShown } from "../../ui/use-shown.ts";
import { choicesOf, type SettingSchema, textOfValue, valueOfText } from "./setting.ts";

export function SettingEditor(props: {
  readonly setting: ConfigValue;
  readonly schema: SettingSchema | null;
  /** The repository whose own file is written, by its id; null: the user's settings. */
  readonly repository: string | null;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("settings");
  const { t: s } = useTranslation("shell");
  const { setting, schema, repository } = props;
  const [text, setText] = useState(textOfValue(setting.value));
  const client = useQueryClient();
  const isShown = useShown();
  const change = useMutation({
    mutationFn: (wanted: { readonly value: unknown } | null) => changeSetting(wanted),
    onSuccess: (done) => {
      tellChanged(done);
      // Another one may be edited by then.
      if (isShown()) props.onClose();
    },
  });
  const place = { key: setting.key, repository, local: repository !== null };
  /** Null takes it out of the file. */
  const changeSetting = (wanted: { readonly value: unknown } | null) =>
    answerOf(api.changeSetting({ ...place, ...(wanted === null ? { unset: true } : wanted) }));
  const tellChanged = ({ file, key, value, unset, before }: Awaited<ReturnType<typeof changeSetting>>) => {
    // Another file, or the environment, says what holds.
    if (unset && before === null) return tell({ title: t("unsetNothing", { key }), text: file });
    tell({
      title: unset ? t("unsetDone", { key }) : t("changed", { key, value: textOfValue(value) }),
      text: file,
      undo: () => void changeSetting(before).then(tellChanged, tellProblem),
    });
    for (const read of ["config", "agents", "preview", "scripts"])
      void client.invalidateQueries({ queryKey: [read] });
  };
  const name = t("valueOf", { key: setting.key });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ value: valueOfText(text, schema) });
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        props.onClose();
      }}
    >
      <Field name={name} text={text} choices={choicesOf(schema)} onChange={setText} />
      {change.error !== null && <ProblemNote error={change.error} />}
      <span className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" size="small" asks="changeSetting" busy={change.isPending}>
          {t("change")}
        </Button>
        {setting.source !== "default" && (
          <Button
            size="small"
            asks="changeSetting"
            busy={change.isPending}
            onClick={() => change.mutate(null)}
          >
            {t("unset")}
          </Button>
        )}
        <Button kind="quiet" size="small" onClick={props.onClose}>
          {s("cancel")}
        </Button>
      </span>
    </form>
  );
}

function Field(props: {
  readonly name: string;
  readonly text: string;
  readonly choices: readonly string[];
  readonly onChange: (text: string) => void;
}) {
  if (props.choices.length > 0)
    return (
      <select
        aria-label={props.name}
        className="field max-w-60"
        // biome-ignore lint/a11y/noAutofocus: the person just asked for this field.
        autoFocus
        value={props.text}
        onChange={({ target }) => props.onChange(target.value)}
      >
        {props.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  return (
    <input
      aria-label={props.name}
      className="field font-mono"
      // biome-ignore lint/a11y/noAutofocus: the person just asked for this field.
      autoFocus
      spellCheck={false}
      value={props.text}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}
