/** Every run tells what held its agent, and why that was not the sandbox although it was asked for. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { BROWSER, openControlRoom } from "../helpers/browser.ts";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { ownPath } from "../helpers/own-path.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const REASON =
  process.platform === "linux" ? "bwrap is not installed." : `There is no sandbox on ${process.platform}.`;

test("without bwrap the run, its table and its JSON say that the guard held, and why (promise 1.5)", async () => {
  await using product = await startProduct({ isolation: "auto" });
  await product.agent("doer", "echo one > one.txt");
  const env = { PATH: await ownPath(join(product.home, "..", "bin")) };
  const end = await ask(product, ["run", "Do it", "--agent", "doer"], { env });
  const { isolation, isolation_reason } = end.run;
  expect<unknown>([ending(end.run), isolation, isolation_reason]).toEqual([PUSHED, "guard", REASON]);
  const words = `guard, not the sandbox: ${REASON}`;
  const show = await product.tazuna(["show", end.run.id], { env });
  expect(show.stdout).toContain(`Isolation    ${words}\n`);
  const waited = await product.tazuna(["wait", end.document.task.id], { env });
  expect(waited.stdout).toEndWith(`\nIsolation: ${words} \`tazuna doctor\` says how to get more.\n`);
});

test.skipIf(BROWSER.missing)(
  `without bwrap the screen of the attempt says that the guard held, and why (promise 1.5)${BROWSER.why}`,
  async () => {
    await using product = await startProduct({ isolation: "auto" });
    await product.agent("doer", "echo one > one.txt");
    const env = { PATH: await ownPath(join(product.home, "..", "bin")) };
    const { attempt } = await ask(product, ["run", "Do it", "--agent", "doer"], { env });
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    await room.page.getByRole("complementary").getByText("guard").first().waitFor();
    await room.page.getByText(REASON).first().waitFor();
    expect(room.faults).toEqual([]);
  },
);

test("if the guard was asked for, there is nothing to explain", async () => {
  await using product = await startProduct({ isolation: "guard" });
  await product.agent("doer", "echo one > one.txt");
  const { run } = await ask(product, ["run", "Do it", "--agent", "doer"]);
  expect([run.isolation, run.isolation_reason]).toEqual(["guard", null]);
});
