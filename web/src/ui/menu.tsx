/** A menu of acts; every item shows its key. */
import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { KeyCap } from "./key-cap.tsx";

export interface MenuItem {
  readonly words: string;
  readonly run: () => void;
  readonly keySpec?: string | undefined;
  /** Why it is off. */
  readonly off?: string | null | undefined;
  readonly danger?: boolean;
  /** Marks the one that holds now. */
  readonly isChosen?: boolean;
}

export function Menu(props: {
  readonly trigger: ReactElement;
  readonly items: readonly MenuItem[];
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}) {
  return (
    <Base.Root
      {...(props.open === undefined ? {} : { open: props.open })}
      {...(props.onOpenChange === undefined ? {} : { onOpenChange: props.onOpenChange })}
    >
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="appears min-w-48 rounded-card border border-line bg-raised p-1 shadow-2">
            {props.items.map((item) => (
              <Base.Item
                key={item.words}
                disabled={item.off !== null && item.off !== undefined}
                onClick={item.run}
                className="flex cursor-default items-center gap-4 rounded-chip px-2 py-1 text-small data-highlighted:bg-hover data-disabled:text-ink-3"
              >
                <span className={`min-w-0 flex-1 ${item.danger ? "text-fail-ink" : ""}`}>
                  {item.words}
                  {item.off && <span className="block text-fine text-ink-3">{item.off}</span>}
                </span>
                {item.isChosen && <span aria-hidden="true">✓</span>}
                {item.keySpec !== undefined && <KeyCap spec={item.keySpec} />}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
