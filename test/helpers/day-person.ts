/** Acts in the control room as a person does: by keys alone, or by mouse alone but for the words that are typed. */
import type { Locator, Page } from "playwright-core";

export interface Person {
  addRepository(path: string): Promise<void>;
  start(issue: string, agents: Readonly<Record<string, number>>): Promise<void>;
  approve(): Promise<void>;
  /** Opens the attempt of an agent that failed, from the card of its task. */
  openRed(task: string, agent: string): Promise<void>;
  /** Sends what went wrong to the agent; `said` is in the words. */
  handToAgent(said: string): Promise<void>;
  toFleet(): Promise<void>;
  compare(task: string): Promise<void>;
  /** The first attempt of the agent. */
  choose(agent: string, reason: string): Promise<void>;
  review(): Promise<void>;
  comment(file: string, words: string): Promise<void>;
  ship(): Promise<void>;
  openPull(): Promise<void>;
  update(): Promise<void>;
  merge(): Promise<void>;
  press(button: Locator): Promise<void>;
}

const box = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const letterOf = async (page: Page, agent: string) => {
  const heads = page.getByRole("region", { name: "Attempts side by side" }).getByRole("columnheader");
  const words = await heads.allInnerTexts();
  return words.filter((each) => /Choose \w/.test(each)).findIndex((each) => each.includes(agent));
};

export function byKeys(page: Page): Person {
  const { keyboard } = page;
  const focused = (selector: string) => page.locator(selector).and(page.locator(":focus")).waitFor();
  const hasFocus = async (target: Locator) => (await target.and(page.locator(":focus")).count()) > 0;
  /** From here on, until the focus is there. */
  const tabTo = async (target: Locator) => {
    await target.waitFor();
    for (let steps = 0; !(await hasFocus(target)); steps++) {
      if (steps > 80) throw new Error("the tab key does not come there");
      await keyboard.press("Tab");
    }
  };
  /** To a card of a column, as `j` goes. */
  const cardOf = async (number: number, task: string) => {
    await keyboard.press(String(number));
    for (let steps = 0; !(await hasFocus(page.locator(`[data-card][aria-label*="${task}"]`))); steps++) {
      if (steps > 20) throw new Error(`no card of ${task}`);
      await keyboard.press("j");
    }
  };
  return {
    addRepository: async (path) => {
      await tabTo(page.getByRole("button", { name: "Add a repository" }));
      await keyboard.press("Enter");
      await focused("input");
      await keyboard.type(path);
      await keyboard.press("Enter");
      await focused("a[href='/tasks/new']");
    },
    start: async (issue, agents) => {
      await keyboard.press("n");
      await focused("textarea");
      await keyboard.type(issue);
      for (const [agent, count] of Object.entries(agents)) {
        await tabTo(page.getByRole("spinbutton", { name: `Attempts of ${agent}`, exact: true }));
        await keyboard.press(String(count));
      }
      await keyboard.press("Control+Enter");
      await focused("[data-task]");
    },
    approve: async () => {
      await cardOf(3, "Greet people");
      await keyboard.press("a");
      await keyboard.press("a");
    },
    openRed: async (task) => {
      await cardOf(4, task);
      await keyboard.press("Enter");
      await page.locator("[data-column=review]").waitFor({ state: "detached" });
      const suggested = page.locator("main [data-act=suggested]");
      const pushed = page.getByRole("feed").getByText("pushed", { exact: true });
      for (;;) {
        await suggested.or(pushed).first().waitFor();
        if ((await suggested.count()) > 0) return;
        const url = page.url();
        await keyboard.press("l");
        await page.waitForURL((now) => now.href !== url);
        // The screen shows the other attempt once its link is the current one.
        await page
          .locator(`a[aria-current=page][href="${new URL(page.url()).pathname}"]`)
          .first()
          .waitFor();
      }
    },
    handToAgent: async (said) => {
      await keyboard.press("a");
      await focused("textarea");
      await expectWords(box(page, "Message to the agent"), said);
      await keyboard.press("Enter");
      await keyboard.press("Escape");
    },
    toFleet: async () => {
      await keyboard.press("g");
      await keyboard.press("f");
      await page.locator("[data-column=review]").waitFor();
    },
    compare: async (task) => {
      await cardOf(4, task);
      await keyboard.press("a");
      await page.getByRole("region", { name: "Files by attempt" }).waitFor();
    },
    choose: async (agent, reason) => {
      await keyboard.press(String((await letterOf(page, agent)) + 1));
      await keyboard.press("w");
      await focused("input");
      await keyboard.type(reason);
      await keyboard.press("Control+Enter");
      await page.getByText("is chosen because").waitFor();
      await focused("button");
    },
    review: async () => {
      await keyboard.press("v");
      await page.locator("[data-row]").first().waitFor();
    },
    comment: async (file, words) => {
      const head = page.getByRole("button", { name: `Fold ${file}` });
      await head.waitFor();
      for (let step = 0; step < 5 && !(await hasFocus(head)); step++) await keyboard.press("]");
      await keyboard.press("c");
      await focused("textarea");
      await keyboard.type(words);
      await keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Send 1 comment as one run" }).waitFor();
      // Until the draft is kept, this key is the draft's.
      await box(page, `Comment on ${file}:1`).waitFor({ state: "detached" });
      await keyboard.press("Control+Enter");
    },
    ship: async () => {
      await keyboard.press("S");
      await page.getByRole("region", { name: "Gate" }).waitFor();
    },
    openPull: async () => {
      await page.getByRole("button", { name: "Open pull request" }).waitFor();
      await keyboard.press("a");
    },
    update: async () => {
      await keyboard.press("U");
    },
    merge: async () => {
      await page
        .getByRole("button", { name: /^Merge/ })
        .first()
        .waitFor();
      await keyboard.press("M");
      await keyboard.press("M");
    },
    press: async (button) => {
      await tabTo(button);
      await keyboard.press("Enter");
    },
  };
}

