/** Follows how far a box is scrolled and how big it is. */
import { type RefObject, useLayoutEffect, useState } from "react";

export interface Viewport {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

export function useViewport(box: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 800, width: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      const next = { top: element.scrollTop, height: element.clientHeight, width: element.clientWidth };
      setViewport((now) =>
        now.top === next.top && now.height === next.height && now.width === next.width ? now : next,
      );
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [box]);
  return viewport;
}
