/** Looks at every screen in both languages and themes, and on a phone: axe is clean, and nothing scrolls sideways. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { KEY_SPECS, KEYS, type KeyScreen } from "../../web/src/data/keys/key-table.ts";
import {
  accessibilityFaults,
  BROWSER,
  keepShot,
  openControlRoom,
  type RoomOptions,
  settled,
} from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** Two attempts that changed a file, one of which failed its check. */
async function begin(product: Product): Promise<readonly (readonly [name: string, path: string])[]> {
  await product.configure({ checks: [{ name: "test", run: "test ! -f broken" }] });
  await product.agent("good", "printf 'export const a = 1;\\n' > a.ts; echo 'Wrote a.ts.'");
  await product.agent("bad", "touch broken; echo 'It should work.'");
  const { document, attempts } = await ask(product, [
    ...["run", "Write a file", "--agent", "good", "--agent", "bad"],
  ]);
  const [good, bad] = attempts.map(({ id }) => id);
  return [
    ["fleet", "/"],
    ["table", "/?view=table"],
    ["new-task", "/tasks/new"],
    ["compare", `/tasks/${document.task.id}`],
    ["attempt", `/attempts/${good}`],
    ["failed", `/attempts/${bad}`],
    ["review", `/attempts/${good}/review`],
    ["ship", `/attempts/${good}/ship`],
    ["activity", "/activity"],
    ["storage", "/storage"],
    ["settings", "/settings"],
    ["nothing", "/attempts/nothing"],
  ];
}

/** Notes when the page last asked for a timer of less than a second. */
const WATCH_TIMERS = `
  window.lastShortTimer = 0;
  for (const name of ["setTimeout", "setInterval"]) {
    const real = window[name];
    window[name] = (act, ms = 0, ...rest) => {
      if (ms < 1000) window.lastShortTimer = performance.now();
      return real(act, ms, ...rest);
    };
  }
`;
/** Longer than a clock of the page needs for a turn. */
const IS_IDLE = "performance.now() - window.lastShortTimer > 1500";

/** `nodes` is the most that a screen may have. */
async function look(
  options: RoomOptions & { readonly kind: string; readonly nodes: number },
): Promise<readonly string[]> {
  await using product = await startProduct();
  const screens = await begin(product);
  await using room = await openControlRoom(product, options);
  const found: string[] = [];
  for (const [name, path] of screens) {
    await room.page.goto(room.url + path);
    await settled(room.page);
    await keepShot(room.page, `${name}-${options.kind}`);
    found.push(...(await accessibilityFaults(room.page)).map((fault) => `${name}: ${fault}`));
    const wide = await room.page.evaluate("document.documentElement.scrollWidth > innerWidth");
    if (wide === true) found.push(`${name}: scrolls sideways`);
    const nodes = await room.page.evaluate<number>("document.querySelectorAll('*').length");
    // Settings lists every key of the configuration.
    if (nodes > (name === "settings" ? 1_500 : options.nodes)) found.push(`${name}: ${nodes} nodes`);
  }
  // What is not there is refused, and the browser says so.
  return [...found, ...room.faults.filter((fault) => !/404/.test(fault))];
}

test.skipIf(BROWSER.missing)(deep(`every screen is accessible${BROWSER.why}`), async () => {
  expect(await look({ kind: "light", nodes: 1_500 })).toEqual([]);
});

test.skipIf(BROWSER.missing)(
  deep(`every screen is accessible in Japanese and dark${BROWSER.why}`),
  async () => {
    expect(await look({ language: "ja", theme: "dark", kind: "ja-dark", nodes: 1_500 })).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`every screen is accessible on a phone, and none scrolls sideways${BROWSER.why}`),
  async () => {
    expect(await look({ language: "ja", phone: true, kind: "phone", nodes: 600 })).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a page at which nothing happens asks for no timer of less than a second${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product);
    await room.page.addInitScript(WATCH_TIMERS);
    for (const [, path] of await begin(product)) {
      await room.page.goto(room.url + path);
      await settled(room.page);
      await waitFor(`${path} to rest`, async () => (await room.page.evaluate(IS_IDLE)) === true);
    }
  },
);

/** Keys that hold only in a state that these attempts are not in, or that a screen has no use for. */
const NOT_HERE: Readonly<Partial<Record<KeyScreen, readonly string[]>>> = {
  // A thread of a pull request, and a box that is open.
  ship: ["+", "mod+enter"],
  // There is nothing at its left.
  activity: ["|"],
};

test.skipIf(BROWSER.missing)(
  deep(`every key of the table holds on the screens of its row${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const screens = new Map(await begin(product));
    await using room = await openControlRoom(product);
    const { page } = room;
    const missing: string[] = [];
    const places = ["fleet", "attempt", "compare", "review", "ship", "activity", "storage"] as const;
    for (const screen of places) {
      await page.goto(room.url + screens.get(screen));
      await settled(page);
      await page.locator("main :is(article, table, section)").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      const held = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('[data-key]')].map((each) => each.dataset.key)",
      );
      const wanted = KEY_SPECS.filter((spec) => (KEYS[spec].on as readonly KeyScreen[]).includes(screen));
      missing.push(
        ...wanted
          .filter((spec) => !held.includes(spec) && !NOT_HERE[screen]?.includes(spec))
          .map((spec) => `${screen}: ${spec}`),
      );
      await page.keyboard.press("Escape");
    }
    expect(missing).toEqual([]);
  },
);