async function expectWords(target: Locator, said: string): Promise<void> {
  const value = await target.inputValue();
  if (!value.includes(said)) throw new Error(`the box does not say ${said}: ${value}`);
}

export function byMouse(page: Page): Person {
  const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
  const card = (column: string, task: string) =>
    page
      .locator(`[data-column=${column}]`)
      .getByRole("article", { name: new RegExp(task) })
      .first();
  return {
    addRepository: async (path) => {
      await button("Add a repository").click();
      await box(page, "Folder of a repository, or its address").fill(path);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("No tasks yet in").waitFor();
    },
    start: async (issue, agents) => {
      await page
        .getByRole("link", { name: /^New task/ })
        .last()
        .click();
      await box(page, "Issue").fill(issue);
      for (const [agent, count] of Object.entries(agents))
        for (let more = 0; more < count; more++)
          await page.getByRole("button", { name: `More ${agent}`, exact: true }).click();
      await button(/^Start \d attempts/).click();
      await page.locator("[data-task]:focus").waitFor();
    },
    approve: async () => {
      await button(/^Approve/).click();
      await button(/^Press again: Approve/).click();
    },
    openRed: async (task, agent) => {
      const rows = card("review", task)
        .locator("div")
        .filter({ has: page.getByRole("link"), hasText: agent });
      await rows.last().getByRole("link").first().click();
      await page.locator("[data-column=review]").waitFor({ state: "detached" });
    },
    handToAgent: async (said) => {
      await page.locator("main [data-act=suggested]").last().click();
      await expectWords(box(page, "Message to the agent"), said);
      await page.getByRole("button", { name: /^Send/ }).last().click();
    },
    toFleet: async () => {
      await page.getByRole("link", { name: "Fleet" }).first().click();
      await page.locator("[data-column=review]").waitFor();
    },
    compare: async (task) => {
      await card("review", task)
        .getByRole("button", { name: /^Compare/ })
        .click();
      await page.getByRole("region", { name: "Files by attempt" }).waitFor();
    },
    choose: async (agent, reason) => {
      const letter = "ABC"[await letterOf(page, agent)];
      await button(`Choose ${letter}`).click();
      await box(page, "Because").fill(reason);
      await button(/^Record decision/).click();
      await page.getByText("is chosen because").waitFor();
    },
    review: async () => {
      await page
        .getByRole("link", { name: /^Review/ })
        .or(page.getByRole("button", { name: /^Review \w/ }))
        .last()
        .click();
      await page.locator("[data-row]").first().waitFor();
    },
    comment: async (file, words) => {
      await page
        .getByRole("region", { name: file })
        .getByRole("button", { name: /^Comment on line/ })
        .first()
        .click();
      await page.keyboard.type(words);
      await button(/^Keep as draft/).click();
      await button(/^Send 1 comment as one run/).click();
    },
    ship: async () => {
      await page
        .getByRole("link", { name: /^Ship/ })
        .or(page.getByRole("button", { name: /^Ship/ }))
        .first()
        .click();
      await page.getByRole("region", { name: "Gate" }).waitFor();
    },
    openPull: () => button(/^Open pull request/).click(),
    update: () => button(/^Update branch/).click(),
    merge: async () => {
      const bar = page.getByRole("region", { name: "Merge", exact: true });
      await bar.getByRole("button", { name: /^Merge/ }).click();
      await bar.getByRole("button", { name: /^Press again: Merge/ }).click();
    },
    press: (target) => target.click(),
  };
}
