/** What a benchmark runs within a page. Text, since it is made for the browser and its names. */

/** Presses the key for the review, and answers the milliseconds until the first line of code is painted. */
export const FIRST_LINE_AFTER_KEY = `new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    if (location.pathname.endsWith("/review") && document.querySelector(".diff [data-row]"))
      requestAnimationFrame(() => setTimeout(() => resolve(Math.round(performance.now() - began))));
    else requestAnimationFrame(look);
  };
  dispatchEvent(new KeyboardEvent("keydown", { key: "v", bubbles: true }));
  look();
})`;

/** Scrolls 100 screens down, one in each frame, and answers the longest task and how long the last lines took. */
export const SCROLL = `new Promise((resolve) => {
  const box = document.querySelector(".diff");
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) longest = Math.max(longest, task.duration);
  }).observe({ type: "longtask" });
  let screens = 0;
  let last = performance.now();
  let gap = 0;
  const step = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
    screens += 1;
    box.scrollTop += box.clientHeight;
    if (screens < 100) requestAnimationFrame(step);
    else {
      const began = performance.now();
      const look = () => {
        const top = box.getBoundingClientRect().top;
        const shown = [...box.querySelectorAll("[data-row]")].some((row) => {
          const place = row.getBoundingClientRect();
          return place.top >= top && place.top < top + box.clientHeight;
        });
        if (shown) setTimeout(() => resolve({ longest: Math.round(Math.max(longest, 0)), gap: Math.round(gap), scrolled: Math.round(performance.now() - began) }), 100);
        else requestAnimationFrame(look);
      };
      look();
    }
  };
  requestAnimationFrame(step);
})`;

/** Asks for the file that is too long, and answers how long its first line and the longest task took. */
export const LOAD_ANYWAY = `new Promise((resolve) => {
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) longest = Math.max(longest, task.duration);
  }).observe({ type: "longtask" });
  const began = performance.now();
  const button = [...document.querySelectorAll("button")].find((each) => each.textContent.includes("Load anyway"));
  button.click();
  const look = () => {
    if (document.querySelector(".diff [data-row]")) {
      const took = Math.round(performance.now() - began);
      setTimeout(() => resolve({ took, longest: Math.round(longest) }), 500);
    } else requestAnimationFrame(look);
  };
  look();
})`;
