/** A menu of acts. Its items are loaded when they are first asked for, or once the first screen is shown. */

import {
  cloneElement,
  type HTMLAttributes,
  lazy,
  type ReactElement,
  type Ref,
  Suspense,
  useRef,
  useState,
} from "react";
import type { KeySpec } from "../data/keys/key-table.ts";
import { loadPart } from "../data/load-part.ts";
import type { Act } from "../data/may.ts";
import { useLoaded } from "./loaded/use-loaded.ts";

export interface MenuItem {
  readonly words: string;
  readonly run: () => void;
  readonly keySpec?: KeySpec | undefined;
  /** What it asks of the server. Who may not do that is told so. */
  readonly asks?: Act | undefined;
  /** Why it is off. */
  readonly off?: string | null | undefined;
  readonly danger?: boolean;
  /** Marks the one that holds now. */
  readonly isChosen?: boolean;
  /** Of words that are not in the language of the page. */
  readonly lang?: "en" | "ja";
}

interface MenuProps {
  /** Absent if the menu stands beside `anchor`. */
  readonly trigger?: ReactElement<HTMLAttributes<HTMLElement> & { readonly ref?: Ref<HTMLElement> }>;
  /** The thing that the acts are about; it gets the focus back. */
  readonly anchor?: HTMLElement;
  readonly items: readonly MenuItem[];
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

export const loadMenu = () => loadPart(() => import("./over/menu-popup.tsx"));
const MenuPopup = lazy(async () => ({ default: (await loadMenu()).MenuPopup }));

export function Menu({ trigger, anchor, items, open, onOpenChange }: MenuProps) {
  const [isOpenHere, setOpenHere] = useState(false);
  const beside = useRef<HTMLElement>(anchor ?? null);
  const isOpen = open ?? isOpenHere;
  const setOpen = (next: boolean) => {
    setOpenHere(next);
    onOpenChange?.(next);
  };
  const isLoaded = useLoaded(isOpen, loadMenu, () => setOpen(false));
  if (anchor !== undefined) beside.current = anchor;
  return (
    <>
      {trigger !== undefined &&
        cloneElement(trigger, {
          ref: beside,
          "aria-haspopup": "menu",
          "aria-expanded": isOpen,
          onClick: () => setOpen(!isOpen),
          onKeyDown: (event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
            event.preventDefault();
            setOpen(true);
          },
        })}
      {isLoaded && (
        <Suspense>
          <MenuPopup
            items={items}
            open={isOpen}
            onOpenChange={setOpen}
            beside={beside}
            align={anchor === undefined ? "end" : "start"}
          />
        </Suspense>
      )}
    </>
  );
}
