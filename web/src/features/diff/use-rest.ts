/** Follows a place while it moves slowly. While it flies by, it stays where it was until there is rest. */
import { useEffect, useRef, useState } from "react";

/** Pixels in a millisecond above which nobody reads what passes. */
const FAST = 12;
const REST_MS = 80;

export function useRest(place: number): number {
  const [rested, setRested] = useState(place);
  const last = useRef({ place, at: 0 });
  useEffect(() => {
    const now = performance.now();
    const speed = Math.abs(place - last.current.place) / Math.max(1, now - last.current.at);
    last.current = { place, at: now };
    if (speed < FAST) return setRested(place);
    const timer = setTimeout(() => setRested(place), REST_MS);
    return () => clearTimeout(timer);
  }, [place]);
  return rested;
}
