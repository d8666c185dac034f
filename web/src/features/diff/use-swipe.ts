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
    const begin = ({ touches, target, timeStamp: began }: TouchEvent) => {
      const [touch, second] = touches;
      if (touch === undefined || second !== undefined || !(target instanceof Element)) return;
      const { clientX, clientY } = touch;
      const path = pathTo(element, target);
      const scrolled = path.map(leftOf);
      const end = (event: Event) => {
        target.removeEventListener("touchend", end);
        target.removeEventListener("touchcancel", end);
        const [last, other] = event.type === "touchend" ? (event as TouchEvent).changedTouches : [];
        if (last === undefined || other !== undefined || event.timeStamp - began > MOST_MS) return;
        const [x, y] = [last.clientX - clientX, last.clientY - clientY];
        const isSideways = Math.abs(x) >= LEAST && Math.abs(x) > 2 * Math.abs(y);
        const hasScrolled = path.some((each, index) => leftOf(each) !== scrolled[index]);
        if (isSideways && !hasScrolled) act.current(x < 0 ? 1 : -1);
      };
      // What lay under the finger gets the end also if it is not in the page any more.
      target.addEventListener("touchend", end, { passive: true });
      target.addEventListener("touchcancel", end, { passive: true });
    };
    element.addEventListener("touchstart", begin, { passive: true });
    return () => element.removeEventListener("touchstart", begin);
  }, [box]);
}

const leftOf = (element: Element) => Math.round(element.scrollLeft);

/** What lies under the finger, up to the box. */
function pathTo(box: Element, target: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = target; at !== null && at !== box; at = at.parentElement) path.push(at);
  return path;
}
