/** The items of a menu, over the page; the key of an item chooses it. The focus goes in, and back to what opened it. */

import { Menu as Base } from "@base-ui/react/menu";
import type { KeyboardEvent, RefObject } from "react";
import { isPressed } from "../../data/keys/key-of.ts";
import { useWhyNot } from "../../data/may.ts";
import { KeyCap } from "../key-cap.tsx";
import type { MenuItem } from "../menu.tsx";

export function MenuPopup(props: {
  readonly items: readonly MenuItem[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens it, or the thing that the acts are about. */
  readonly beside: RefObject<HTMLElement | null>;
  /** `start` is beside a thing of the screen. */
  readonly align: "start" | "end";
}) {
  const { open, onOpenChange, beside, align } = props;
  const whyNot = useWhyNot();
  const items = props.items.map((item) =>
    item.asks === undefined ? item : { ...item, off: whyNot(item.asks) ?? item.off },
  );
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Base.Portal {...(align === "end" ? {} : { container: document.getElementById("main") })}>
        <Base.Positioner
          anchor={beside}
          sideOffset={4}
          align={align}
          className="z-50"
          {...(align === "end" ? {} : { positionMethod: "fixed" })}
        >
          <Base.Popup
            data-over=""
            finalFocus={beside}
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
      lang={item.lang}
      {...(item.isChosen === undefined ? {} : { role: "menuitemcheckbox", "aria-checked": item.isChosen })}
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
