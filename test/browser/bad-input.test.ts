/** Shows the truth of what is hard to show: huge and binary files, names in any script, a full disk, a page of another version. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { BROWSER, openControlRoom, settled } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { smallDisk, whyNoSmallDisk } from "../journeys/crash/small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

const noDisk = await whyNoSmallDisk();

/** One million lines of 50 bytes, zeros, a file that moves, and names that are written from the right. */
const HARD_FILES = `
yes "a line of fifty characters, again and again, ok." | head -1000000 > long.txt
head -c 3000 /dev/zero > image.bin
git mv old-name.txt new-name.txt 2>/dev/null || mv old-name.txt new-name.txt
echo "سطر" > "ملف عربي.txt"
echo "一行" > "日本語 ファイル.txt"
printf 'text\\n' > "$(printf 'cod\\342\\200\\256txt.exe')"
`;

test.skipIf(BROWSER.missing)(
  deep(`50 MB, binary files, moved files and names in any script are told as what they are${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.configure({
      publish: "hold",
      gate: { max_file_mib: 100, rules: { disguised_path: "report" } },
    });
    await product.sandbox.commit(product.repository, { "old-name.txt": "one\ntwo\nthree\n" }, "A name");
    await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
    await product.agent("hard", HARD_FILES);
    const { attempt } = await ask(product, ["run", "Make it hard", "--agent", "hard"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}/review` });
    const { page } = room;
    const file = (name: string) => page.getByRole("region", { name, exact: true });
    await file("image.bin").getByText("A new binary file of 3 KB.").waitFor();
    await page.getByText("1,000,000 lines changed.").waitFor();
    await file("new-name.txt").getByText("old-name.txt →").waitFor();
    await file("ملف عربي.txt").getByText("سطر").waitFor();
    await file("日本語 ファイル.txt").getByText("一行").waitFor();
    const text = await page.locator("body").innerText();
    expect(text).not.toContain("\u202e");
    await page.getByRole("button", { name: "Load anyway" }).click();
    await file("long.txt").getByText("a line of fifty characters").first().waitFor();
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(3_000);
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing || noDisk !== null)(
  deep(`a full disk is told with the way out, and the run goes on from there${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "head -c 2000000 /dev/urandom > big.bin");
    await using disk = await smallDisk(product.repository, "24m");
    await using room = await openControlRoom(product);
    const { page } = room;
    await disk.fill(64 * 1024);
    const { run } = await ask(product, ["run", "Write much", "--agent", "writer"]);
    const card = page.locator("[data-column=needs] [data-card]");
    await card.getByText("Disk is full").waitFor();
    await card.getByRole("link", { name: "Write much" }).click();
    await page.getByRole("button", { name: "Free space" }).waitFor();
    await page.getByText("The files are kept.").waitFor();
    // Files that no commit has become a tree before they are compared, and a tree needs room.
    const asked = await page.request.get(`${room.url}/api/v1/runs/${run.id}/diff?files=only`);
    expect([asked.status(), await asked.json()]).toEqual([
      422,
      expect.objectContaining({ code: "git_failed", remedy: expect.stringContaining("Free some space") }),
    ]);
    await disk.free();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Pushed").first().waitFor();
    // The page may have asked the same.
    expect(room.faults.filter((fault) => !/ 422 .*\/runs\/[^/]+\/diff\?/.test(fault))).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `a page of another version offers to load itself again, and without a server it keeps what it shows${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo done > note.txt");
    await ask(product, ["run", "Before the upgrade", "--agent", "writer"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    await settled(page);
    await page.route("**/api/v1/health", (route) => route.fulfill({ json: { version: "99.0.0" } }));
    await page.reload();
    await page.getByText("the server is 99.0.0").waitFor();
    await page.unroute("**/api/v1/health");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("Live", { exact: true }).waitFor();

    // A part of the old page is gone: the new page has it.
    let isGone = true;
    await page.route("**/assets/storage-*.js", (route) => {
      if (!isGone) return route.continue();
      isGone = false;
      return route.fulfill({ status: 404 });
    });
    await page.getByRole("link", { name: "Storage" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Storage" }).waitFor();
    await page.getByText("Before the upgrade").first().waitFor();

    // Without a server the screens that were not opened yet say so, and the page stays.
    await page
      .getByRole("link", { name: /^Fleet/ })
      .first()
      .click();
    const card = page.getByRole("link", { name: "Before the upgrade" }).first();
    // A part of the screen that did not come does not take the others away.
    await page.route(/\/assets\/(fitting-view|word-diff)-/, (route) => route.abort());
    await card.click();
    const send = page.getByRole("button", { name: /^Send/ });
    await send.waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
    await card.waitFor();
    await page.clock.install();
    await product.killEngine();
    await page.clock.runFor(16_000);
    await page.getByText("No connection to Tazuna since").waitFor();
    // What sends something is off, and says why.
    await card.click();
    await send.and(page.locator("[aria-disabled=true]")).waitFor();
    await page.getByText("nothing can be sent").first().waitFor({ state: "attached" });
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByText("The Tazuna server does not answer.").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByText("Before the upgrade").waitFor();
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `a part of a screen that does not come says so in its place, and comes by itself or when asked${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo done > note.txt");
    const { attempt } = await ask(product, ["run", "Write a note", "--agent", "writer"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    await settled(page);
    const open = async () => {
      await page.goto(`${room.url}/attempts/${attempt.id}`);
      await page.getByText("page_fault").waitFor();
      await page.getByRole("button", { name: /^Send/ }).waitFor();
    };
    const missing = /\/assets\/(fitting-view|word-diff)-/;
    const diff = page.getByRole("region", { name: "note.txt", exact: true });
    await page.route(missing, (route) => route.abort());
    await open();
    await page.unroute(missing);
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await diff.waitFor();

    await page.route(missing, (route) => route.abort());
    await open();
    await page.unroute(missing);
    await room.cut();
    await diff.waitFor();
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a title cannot reorder or steer the words that tell of a need${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("failing", "exit 3");
    await using room = await openControlRoom(product);
    const { page } = room;
    await settled(page);
    const title = "Mend \u202egnp.exe\u2066 \u001b[31mnow\u0007";
    const { document } = await ask(product, ["run", "Mend it", "--title", title, "--agent", "failing"]);
    const told = page.locator("[role=status]", { hasText: "Mend" }).first();
    await told.waitFor({ state: "attached" });
    expect([document.task.title, await told.textContent()]).toEqual([
      title,
      expect.stringMatching(/: Mend gnp\.exe now$/),
    ]);
    expect(room.faults).toEqual([]);
  },
);
