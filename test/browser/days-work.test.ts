/**
 * Plays a day's work with real agents, once by keys alone and once by mouse alone: three tasks, seven attempts, a question,
 * a finding of the gate, a failed check, a review, a pull request, a conflict (issue: the control room).
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { byKeys, byMouse, type Person } from "../helpers/day-person.ts";
import { dayWorld } from "../helpers/day-world.ts";
import { fileAt, PATIENCE_MS } from "../helpers/journey.ts";
import { INSTALLED } from "../helpers/real-product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const AGENTS = INSTALLED.includes("claude-code") && INSTALLED.includes("codex");
const WHY =
  BROWSER.why || (AGENTS ? "" : " (skipped: Claude Code or Codex is missing: run `npm run agents`)");

for (const [name, personOf] of [
  ["keyboard", byKeys],
  ["mouse", byMouse],
] as const)
  test.skipIf(BROWSER.missing || !AGENTS)(deep(`a day's work by ${name} alone${WHY}`), async () => {
    await using world = await dayWorld();
    await using room = await openControlRoom(world.product);
    const { page } = room;
    const person = personOf(page);
    await person.addRepository(world.product.repository);
    await person.start("Greet people by name", { "claude-code": 1, codex: 1 });
    await person.start("Read the key of the service", { "claude-code": 1, codex: 1 });
    await person.start("Count to three", { "claude-code": 2, codex: 1 });

    // The question, on its card, once the other tasks are done.
    const compared = column(page, "review").getByText("attempts to compare");
    await compared.nth(1).waitFor();
    await column(page, "needs").getByText("curl -s http://localhost:1/names").waitFor();
    await person.approve();
    await compared.nth(2).waitFor();
    await keepShot(page, `day-${name}-fleet`);

    // What the gate found goes to the agent, and so does the check that failed.
    for (const [task, agent, said] of [
      ["Read the key", "claude-code", "config.ts:1"],
      ["Count to three", "codex", "expected three"],
    ] as const) {
      await person.openRed(task, agent);
      await person.handToAgent(said);
      await page.getByRole("feed").getByText("pushed", { exact: true }).waitFor();
      await person.toFleet();
    }

    // One of two is chosen, gets a comment, and goes home by a pull request.
    await person.compare("Greet people");
    await person.choose("claude-code", "Its README knows it");
    await person.review();
    await person.comment("greet.ts", "Make it say good day");
    await page.getByText("Addressed in run 2").first().waitFor();
    await person.ship();
    await person.openPull();
    await page.getByRole("heading", { name: /^#1 / }).waitFor();
    await merged(page, person);
    expect(world.forge.github.pulls).toMatchObject([{ state: "closed" }]);
    await person.toFleet();

    // One of three is chosen; it conflicts with what was merged, and its agent resolves that.
    await person.compare("Count to three");
    await person.choose("claude-code", "It counts in English");
    await person.ship();
    await person.update();
    await page.getByText("a run works on it").first().waitFor();
    await merged(page, person);
    expect(await fileAt(world.product, world.product.repository, "main", "README.md")).toContain(
      "It greets and counts.",
    );
    await keepShot(page, `day-${name}-end`);
    expect(room.faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  });

const column = (page: Page, name: string) => page.locator(`[data-column=${name}]`);

/** The target is checked out, which a person is asked about; a forge does not ask. */
async function merged(page: Page, person: Person): Promise<void> {
  await page.getByText("Ready to merge", { exact: true }).waitFor();
  await person.merge();
  const here = page.getByRole("button", { name: "Merge with the files there" });
  const done = page.getByRole("region", { name: "Merge", exact: true }).getByText("Merged into main");
  await here.or(done).first().waitFor();
  if (await here.isVisible()) await person.press(here);
  await done.waitFor();
}
