/** Draws the dot of what runs. It breathes in two steps: a smooth animation makes the browser draw 60 frames a second. */
import { useEffect } from "react";

/** Half of the design's 1.6 s. */
const STEP_MS = 800;

let dots = 0;
let timer: ReturnType<typeof setInterval> | undefined;

export function BreathingDot() {
  useEffect(() => {
    dots += 1;
    setTimer();
    return () => {
      dots -= 1;
      setTimer();
    };
  }, []);
  return <circle className="breathes" cx="7" cy="7" r="2.4" fill="var(--fill, currentColor)" />;
}

/** Nobody sees a hidden page, and some people want nothing to move. */
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

function setTimer(): void {
  const isWanted = dots > 0 && !document.hidden && !isStill.matches;
  if (isWanted) timer ??= setInterval(breathe, STEP_MS);
  else {
    clearInterval(timer);
    timer = undefined;
    delete document.documentElement.dataset.breath;
  }
}

function breathe(): void {
  const { dataset } = document.documentElement;
  dataset.breath = dataset.breath === "out" ? "in" : "out";
}

document.addEventListener("visibilitychange", setTimer);
isStill.addEventListener("change", setTimer);
