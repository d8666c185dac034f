/** Goes on with an attempt in its screen: queue, stop and say, own edits, a red check (product: scenes 2, 3, 7). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, ending, PATIENCE_MS, processesOf } from "../helpers/journey.ts";
import { NOTE_WRITER } from "../helpers/note-writer.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  deep(
    `Enter queues behind the run that works, Ctrl+Enter stops it and sends, own edits are committed${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", NOTE_WRITER);
    const { attempt } = await ask(product, ["run", "First, then wait", "--agent", "writer", "--detach"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const timeline = page.getByRole("feed", { name: "Timeline" });
    await timeline.getByText("I wrote a note.").waitFor();
    await page.keyboard.press("r");
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Message to the agent");
    await page.keyboard.type("Second");
    await page.keyboard.press("Enter");
    const queue = page.getByRole("list", { name: "Waiting" });
    await queue.getByText("Second").waitFor();
    await queue.getByRole("button", { name: "Edit" }).click();
    await page.keyboard.type(" thing");
    await page.keyboard.press("Enter");
    await queue.getByText("Second thing").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "attempt-queue");

    await page.keyboard.press("r");
    await page.keyboard.type("Do this now");
    await page.keyboard.press("Control+Enter");
    await timeline.getByText("Stopped. The files are kept.").waitFor();
    await timeline.getByRole("heading", { name: "Run 3" }).waitFor();
    await waitFor("both commits", async () => (await timeline.getByText("pushed").count()) === 2);
    const notes = await Bun.file(join(attempt.worktree, "notes.txt")).text();
    expect(notes).toContain("First, then wait\n");
    expect(notes).toContain("Do this now\n");
    expect(notes).toContain("Second thing\n");

    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("WROTE A NOTE");
    await page.keyboard.press("Enter");
    await page.getByText("3 hits").waitFor();
    await page.getByRole("search").getByRole("button", { name: /Run 1/ }).click();
    await timeline.getByText("I wrote a note.").first().waitFor();

    await appendFile(join(attempt.worktree, "README.md"), "By hand.\n");
    await page.reload();
    await page.getByText("You changed 1 file in the worktree").waitFor();
    await page.getByRole("button", { name: "Commit my edits" }).click();
    await timeline.getByRole("heading", { name: "Your edits" }).waitFor();
    await page.getByText("You changed 1 file in the worktree").waitFor({ state: "detached" });
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a red check shows its own log and is sent to the agent, in Japanese and dark${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent(
      "writer",
      'case "$TAZUNA_INSTRUCTION" in *mend*) touch mended;; *) echo x > x;; esac',
    );
    await product.configure({
      checks: [{ name: "unit", run: "test -e mended || { echo expected 429; exit 3; }", required: true }],
    });
    const { attempt } = await ask(product, ["run", "Write x", "--agent", "writer"]);
    await using room = await openControlRoom(product, {
      path: `/attempts/${attempt.id}`,
      language: "ja",
      theme: "dark",
    });
    const { page } = room;
    const check = page.locator("[data-check=unit]");
    await check.getByText("検証「unit」が失敗").waitFor();
    await check.getByText("expected 429").waitFor();
    await page.getByText("コミットは手元に残っています。プッシュはしていません。").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "attempt-red-ja-dark");
    await check.getByRole("button", { name: "基点で実行" }).click();
    await check.getByText("基点でも失敗します。").waitFor();
    await check.getByRole("button", { name: "エージェントに送る" }).click();
    const box = page.getByRole("textbox", { name: "エージェントへのメッセージ" });
    expect(await box.inputValue()).toContain("expected 429");
    await box.press("Enter");
    await page.getByRole("feed").getByText("プッシュ済み").waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`an agent whose program is gone is tried again once it is there${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const gone = join(product.home, "../gone-agent");
    await product.configure({ agents: { gone: { executor: "command", command: [gone] } } });
    const { attempt, run } = await ask(product, ["run", "Write it", "--agent", "gone"]);
    expect(ending(run)).toMatchObject({ failure: "agent_not_found" });
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const failure = page.locator("[data-failure=agent_not_found]");
    await failure.getByText("Nothing was started.").waitFor();
    await writeFile(gone, "#!/bin/sh\necho found > found.txt\n", { mode: 0o755 });
    await failure.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("feed").getByText("pushed", { exact: true }).waitFor();
    const { state, worktree } = (await product.tazuna(["show", attempt.id, "--json"])).json<AttemptAlone>();
    expect(state).toBe("pushed");
    expect(await Bun.file(join(worktree, "found.txt")).text()).toBe("found\n");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`an agent that says nothing is looked at, asked and stopped${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent(
      "mute",
      'case "$TAZUNA_INSTRUCTION" in *stuck*) echo Moving.;; *) exec sleep 900;; esac',
    );
    const { attempt, run } = await ask(product, ["run", "Think", "--agent", "mute", "--detach"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    const card = page.locator("[data-column=working] [data-card]");
    await card.getByText(/^Running/).waitFor();
    await page.clock.install({ time: Date.now() + 5 * 60_000 });
    await page.goto(room.url);
    const silent = page.locator("[data-column=needs] [data-card]").filter({ hasText: "Not known: no event" });
    await silent.getByRole("button", { name: "Open" }).click();
    await page.waitForURL((url) => url.pathname === `/attempts/${attempt.id}`);
    const note = page.getByRole("status").filter({ hasText: /^No event for/ });
    await note.getByText(/\d+ process(es are| is) alive/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "attempt-silent");
    await note.getByRole("button", { name: "Look at processes" }).click();
    await page.locator(":focus").filter({ hasText: "Processes" }).getByText("sleep 900").waitFor();
    await note.getByRole("button", { name: "Ask it" }).click();
    const box = page.getByRole("textbox", { name: "Message to the agent" });
    await box.and(page.locator(":focus")).waitFor();
    expect(await box.inputValue()).toBe("Are you stuck? Say what you are doing, and what you need.");
    // Behind a run that says nothing it would wait for long: it is stopped, and asked in its session.
    await page.keyboard.press("Control+Enter");
    const feed = page.getByRole("feed", { name: "Timeline" });
    await feed.getByText("Stopped. The files are kept.").waitFor();
    await feed.getByText("Moving.", { exact: true }).waitFor();
    expect(await processesOf(run.id)).toEqual([]);

    const again = await ask(product, ["continue", attempt.id, "Think again", "--detach"]);
    await note.getByRole("button", { name: "Stop", exact: true }).click();
    await note.waitFor({ state: "detached" });
    const { status } = (await ask(product, ["wait", again.run.id])).attempt.runs.at(-1) ?? {};
    expect([status, await processesOf(again.run.id)]).toEqual(["CANCELED", []]);
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`an agent whose program is gone is replaced by another, beside what it left${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const gone = join(product.home, "../gone-agent");
    await product.agent("able", 'echo "$TAZUNA_INSTRUCTION" > able.txt; echo Done.');
    const command = [gone];
    const { agents } = JSON.parse(await Bun.file(join(product.home, "config.json")).text());
    await product.configure({ agents: { ...agents, gone: { executor: "command", command } } });
    const { attempt, run } = await ask(product, ["run", "Write it", "--agent", "gone"]);
    expect(ending(run)).toMatchObject({ failure: "agent_not_found" });
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const failure = page.locator("[data-failure=agent_not_found]");
    await failure.getByText("Nothing was started.").waitFor();
    await failure.getByRole("button", { name: "Try again" }).waitFor();
    await failure.getByRole("button", { name: "Use another agent" }).click();
    const dialog = page.getByRole("dialog");
    // The one that cannot run is not offered first.
    await dialog.getByRole("combobox", { name: "Agent" }).selectOption("able");
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(attempt.id));
    await page.getByRole("feed").getByText("pushed", { exact: true }).waitFor();
    const made = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const now = (await product.tazuna(["show", made, "--json"])).json<AttemptAlone>();
    expect([now.agent, now.state]).toEqual(["able", "pushed"]);
    expect(await Bun.file(join(now.worktree, "able.txt")).text()).toBe("Write it\n");
    const left = (await product.tazuna(["show", attempt.id, "--json"])).json<AttemptAlone>();
    expect([left.agent, left.state, left.runs.length]).toEqual(["gone", "failed", 1]);
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a cancelled attempt takes no words once it is put away, until it is restored${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo x > x");
    const { attempt } = await ask(product, ["run", "Write x", "--agent", "writer"]);
    await product.tazuna(["cancel", attempt.id]);
    const state = async () =>
      (await product.tazuna(["show", attempt.id, "--json"])).json<AttemptAlone>().state;
    await waitFor("it to be put away", async () => (await state()) === "removed");
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}/review` });
    const { page } = room;
    const why = "This attempt was cancelled. Bring it back from the trash first.";
    await page.getByRole("textbox", { name: "Anything for the whole change?" }).fill("Go on");
    await page.locator("button[aria-disabled=true]", { hasText: /^Send/ }).waitFor();
    await page.goto(`${room.url}/attempts/${attempt.id}`);
    const send = page.getByRole("button", { name: /^Send/ });
    await page.getByRole("textbox", { name: "Message to the agent" }).fill("Write y");
    await page.locator("button[aria-disabled=true]", { hasText: /^Send/ }).waitFor();
    await send.focus();
    await page.getByText(why).first().waitFor();
    await page.keyboard.press("Enter");
    expect((await product.tazuna(["show", attempt.id, "--json"])).json<AttemptAlone>().runs).toHaveLength(1);

    await product.tazuna(["trash", "restore", attempt.id]);
    await waitFor("it to take words", async () => (await send.getAttribute("aria-disabled")) !== "true");
    // What a clean-up put away is made again.
    await product.tazuna(["clean", attempt.id, "--yes"]);
    await page.getByText("Cleaned up").first().waitFor();
    await waitFor(
      "it to take words again",
      async () => (await send.getAttribute("aria-disabled")) !== "true",
    );
    await page.getByRole("textbox", { name: "Message to the agent" }).press("Enter");
    await waitFor("the second run to end", async () => (await state()) === "pushed");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a check on the base that ended with its server is not shown as running${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo x > x");
    await product.configure({
      checks: [{ name: "unit", run: "test -e x && exit 3; sleep 600", required: true }],
    });
    const { attempt } = await ask(product, ["run", "Write x", "--agent", "writer"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const check = page.locator("[data-check=unit]");
    await check.getByRole("button", { name: "Run it on the base" }).waitFor();
    // The page has read all that facts tell of it before the server goes.
    const read = page.waitForResponse((answer) => answer.url().endsWith("/checks"));
    await check.getByRole("button", { name: "Run it on the base" }).click();
    await (await read).finished();
    await check.getByRole("button", { name: "Runs on the base" }).waitFor();
    await room.cut();
    await check.getByRole("button", { name: "Run it on the base" }).waitFor();
    expect(await check.locator("[aria-busy=true]").count()).toBe(0);
  },
);
