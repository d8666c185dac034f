/** The palette: goes anywhere and does everything that the command line does, by name. */

import { Dialog } from "@base-ui/react/dialog";
import { useParams } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { isComposing } from "../../data/keys/composing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { type Command, useCommands } from "./commands.ts";
import { matching } from "./match.ts";

const MOST = 60;

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("palette");
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = matching(useCommands(useFocusedAttempt()), typed).slice(0, MOST);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const move = (by: number) => {
    const next = Math.max(0, Math.min(found.length - 1, chosen + by));
    setChosen(next);
    list.current?.querySelector(`#palette-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ink/20" />
        <Dialog.Popup
          data-over=""
          className="appears fixed top-[10vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-panel border border-line bg-raised shadow-3"
        >
          <Dialog.Title className="visually-hidden">{t("title")}</Dialog.Title>
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
            aria-label={t("title")}
            placeholder={t("hint")}
            className="border-b border-line bg-transparent px-4 py-3 text-title outline-none"
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              setChosen(0);
            }}
            onKeyDown={(event) => {
              if (isComposing(event.nativeEvent)) return;
              if (event.key === "ArrowDown") move(1);
              else if (event.key === "ArrowUp") move(-1);
              else if (event.key === "Enter") run(found[chosen]);
              else return;
              event.preventDefault();
            }}
          />
          <Found found={found} chosen={chosen} list={list} onRun={run} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Found(props: {
  readonly found: readonly Command[];
  readonly chosen: number;
  readonly list: React.RefObject<HTMLDivElement | null>;
  readonly onRun: (command: Command) => void;
}) {
  const { t } = useTranslation("palette");
  const { found } = props;
  return (
    <div
      ref={props.list}
      id="palette-list"
      role="listbox"
      aria-label={t("title")}
      className="min-h-0 overflow-y-auto p-1"
    >
      {found.length === 0 && <div className="px-3 py-2 text-ink-2">{t("nothing")}</div>}
      {found.map((command, index) => (
        <div
          key={command.id}
          id={`palette-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.chosen}
          onClick={() => props.onRun(command)}
          onKeyDown={() => undefined}
          className="flex min-w-0 cursor-default items-baseline gap-3 rounded-chip px-3 py-1.5 hover:bg-hover aria-selected:bg-accent-soft max-lg:min-h-11 max-lg:items-center"
        >
          <span className="w-16 flex-none text-fine text-ink-3">{t(command.section)}</span>
          <bdi className="min-w-0 truncate">{command.words}</bdi>
          {command.beside !== undefined && (
            <bdi className="ml-auto min-w-0 truncate text-fine text-ink-3">{command.beside}</bdi>
          )}
          {command.keySpec !== undefined && (
            <span className={`flex-none ${command.beside === undefined ? "ml-auto" : ""}`}>
              <KeyCap spec={command.keySpec} />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** The attempt whose screen is open, or whose card had the focus when the palette was asked for. */
function useFocusedAttempt(): string | null {
  const { id } = useParams({ strict: false });
  const [focused] = useState(
    () => document.querySelector<HTMLElement>("[data-card]:focus-within")?.dataset.card ?? null,
  );
  return focused ?? (location.pathname.startsWith("/attempts/") ? (id ?? null) : null);
}
