/** The words of a hint, beside their place. Readers know them by the name of that. */
import { Tooltip } from "@base-ui/react/tooltip";

export function HintWords({ anchor }: { readonly anchor: HTMLElement }) {
  return (
    <Tooltip.Root open>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={anchor}
          sideOffset={6}
          aria-hidden="true"
          className="z-50 data-anchor-hidden:invisible"
        >
          <Tooltip.Popup
            data-hint-words=""
            className="max-w-96 rounded-control bg-ink px-2 py-1 text-fine text-surface shadow-2"
          >
            {anchor.dataset.hint ?? anchor.textContent}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
