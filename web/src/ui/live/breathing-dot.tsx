/** Draws the dot of what runs. It breathes with the clock: a smooth animation makes the browser draw 60 frames a second. */
import { useEffect } from "react";
import { onTick } from "../use-now.ts";

export function BreathingDot() {
  useEffect(() => onTick(breathe), []);
  return <circle className="breathes" cx="7" cy="7" r="2.4" fill="var(--fill, currentColor)" />;
}

/** Some people want nothing to move. */
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

let last = 0;

/** Once for each tick, however many dots there are. */
function breathe(now: number): void {
  if (now === last || isStill.matches) return;
  last = now;
  const { dataset } = document.documentElement;
  dataset.breath = dataset.breath === "out" ? "in" : "out";
}
