/** Holds requests of a page back, as a slow network does, and lets them go or fail. */
import type { Page, Route } from "playwright-core";
import { waitFor } from "./wait-for.ts";

/** Of one kind; gives how many came, what they hold, and what lets them go or fail. */
export async function held(page: Page, of: { readonly method: string; readonly path: RegExp }) {
  const waiting: Route[] = [];
  let isOver = false;
  await page.route(of.path, async (route) => {
    if (!isOver && route.request().method() === of.method) waiting.push(route);
    else await route.fallback();
  });
  const stop = () => {
    isOver = true;
  };
  const each = async (act: (route: Route) => Promise<void>) => {
    stop();
    await Promise.all(waiting.splice(0).map(act));
  };
  return {
    count: () => waiting.length,
    bodies: () => waiting.map((route): unknown => route.request().postDataJSON()),
    some: () => waitFor("a request", async () => waiting.length > 0),
    /** Those that come later are not held. */
    stop,
    go: () => each((route) => route.continue()),
    fail: () => each((route) => route.abort()),
  };
}

/** The next one is carried out, and its answer is lost. */
export async function loseAnswer(page: Page, of: { readonly method: string; readonly path: RegExp }) {
  let isOver = false;
  await page.route(of.path, async (route) => {
    if (isOver || route.request().method() !== of.method) return route.fallback();
    isOver = true;
    await route.fetch();
    await route.abort();
  });
}
