/** The frame of a dialog, over the page. */
import { Dialog as Base } from "@base-ui/react/dialog";
import type { DialogProps } from "../dialog.tsx";

export function DialogPopup(props: DialogProps) {
  return (
    <Base.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-ink/20" />
        <Base.Popup
          data-over=""
          {...(props.firstFocus === undefined ? {} : { initialFocus: props.firstFocus })}
          className={`appears fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-panel border border-line bg-raised shadow-3 ${props.wide ? "max-w-3xl" : "max-w-lg"}`}
        >
          <Base.Title className="border-b border-line px-4 py-3 text-body font-semibold">
            {props.title}
          </Base.Title>
          <div className="min-h-0 overflow-auto p-4">{props.children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
