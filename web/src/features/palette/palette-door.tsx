/** Loads the palette when it is first asked for, and opens it. */
import { lazy, Suspense, useEffect, useState } from "react";
import { OPEN_PALETTE } from "../shell/palette-state.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

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
