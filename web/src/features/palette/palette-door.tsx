/** Loads the palette when it is first asked for, and opens it. */
import { lazy, Suspense, useEffect, useState } from "react";
import { loadPart } from "../../data/load-part.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { useLoaded } from "../../ui/loaded/use-loaded.ts";
import { OPEN_PALETTE } from "../shell/palette-state.ts";

const loadPalette = () => loadPart(() => Promise.all([import("./palette.tsx"), loadWords("engine")]));
const Palette = lazy(async () => ({ default: (await loadPalette())[0].Palette }));

export function PaletteDoor() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    addEventListener(OPEN_PALETTE, open);
    return () => removeEventListener(OPEN_PALETTE, open);
  }, []);
  const close = () => setOpen(false);
  const isLoaded = useLoaded(isOpen, loadPalette, close);
  return isOpen && isLoaded ? (
    <Suspense>
      <Palette onClose={close} />
    </Suspense>
  ) : null;
}
