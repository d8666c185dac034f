/** Lets a press count if its control moved away from under the pointer: what loads late pushes other things down. */

interface Press {
  readonly control: HTMLElement;
  readonly at: DOMRect;
  readonly x: number;
  readonly y: number;
}

/** The hand of a person who presses moves by less than so many pixels. */
const STILL = 6;

/** A browser gives a click only if the pointer is let go on what it was pressed on. */
export function listenToMovedPresses(): void {
  let press: Press | null = null;
  addEventListener(
    "pointerdown",
    ({ target, isPrimary, button, clientX: x, clientY: y }) => {
      const control = target instanceof Element ? target.closest<HTMLElement>("button, a[href]") : null;
      press =
        control === null || !isPrimary || button !== 0
          ? null
          : { control, at: control.getBoundingClientRect(), x, y };
    },
    { capture: true },
  );
  addEventListener("pointerup", (event) => {
    if (press !== null && isMovedAway(press, event)) press.control.click();
    press = null;
  });
}

function isMovedAway({ control, at, x, y }: Press, { target, clientX, clientY }: PointerEvent): boolean {
  if (!control.isConnected || (target instanceof Node && control.contains(target))) return false;
  if (Math.hypot(clientX - x, clientY - y) >= STILL) return false;
  const { left, top } = control.getBoundingClientRect();
  return left !== at.left || top !== at.top;
}
