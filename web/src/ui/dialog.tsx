/** A dialog over the page; the focus goes in, and back to what opened it. Its frame is loaded with the first one. */
import { lazy, type ReactNode, type RefObject, Suspense } from "react";
import { loadPart } from "../data/load-part.ts";
import { useLoaded } from "./loaded/use-loaded.ts";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly wide?: boolean;
  /** Gets the focus first; the safe button, if something can be lost. */
  readonly firstFocus?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

export const loadDialog = () => loadPart(() => import("./over/dialog-popup.tsx"));
const DialogPopup = lazy(async () => ({ default: (await loadDialog()).DialogPopup }));

export function Dialog(props: DialogProps) {
  const isLoaded = useLoaded(props.open, loadDialog, props.onClose);
  return isLoaded ? (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  ) : null;
}
