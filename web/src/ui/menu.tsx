/** A menu of acts; every item shows its key, and the key chooses it. */
import { Menu as Base } from "@base-ui/react/menu";
import type { KeyboardEvent, ReactElement } from "react";
import { isPressed } from "../data/keys/key-of.ts";
import type { KeySpec } from "../data/keys/key-table.ts";
import { KeyCap } from "./key-cap.tsx";

export interface MenuItem {
  readonly words: string;
  readonly run: () => void;
  readonly keySpec?: KeySpec | undefined;
  /** Why it is off. */
  readonly off?: string | null | undefined;
  readonly danger?: boolean;
  /** Marks the one that holds now. */
  readonly isChosen?: boolean;
}

interface MenuProps {
  /** Absent if the menu stands beside `anchor`. */
  readonly trigger?: ReactElement;
  /** The thing that the acts are about; it gets the focus back. */
  readonly anchor?: HTMLElement;
  readonly items: readonly MenuItem[];
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

export function Menu(props: MenuProps) {
  const { trigger, anchor, items } = props;
  return (
    <Base.Root
      {...(props.open === undefined ? {} : { open: props.open })}
      {...(props.onOpenChange === undefined ? {} : { onOpenChange: props.onOpenChange })}
    >
      {trigger !== undefined && <Base.Trigger render={trigger} />}
      <Base.Portal {...(anchor === undefined ? {} : { container: document.getElementById("main") })}>
        <Base.Positioner
          sideOffset={4}
          align={anchor === undefined ? "end" : "start"}
          className="z-50"
          {...(anchor === undefined ? {} : { anchor, positionMethod: "fixed" })}
        >
          <Base.Popup
            data-over=""
            {...(anchor === undefined ? {} : { finalFocus: () => anchor })}
            onKeyDownCapture={(event) => pressItem(event, items)}
            className="appears outline-none max-w-[calc(100vw-1rem)] min-w-48 rounded-card border border-line bg-raised p-1 shadow-2"
          >
            {items.map((item, index) => (
              <Item key={item.words} item={item} index={index} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Instead of looking for an item that begins with the letter. */
function pressItem(event: KeyboardEvent<HTMLElement>, items: readonly MenuItem[]): void {
  const index = items.findIndex(
    ({ keySpec, off }) =>
      keySpec !== undefined && keySpec !== "enter" && off == null && isPressed(event.nativeEvent, keySpec),
  );
  if (index < 0) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.querySelector<HTMLElement>(`[data-item="${index}"]`)?.click();
}

function Item({ item, index }: { readonly item: MenuItem; readonly index: number }) {
  return (
    <Base.Item
      data-item={index}
      disabled={item.off !== null && item.off !== undefined}
      onClick={item.run}
      className="flex cursor-default items-center gap-4 rounded-chip px-2 py-1 text-small data-highlighted:bg-hover data-disabled:text-ink-3 pointer-coarse:min-h-11"
    >
      <span className={`min-w-0 flex-1 ${item.danger ? "text-fail-ink" : ""}`}>
        {item.words}
        {item.off && <span className="block text-fine text-ink-3">{item.off}</span>}
      </span>
      {item.isChosen && <span aria-hidden="true">✓</span>}
      {item.keySpec !== undefined && <KeyCap spec={item.keySpec} />}
    </Base.Item>
  );
}
