/** Shows the truth when the world goes wrong: a killed server, a lost network, two tabs, hostile words. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { BROWSER, openControlRoom, settled } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const ESCAPE = "\u001b";
/** Turns the reading direction around. */
const RIGHT_TO_LEFT = "\u202e";

test.skipIf(BROWSER.missing)(
  deep(`a page goes on after a kill of the server, and shows what happened meanwhile${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo done > note.txt");
    await ask(product, ["run", "Before the kill", "--agent", "writer"]);
    await product.tazuna(["engine", "stop"]);
    const port = await freePort();
    const serve = () => product.start(["serve", "--port", String(port)]);
    serve();
    await waitFor("the server", async () => (await product.enginePid()) !== null);
    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByText("Before the kill").waitFor();
    // The machine has lost its network; the server is on it.
    await page.evaluate("window.dispatchEvent(new Event('offline'))");
    // A fact comes, and what it is about cannot be read.
    await page.route("**/api/v1/tasks/*", (route) => route.abort());
    const unread = page.waitForEvent("requestfailed", (request) => request.url().includes("/tasks/"));
    await ask(product, ["run", "Not read", "--agent", "writer"]);
    await unread;
    await page.unroute("**/api/v1/tasks/*");
    await product.killEngine();
    await page.getByText("Reconnecting…").waitFor();
    const notLoaded = page.waitForEvent("requestfailed", (request) => request.url().includes("/assets/"));
    await page.getByRole("link", { name: "Storage" }).hover();
    await notLoaded;
    serve();
    // A command that finds no server starts one of its own, at another port.
    await waitFor("the server again", async () => (await product.enginePid()) !== null);
    await ask(product, ["run", "After the kill", "--agent", "writer"]);
    for (const title of ["Before the kill", "Not read", "After the kill"])
      await page.getByText(title).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a question that is answered in one tab is gone in the other${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product);
    const other = await room.tab();
    await other.goto(`${room.url}/`);
    await room.page.getByRole("button", { name: "Start the demo" }).click();
    const asks = (page: typeof other) => page.locator("[data-column=needs]").getByText("Formal or casual");
    await asks(other).waitFor();
    await asks(room.page).waitFor();
    await other.getByRole("button", { name: "Casual" }).click();
    await asks(room.page).waitFor({ state: "detached" });
    await room.page.locator("[data-column=review]").getByText("2 attempts to compare").waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`words of agents and people are text, never markup, and turn nothing around${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const evil = `<img src=x onerror="window.owned=1"><script>alert(1)</script>`;
    await product.agent(
      "evil",
      `printf '\\033[31m%s\\033[0m \\342\\200\\256txt.exe\\n' "${evil.replaceAll('"', '\\"')}"; printf '%s' "${evil.replaceAll('"', '\\"')}" > "名前 <b>.html"`,
    );
    const { attempt } = await ask(product, ["run", `Say ${evil} مرحبا`, "--agent", "evil"]);
    await using room = await openControlRoom(product);
    for (const path of [
      "/",
      `/attempts/${attempt.id}`,
      `/attempts/${attempt.id}/review`,
      `/attempts/${attempt.id}/ship`,
      "/activity",
    ]) {
      await room.page.goto(room.url + path);
      await settled(room.page);
      expect(await room.page.locator("img").count()).toBe(0);
      expect(await room.page.evaluate("typeof window.owned")).toBe("undefined");
      const shown = await room.page.locator("body").innerText();
      expect([shown.includes(ESCAPE), shown.includes(RIGHT_TO_LEFT)]).toEqual([false, false]);
    }
    expect(room.faults).toEqual([]);
  },
);

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  await server.stop(true);
  return port ?? 0;
}
