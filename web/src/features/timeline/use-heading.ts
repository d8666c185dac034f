/** Knows which way a person goes in a timeline. Rows that come and go move it too, and are no person. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type TouchEvent,
  type UIEvent,
  useMemo,
  useRef,
  type WheelEvent,
} from "react";

type Direction = "older" | "newer";

interface Push {
  readonly where: Direction;
  /** Each push has another number. */
  readonly count: number;
}

export interface Heading {
  /** The last push; null until a person moves. */
  readonly last: () => Push | null;
  readonly push: (where: Direction) => void;
  /** Who follows the end again goes nowhere. */
  readonly rest: () => void;
  /** Returns what ends it. */
  readonly listen: (tell: () => void) => () => void;
}

/** Only the rows that may read on listen, so that a push draws nothing else. */
export function useHeading(): Heading {
  return useMemo(() => {
    const listeners = new Set<() => void>();
    let last: Push | null = null;
    const set = (next: Push | null) => {
      last = next;
      for (const tell of listeners) tell();
    };
    return {
      last: () => last,
      push: (where) => set({ where, count: (last?.count ?? 0) + 1 }),
      rest: () => set(null),
      listen: (tell) => {
        listeners.add(tell);
        return () => listeners.delete(tell);
      },
    };
  }, []);
}

/** What moves so soon after a wheel, a touch or a key was moved by a person. */
const HAND_MS = 500;

interface Hand {
  /** Milliseconds since the page began; infinite while it holds the bar. */
  readonly at: number;
  /** Null: it goes where the rows go, as with the bar. */
  readonly where: Direction | null;
}

const NO_HAND: Hand = { at: Number.NEGATIVE_INFINITY, where: null };

interface HandOptions {
  readonly onPush: (where: Direction, how: Pushed) => void;
}

interface Pushed {
  /** The rows moved with the hand; else they are at an edge, or all in sight. */
  readonly isMoved: boolean;
  /** How far it is to the end, in pixels. */
  readonly toEnd: number;
}

/** Handlers for the element that scrolls. */
export function useHand({ onPush }: HandOptions) {
  const lastTop = useRef(0);
  const lastY = useRef<number | null>(null);
  /** The clock of events begins with the page, whose parts move while they come. */
  const hand = useRef(NO_HAND);
  const take = (event: UIEvent<HTMLElement> | KeyboardEvent<HTMLElement>, where: Direction | null) => {
    hand.current = { at: event.timeStamp, where };
    if (where !== null && isAtEdge(event, where))
      onPush(where, { isMoved: false, toEnd: toEndOf(event.currentTarget) });
  };
  return {
    onWheel: (event: WheelEvent<HTMLElement>) => {
      if (event.deltaY !== 0 && !event.ctrlKey) take(event, event.deltaY < 0 ? "older" : "newer");
    },
    onTouchStart: ({ touches }: TouchEvent<HTMLElement>) => {
      lastY.current = touches[0]?.clientY ?? null;
    },
    onTouchMove: (event: TouchEvent<HTMLElement>) => {
      const y = event.touches[0]?.clientY ?? null;
      const step = y === null || lastY.current === null ? 0 : y - lastY.current;
      lastY.current = y;
      if (step !== 0) take(event, step > 0 ? "older" : "newer");
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      hand.current = { at: isOnBar(event) ? Number.POSITIVE_INFINITY : event.timeStamp, where: null };
    },
    /** A bar tells nothing when it is let go of. */
    onPointerMove: ({ buttons }: PointerEvent<HTMLElement>) => {
      if (buttons === 0 && hand.current.at === Number.POSITIVE_INFINITY) hand.current = NO_HAND;
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => take(event, KEYS.get(event.key) ?? null),
    onScroll: ({ currentTarget, timeStamp }: UIEvent<HTMLElement>) => {
      const step = currentTarget.scrollTop - lastTop.current;
      lastTop.current = currentTarget.scrollTop;
      const { at, where } = hand.current;
      if (step === 0 || timeStamp - at > HAND_MS) return;
      const went = step < 0 ? "older" : "newer";
      // A page that comes moves the rows the other way.
      if (where === null || where === went) onPush(went, { isMoved: true, toEnd: toEndOf(currentTarget) });
    },
  };
}

/** A bar that lies over the rows cannot be told from them. */
function isOnBar({ target, currentTarget, nativeEvent }: PointerEvent<HTMLElement>): boolean {
  return target === currentTarget && nativeEvent.offsetX >= currentTarget.clientWidth;
}

const KEYS: ReadonlyMap<string, Direction> = new Map([
  ["ArrowUp", "older"],
  ["PageUp", "older"],
  ["Home", "older"],
  ["ArrowDown", "newer"],
  ["PageDown", "newer"],
  ["End", "newer"],
]);

/** Whether neither the rows nor something inside of them can move that way. */
function isAtEdge(
  { currentTarget, target }: UIEvent<HTMLElement> | KeyboardEvent,
  where: Direction,
): boolean {
  let element = target instanceof Element ? target : null;
  for (; element !== null; element = element.parentElement) {
    if (canScroll(element, where)) return false;
    if (element === currentTarget) return true;
  }
  return false;
}

function canScroll(element: Element, where: Direction): boolean {
  const rest = where === "older" ? element.scrollTop : toEndOf(element);
  // Heights are whole pixels, and what is scrolled is not.
  if (rest < 1) return false;
  const { overflowY } = getComputedStyle(element);
  return overflowY === "auto" || overflowY === "scroll";
}

function toEndOf({ scrollTop, scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight - scrollTop;
}
