/** Starts a task from the form by keyboard, and takes the start back (design: flows, section 2). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

for (const look of drawn(LOOKS, "new-task"))
  test.skipIf(BROWSER.missing)(
    deep(
      `a task is written, given to two attempts by keyboard, and its card gets the focus, ${look.in}${BROWSER.why}`,
    ),
    async () => {
      await using product = await startProduct();
      await using room = await openControlRoom(product, { ...look, path: "/tasks/new" });
      const { page, say } = room;
      await page.getByText(say.part("Tazuna knows no repository yet.")).waitFor();
      await product.tazuna(["repo", "add", product.repository]);
      const issue = page.getByRole("textbox", { name: say.whole("Issue") });
      await page.getByRole("combobox", { name: say.part("Repository") }).waitFor();
      expect(await page.locator(":focus").getAttribute("rows")).toBe("3");
      await page.keyboard.type("Greet people by name");
      const context = page.getByRole("textbox", { name: say.whole("Context") });
      await context.pressSequentially("See @read");
      await page.getByRole("option", { name: "README.md" }).waitFor();
      await context.press("Enter");
      expect(await context.inputValue()).toBe("See README.md ");
      await page.getByRole("textbox", { name: say.whole("Constraints") }).fill("No new dependency.");
      if (look.isCut) await room.cut();
      await page.getByRole("button", { name: say.part("More demo") }).click();
      await page.getByRole("spinbutton", { name: say.part("Attempts of demo") }).press("2");
      await page.getByText(say.part("2 start now: demo ×2")).waitFor();
      await page.getByText(/Draft saved|下書きを保存しました/).waitFor();
      await page.reload();
      await page.getByText(say.part("2 start now: demo ×2")).waitFor();
      expect(await issue.inputValue()).toBe("Greet people by name");
      expect(await page.getByRole("button", { name: say.part("More codex") }).isVisible()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `new-task-${look.language}`);
      await issue.press("Control+Enter");
      await page.getByText(say.part("2 attempts started")).waitFor();
      await page.locator("[data-task]:focus").waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
      await page.keyboard.press("n");
      await issue.waitFor();
      expect(await issue.inputValue()).toBe("");
      expect(room.faults).toEqual([]);
    },
  );

test.skipIf(BROWSER.missing)(
  deep(`the key z takes back what has not begun, and says what goes on${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("slow", "sleep 60");
    await product.configure({ limits: { parallel: 1 } });
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/tasks/new" });
    const { page } = room;
    await page.getByRole("textbox", { name: "Issue", exact: true }).fill("Take your time");
    await page.getByRole("spinbutton", { name: "Attempts of slow" }).press("2");
    await page.getByText("1 starts now: slow").waitFor();
    await page.getByText(/1 waits: slow/).waitFor();
    await page.getByRole("button", { name: /Start 2 attempts/ }).click();
    await page.getByText("2 attempts started").waitFor();
    await page
      .locator("[data-column=working]")
      .getByText(/^Running/)
      .waitFor();
    await page.keyboard.press("z");
    await page.getByText("1 attempt cancelled").waitFor();
    await page.getByText("1 had begun and goes on.").waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `presets are chosen by their keys, kept on this device and taken away, and start what they say${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("one", "echo one > one.txt");
    await product.agent("two", "echo two > two.txt");
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/tasks/new" });
    const { page } = room;
    const issue = page.getByRole("textbox", { name: "Issue", exact: true });
    await issue.fill("Do it");
    const count = (agent: string) => page.getByRole("spinbutton", { name: `Attempts of ${agent}` });
    const counts = async () => [await count("one").innerText(), await count("two").innerText()];
    await page.getByRole("button", { name: /^two ×3/ }).waitFor();
    // Also while somebody types, and without a letter more in the box.
    await page.keyboard.press("Alt+3");
    await page.getByText("3 start now: two ×3").waitFor();
    await page.keyboard.press("Alt+1");
    await page.getByText("2 start now: one, two").waitFor();
    expect([await counts(), await issue.inputValue()]).toEqual([["1", "1"], "Do it"]);
    await page.keyboard.press("Alt+a");
    await count("demo").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("j");
    await count("one").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("0");
    await page.keyboard.press("j");
    await count("two").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("+");
    expect([await counts(), await issue.inputValue()]).toEqual([["0", "2"], "Do it"]);

    await page.getByRole("button", { name: "Keep as preset" }).click();
    await page.getByText("Kept as a preset of this device").waitFor();
    const own = page.getByRole("button", { name: /^two ×2/ });
    await own.waitFor();
    await page.reload();
    await own.waitFor();
    await issue.press("Alt+2");
    await page.getByText("2 start now: one, two").waitFor();
    await own.click();
    await page.getByText("2 start now: two ×2").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await issue.press("Control+Enter");
    await page.getByText("2 attempts started").waitFor();
    const { tasks } = (await product.tazuna(["list", "--json"])).json<{ tasks: TaskDocument[] }>();
    expect(tasks.flatMap(({ attempts }) => attempts.map(({ agent }) => agent))).toEqual(["two", "two"]);

    await page.goto(`${room.url}/tasks/new`);
    await page.getByRole("button", { name: "Remove the preset two ×2" }).click();
    await own.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: /^one of each/ }).waitFor();
    expect(await own.count()).toBe(0);
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `a base that is not there is named before an agent is chosen, and a start that failed is not said to go on${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("one", "echo one > one.txt");
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/tasks/new" });
    const { page } = room;
    const will = page.getByRole("complementary");
    await page.getByRole("textbox", { name: "Issue", exact: true }).fill("Begin nowhere");
    const base = page.getByRole("combobox", { name: "Base" });
    await base.fill("a..b");
    await will.getByText('"base" is not valid').waitFor();
    await base.fill("nowhere");
    await will.getByText(/There is no branch, tag or commit called nowhere/).waitFor();
    expect(await page.getByText("never fetched").count()).toBe(0);
    await page.getByRole("spinbutton", { name: "Attempts of one" }).press("1");
    await page.getByRole("button", { name: /Start 1 attempt/ }).click();
    await page.locator("[data-column=needs]").getByText("Base is missing").waitFor();
    await page.keyboard.press("z");
    await page.getByText("No attempt was cancelled").waitFor();
    await page.getByText("1 had ended already and stays.").waitFor();

    // Its page offers another base; the attempt keeps that one when it begins anew.
    await page.getByRole("link", { name: "Begin nowhere" }).first().click();
    await page.getByRole("button", { name: "Choose another base…" }).click();
    const dialog = page.getByRole("dialog", { name: "Begin from another base" });
    await dialog.getByRole("combobox", { name: "Base" }).fill("main");
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Start" }).click();
    await dialog.waitFor({ state: "detached" });
    const madeOf = async () => {
      const { tasks } = (await product.tazuna(["list", "--json"])).json<{ tasks: TaskDocument[] }>();
      return tasks.flatMap(({ attempts }) => attempts);
    };
    const second = await waitFor("the second attempt", async () =>
      (await madeOf()).find(({ state }) => state === "pushed"),
    );
    expect(second).toMatchObject({ agent: "one", started_from: { name: "origin/main" } });
    await product.tazuna(["retry", second.id, "--from", "base"]);
    expect((await madeOf()).filter(({ state }) => state === "pushed")).toHaveLength(2);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`who goes on before the start is answered is not called back${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/tasks/new" });
    const { page } = room;
    const issue = page.getByRole("textbox", { name: "Issue" });
    await issue.fill("Greet people by name");
    await page.getByRole("button", { name: "More demo" }).click();
    const starts = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/tasks$/, async (route) => {
      if (route.request().method() === "POST") await starts.promise;
      await route.continue();
    });
    await issue.press("Control+Enter");
    await page.getByRole("navigation").getByRole("link", { name: "Activity" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
    starts.resolve();
    await page.getByText("1 attempt started").waitFor();
    expect(new URL(page.url()).pathname).toBe("/activity");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `the form follows settings that change, and the repository of the address wins over a draft${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("slow", "sleep 60");
    await product.configure({ limits: { parallel: 1 } });
    await product.tazuna(["repo", "add", product.repository]);
    const other = join(product.home, "..", "garden");
    await product.sandbox.git(product.repository, ["clone", "--quiet", product.origin, other]);
    await product.tazuna(["repo", "add", other]);
    const { repositories } = (await product.tazuna(["repo", "list", "--json"])).json<{
      readonly repositories: readonly { readonly id: string; readonly path: string }[];
    }>();
    const [project, garden] = [product.repository, other].map(
      (path) => repositories.find((each) => each.path === path)?.id ?? "",
    );
    await using room = await openControlRoom(product, { path: `/tasks/new?repository=${project}` });
    const { page } = room;
    const issue = page.getByRole("textbox", { name: "Issue", exact: true });
    const chosen = page.getByRole("combobox", { name: "Repository" });
    await issue.fill("Take your time");
    await page.getByRole("spinbutton", { name: "Attempts of slow" }).press("2");
    await page.getByText(/1 waits: slow/).waitFor();
    await product.configure({ limits: { parallel: 4 } });
    await page.getByText("2 start now: slow ×2").waitFor();
    await page.evaluate(`fetch("/api/v1/settings", { method: "PATCH", headers: { "content-type": "application/json" },
      body: JSON.stringify({ key: "setup", value: ["echo ready"], repository: "${project}" }) })`);
    await page.getByRole("button", { name: "Read and trust" }).waitFor();

    await page.getByText(/Draft saved/).waitFor();
    await page.goto(`${room.url}/tasks/new?repository=${garden}`);
    await waitFor("the draft", async () => (await issue.inputValue()) === "Take your time");
    expect(await chosen.inputValue()).toBe(garden ?? "");
    // What is chosen after that stays through a reload.
    await chosen.selectOption(project ?? "");
    await page.waitForURL(new RegExp(`repository=${project}`));
    await page.reload();
    await waitFor("the draft", async () => (await issue.inputValue()) === "Take your time");
    expect(await chosen.inputValue()).toBe(project ?? "");
    expect(room.faults).toEqual([]);
  },
);
