/** A text box with its name and a hint, in which `@` inserts the name of a file of the repository. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { usePaused } from "../../ui/use-paused.ts";
import { type Mention, mentionIn, withFile } from "./mention.ts";

interface FilePlace {
  /** The id of the repository; null before one is chosen. */
  readonly repository: string | null;
  /** Null: the configured base. */
  readonly base: string | null;
}

interface TextBoxProps {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly files: FilePlace;
  readonly className: string;
  readonly rows: number;
  readonly isFirst?: boolean;
  readonly children?: ReactNode;
}

export function TextBox(props: TextBoxProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = usePicker(props, box);
  const isOpen = picker.mention !== null && props.files.repository !== null;
  return (
    <div>
      <p className="mb-1.5 text-small text-ink-3">
        <label htmlFor={id} id={`${id}-name`} className="font-medium text-ink-2">
          {props.name}
        </label>{" "}
        <span id={`${id}-hint`}>{props.hint}</span>
      </p>
      <div className="relative">
        <textarea
          ref={box}
          id={id}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-hint`}
          aria-autocomplete="list"
          {...(isOpen
            ? { "aria-controls": `${id}-files`, "aria-activedescendant": `${id}-file-${picker.chosen}` }
            : {})}
          className={`field resize-y ${props.className}`}
          rows={props.rows}
          value={props.value}
          // biome-ignore lint/a11y/noAutofocus: who opens this form wants to write the issue.
          autoFocus={props.isFirst === true}
          onChange={({ target }) => {
            props.onChange(target.value);
            picker.look(target);
          }}
          onKeyDown={picker.onKey}
          onBlur={picker.close}
        />
        {isOpen && <Files id={id} {...picker} />}
      </div>
      {props.children}
    </div>
  );
}

type Picker = ReturnType<typeof usePicker>;

function usePicker({ value, onChange, files }: TextBoxProps, box: RefObject<HTMLTextAreaElement | null>) {
  const [mention, setMention] = useState<Mention | null>(null);
  const [chosen, setChosen] = useState(0);
  const query = usePaused(mention?.query ?? "", { key: mention?.query ?? "", ms: 100 });
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["files", files.repository, files.base, query],
    queryFn: () => answerOf(api.files(files.repository ?? "", { query, base: files.base })),
    enabled: mention !== null && files.repository !== null,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  /** The answer is about fewer letters than stand there now. */
  const isOlder = isPlaceholderData || query !== mention?.query;
  const wanted = (mention?.query ?? "").toLowerCase();
  const found = (data?.items ?? [])
    .filter(({ path }) => !isOlder || path.toLowerCase().includes(wanted))
    .slice(0, 8)
    .map(({ path }) => path);
  const close = () => setMention(null);
  const insert = (path: string) => {
    if (mention === null) return;
    const { text, caret } = withFile(value, mention, path);
    onChange(text);
    close();
    // The caret goes behind the name once the box holds it.
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(caret, caret);
    });
  };
  return {
    mention,
    chosen,
    found,
    isRead: data !== undefined && !isOlder,
    close,
    insert,
    look: ({ value: text, selectionStart }: HTMLTextAreaElement) => {
      setMention(mentionIn(text, selectionStart));
      setChosen(0);
    },
    onKey: (event: KeyboardEvent) => {
      if (mention === null || isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey) return;
      const path = found[chosen];
      const act = {
        ArrowDown: () => setChosen(Math.min(found.length - 1, chosen + 1)),
        ArrowUp: () => setChosen(Math.max(0, chosen - 1)),
        Enter: path === undefined ? undefined : () => insert(path),
        Tab: path === undefined ? undefined : () => insert(path),
        Escape: close,
      }[event.key];
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
  };
}

function Files({ id, found, chosen, insert, isRead }: Picker & { readonly id: string }) {
  const { t } = useTranslation("newTask");
  return (
    <div
      id={`${id}-files`}
      role="listbox"
      aria-label={t("files")}
      className="appears absolute top-full left-0 z-20 mt-1 w-full max-w-xl rounded-card border border-line bg-raised p-1 shadow-2"
    >
      {isRead && found.length === 0 && <p className="px-2 py-1 text-small text-ink-3">{t("noFile")}</p>}
      {found.map((path, index) => (
        <div
          key={path}
          id={`${id}-file-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="cursor-default truncate rounded-chip px-2 py-1 font-mono text-small aria-selected:bg-hover max-sm:py-3"
          // The box keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            insert(path);
          }}
        >
          <bdi>{path}</bdi>
        </div>
      ))}
    </div>
  );
}
