/** Shows the words of `data-hint`, or words that are cut, beside what the pointer rests on or the keyboard reached. */
import { lazy, Suspense, useEffect, useState } from "react";
import { cutAround } from "./cut-words.ts";

const REST_MS = 400;
/** Long enough to reach the words with the pointer. */
const LEAVE_MS = 150;

export const loadHints = () => import("./hint-words.tsx");
const HintWords = lazy(async () => ({ default: (await loadHints()).HintWords }));

export function Hints() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => followHints(setAnchor), []);
  if (anchor === null) return null;
  return (
    <Suspense>
      <HintWords anchor={anchor} />
    </Suspense>
  );
}

function followHints(show: (anchor: HTMLElement | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (anchor: HTMLElement | null, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(
      () =>
        loadHints().then(
          () => show(anchor),
          // The words are in the name too.
          () => undefined,
        ),
      ms,
    );
  };
  const hide = () => {
    clearTimeout(timer);
    show(null);
  };
  const over = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    // The words themselves may be under the pointer, such as for a magnifier.
    if (target.closest("[data-hint-words]") !== null) return clearTimeout(timer);
    const anchor = hintedAround(target);
    later(anchor, anchor === null ? LEAVE_MS : REST_MS);
  };
  const focus = ({ target }: FocusEvent) => {
    if (target instanceof Element && target.matches(":focus-visible")) later(hintedAround(target), 0);
  };
  const key = (event: KeyboardEvent) => event.key === "Escape" && hide();
  const leave = new AbortController();
  const { signal } = leave;
  document.addEventListener("pointerover", over, { signal });
  document.addEventListener("focusin", focus, { signal });
  document.addEventListener("focusout", hide, { signal });
  document.addEventListener("pointerdown", hide, { signal });
  document.addEventListener("keydown", key, { signal });
  return () => {
    leave.abort();
    clearTimeout(timer);
  };
}

const hintedAround = (target: Element) => target.closest<HTMLElement>("[data-hint]") ?? cutAround(target);
