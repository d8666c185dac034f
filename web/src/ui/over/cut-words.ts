/** Finds words that are cut where the pointer or the focus is. Words that have a title of their own are left to it. */

/** The classes that end words with three dots. */
const CUT = ".truncate, [class*=line-clamp]";

export function cutAround(target: Element): HTMLElement | null {
  const around = target.closest<HTMLElement>(CUT);
  const inside = target.matches("a, button") ? target.querySelector<HTMLElement>(CUT) : null;
  return [around, inside].find((part) => part != null && isCut(part) && !part.closest("[title]")) ?? null;
}

const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement) =>
  scrollWidth > clientWidth || scrollHeight > clientHeight + 2;
