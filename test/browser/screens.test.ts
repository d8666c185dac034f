/** Looks at every screen in both languages and themes, and on a phone: axe is clean, and nothing scrolls sideways. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";

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

test.skipIf(BROWSER.missing)(
  `every screen is accessible in both languages and themes, and fits a phone${BROWSER.why}`,
  async () => {
    await using product = await startProduct();
    const screens = await begin(product);
    const found: string[] = [];
    for (const [language, theme, phone] of [
      ["en", "light", false],
      ["ja", "dark", false],
      ["ja", "light", true],
    ] as const) {
      await using room = await openControlRoom(product, { language, theme, phone });
      for (const [name, path] of screens) {
        const kind = `${name} ${language} ${theme}${phone ? " phone" : ""}`;
        await room.page.goto(room.url + path);
        await settled(room.page);
        await keepShot(room.page, kind.replaceAll(" ", "-"));
        found.push(...(await accessibilityFaults(room.page)).map((fault) => `${kind}: ${fault}`));
        const wide = await room.page.evaluate("document.documentElement.scrollWidth > innerWidth");
        if (wide === true) found.push(`${kind}: scrolls sideways`);
      }
      // What is not there is refused, and the browser says so.
      found.push(
        ...room.faults.filter((fault) => !/404/.test(fault)).map((fault) => `${language}: ${fault}`),
      );
    }
    expect(found).toEqual([]);
  },
);
