/** Loads the palette when it is first asked for, and opens it. */
import { lazy, Suspense, useEffect, useState } from "react";
import { loadWords } from "../../i18n/i18n.ts";
import { OPEN_PALETTE } from "../shell/palette-state.ts";

const Palette = lazy(async () => {
  const [module] = await Promise.all([import("./palette.tsx"), loadWords()]);
  return { default: module.Palette };
});

export function PaletteDoor() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    addEventListener(OPEN_PALETTE, open);
    return () => removeEventListener(OPEN_PALETTE, open);
  }, []);
  return isOpen ? (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  ) : null;
}
