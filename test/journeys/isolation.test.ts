/** Every run tells what held its agent, and why that was not the sandbox although it was asked for. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { ownPath } from "../helpers/own-path.ts";
import { type Product, startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const REASON =
  process.platform === "linux" ? "bwrap is not installed." : `There is no sandbox on ${process.platform}.`;

test("without bwrap the run, its table, its JSON and the page say that the guard held, and why (promise 1.5)", async () => {
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
  expect(await page(product)).toContain(`<dt>Isolation</dt><dd>${words}</dd>`);
});

test("if the guard was asked for, there is nothing to explain", async () => {
  await using product = await startProduct({ isolation: "guard" });
  await product.agent("doer", "echo one > one.txt");
  const { run } = await ask(product, ["run", "Do it", "--agent", "doer"]);
  expect([run.isolation, run.isolation_reason]).toEqual(["guard", null]);
});

/** The status page, as a browser gets it that was signed in by a link. */
async function page(product: Product): Promise<string> {
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const link = await fetch(`${url}/api/v1/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const signedIn = await fetch(((await link.json()) as { url: string }).url, { redirect: "manual" });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return (await fetch(`${url}/`, { headers: { cookie, accept: "text/html" } })).text();
}
