/** The acts on the focused thing, in a menu beside it that shows every key. */
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { useActions } from "./use-actions.ts";

export function ActionsMenu(props: {
  /** A selector. */
  readonly things: string;
  /** What can be done with this one, or with the screen if nothing has the focus. */
  readonly itemsOf: (thing: HTMLElement) => readonly MenuItem[];
}) {
  const { thing, close } = useActions(props.things);
  const items = thing === null ? [] : props.itemsOf(thing);
  if (thing === null || items.length === 0) return null;
  return <Menu open anchor={thing} items={items} onOpenChange={(open) => !open && close()} />;
}
