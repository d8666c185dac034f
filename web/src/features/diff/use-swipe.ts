/** Takes a stroke of a finger to the left or right. One that scrolls code sideways is not meant. */
import { type RefObject, useEffect, useRef } from "react";

/** Pixels, and milliseconds in which they are drawn. */
const LEAST = 64;
const MOST_MS = 700;

export function useSwipe(box: RefObject<HTMLElement | null>, onSwipe: (step: 1 | -1) => void): void {
  const act = useRef(onSwipe);
  act.current = onSwipe;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let from: { x: number; y: number; at: number; scrolled: readonly number[]; path: Element[] } | null =
      null;
    const begin = ({ touches, target, timeStamp }: TouchEvent) => {
      const [touch, second] = touches;
      if (touch === undefined || second !== undefined || !(target instanceof Element)) {
        from = null;
        return;
      }
      const path = pathTo(element, target);
      from = { x: touch.clientX, y: touch.clientY, at: timeStamp, path, scrolled: path.map(leftOf) };
    };
    const end = ({ changedTouches: [touch], timeStamp }: TouchEvent) => {
      const began = from;
      from = null;
      if (began === null || touch === undefined || timeStamp - began.at > MOST_MS) return;
      const [x, y] = [touch.clientX - began.x, touch.clientY - began.y];
      const isSideways = Math.abs(x) >= LEAST && Math.abs(x) > 2 * Math.abs(y);
      const hasScrolled = began.path.some((each, index) => leftOf(each) !== began.scrolled[index]);
      if (isSideways && !hasScrolled) act.current(x < 0 ? 1 : -1);
    };
    element.addEventListener("touchstart", begin, { passive: true });
    element.addEventListener("touchend", end, { passive: true });
    return () => {
      element.removeEventListener("touchstart", begin);
      element.removeEventListener("touchend", end);
    };
  }, [box]);
}

const leftOf = (element: Element) => Math.round(element.scrollLeft);

/** What lies under the finger, up to the box. */
function pathTo(box: Element, target: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = target; at !== null && at !== box; at = at.parentElement) path.push(at);
  return path;
}
