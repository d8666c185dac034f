/** Measures a page: what cannot be brought into sight, which words run over, which targets are small, which rings are cut. */
import type { Page } from "playwright-core";

/** What the measures share. They run inside the page. */
const SHARED = `
  const CONTROLS = "a[href], button, input, select, textarea, summary, [role=spinbutton], [tabindex='0']";
  const nameOf = (e) => e.tagName.toLowerCase() + " “" +
    (e.getAttribute("aria-label") ?? e.textContent ?? "").trim().replace(/\\s+/g, " ").slice(0, 40) + "”";
  const isShown = (e) => {
    const { width, height } = e.getBoundingClientRect();
    return width > 1 && height > 1 && e.checkVisibility({ visibilityProperty: true }) &&
      e.closest(".visually-hidden, .skip-link, [aria-hidden=true], [inert]") === null;
  };
  const all = (query) => [...document.querySelectorAll(query)].filter(isShown);
`;

const run = (page: Page, body: string) => page.evaluate<readonly string[]>(`(() => {${SHARED}${body}})()`);

/** The controls that no scrolling brings into sight, such as in a low window, and what was moved for good. */
export function outOfReach(page: Page): Promise<readonly string[]> {
  return run(
    page,
    `const moved = all("body *").filter((e) => e.scrollLeft > 0 && getComputedStyle(e).overflowX === "hidden");
    return moved.concat(all(CONTROLS).filter((e) => {
      e.scrollIntoView({ block: "nearest", inline: "nearest" });
      // Only a program moves what hides its overflow.
      for (let box = e.parentElement; box !== null; box = box.parentElement)
        if (getComputedStyle(box).overflowY === "hidden") box.scrollTop = 0;
      const { left, right, top, bottom } = e.getBoundingClientRect();
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
      const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
      const hit = document.elementFromPoint(x, y);
      if (!e.isConnected) return false;
      return hit === null || !(e.contains(hit) || hit.contains(e) || hit.closest("label")?.contains(e));
    })).map(nameOf);`,
  );
}

/** Words that run out of what holds them: a cell, a button, a heading, a bar. */
export function overrunWords(page: Page): Promise<readonly string[]> {
  return run(
    page,
    `const own = (e) => [...e.childNodes].filter((each) => each.nodeType === 3 && each.data.trim() !== "");
    return all("body *").filter((e) => {
      if (own(e).length === 0 || e.closest("svg, select, textarea, .diff-table, pre") !== null) return false;
      const words = document.createRange();
      words.setStartBefore(own(e)[0]);
      words.setEndAfter(own(e).at(-1));
      const { right, top, bottom } = words.getBoundingClientRect();
      const isCut = getComputedStyle(e).textOverflow === "ellipsis" || getComputedStyle(e).webkitLineClamp !== "none";
      for (let box = e.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (isCut || style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") return false;
        if (["auto", "scroll"].includes(style.overflowX)) return false;
        const edge = box.getBoundingClientRect();
        if (box.matches("td, th, li, button, a, header > div, .section") && right > edge.right + 1) return true;
        if (box.matches("button, a.button, .segmented") && (bottom > edge.bottom + 1 || top < edge.top - 1)) return true;
      }
      return false;
    }).map(nameOf);`,
  );
}

/** Signs that have been squeezed until nothing of them is to be seen. */
export function squeezedSigns(page: Page): Promise<readonly string[]> {
  return run(
    page,
    `return [...document.querySelectorAll("svg[width]")].filter((e) => e.checkVisibility() &&
      e.getBoundingClientRect().width < Number(e.getAttribute("width")) - 0.5)
      .map((e) => nameOf(e.closest("button, a, span") ?? e));`,
  );
}

/** Tables of which a part is beside the window, and rows whose words need more lines than the row has. */
export function wideTables(page: Page): Promise<readonly string[]> {
  return run(
    page,
    `const wide = all("table.table").filter((e) => e.scrollWidth > e.parentElement.clientWidth + 1);
    const high = all("tr[data-card], tr[data-row]").filter((e) => e.offsetHeight > parseFloat(e.style.height) + 1);
    return [...wide.map((e) => "a table is " + e.scrollWidth + " px wide"), ...high.map(nameOf)];`,
  );
}

/** Targets that are less than 44 px high or wide for a finger. A link within a sentence is none. */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return run(
    page,
    `return all(CONTROLS).filter((e) => {
      const box = e.closest("label") ?? e;
      const more = getComputedStyle(e, "::after");
      const grown = more.position === "absolute" && more.content !== "none";
      const size = (side) => Math.max(box.getBoundingClientRect()[side], grown ? parseFloat(more[side]) || 0 : 0);
      if (e.matches("article, tr, [role=table], [role=feed], main, .panel-handle")) return false;
      // A line of code is as high as the line beside it.
      return !e.matches("p a, dd a, .diff-row *") && (size("width") < 43.5 || size("height") < 43.5);
    }).map((e) => nameOf(e) + " " + Math.round(e.getBoundingClientRect().width) + " x " +
      Math.round(e.getBoundingClientRect().height));`,
  );
}

/** Walks through the page by Tab. Says at which stops the ring is missing, cut, or under something else. */
export async function badRings(page: Page, stops: number): Promise<readonly string[]> {
  const bad: string[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press("Tab");
    if ((await run(page, RING)).length === 0) continue;
    // What came above it a moment ago moves it. The browser moves it back before it paints.
    await page.evaluate(PAINTED);
    bad.push(...(await run(page, RING)));
  }
  return [...new Set(bad)];
}

const PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

const RING = `
  const e = document.activeElement;
  if (e === null || e === document.body || !isShown(e)) return [];
  const style = getComputedStyle(e);
  const width = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
  if (e.matches(".panel-handle")) return [];
  if (width === 0) return e.parentElement.matches(":focus-within.field") ? [] : [nameOf(e) + " has no ring"];
  const out = width + parseFloat(style.outlineOffset);
  const { left, right, top, bottom } = e.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (hit !== null && !e.contains(hit) && !hit.contains(e) && !hit.closest("label")?.contains(e))
    return [nameOf(e) + " is under something"];
  for (let box = e.parentElement; box !== null; box = box.parentElement) {
    const { overflowX, contain } = getComputedStyle(box);
    if (overflowX === "visible" && !/paint|content|strict/.test(contain)) continue;
    const edge = box.getBoundingClientRect();
    const isCut = left - out < edge.left - 0.5 || right + out > edge.right + 0.5 ||
      top - out < edge.top - 0.5 || bottom + out > edge.bottom + 0.5;
    if (isCut) return [nameOf(e) + " has a ring that is cut"];
  }
  return [];
`;
