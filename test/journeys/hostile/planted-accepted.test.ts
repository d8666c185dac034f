/** Tells how a person decides about changed git settings, and that the user's own settings go on working. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, fileAt, noteCodes, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { deep } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
let product: Product;

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
});
afterAll(() => product?.[Symbol.asyncDispose]());

/** A clone with an origin of its own. */
async function clone(name: string) {
  const root = join(dirname(product.home), name);
  const [origin, repository] = [join(root, "origin"), join(root, "mine")];
  await mkdir(root);
  await product.sandbox.git(root, ["clone", "--quiet", "--bare", product.origin, origin]);
  await product.sandbox.git(root, ["clone", "--quiet", origin, repository]);
  return { origin, repository, config: join(repository, ".git", "config") };
}

const FILTER = '[filter "upper"]\\n\\tclean = tr a-z A-Z\\n';

describe("settings that changed while an agent worked", () => {
  test(deep("count once a person has read them with `tazuna trust`, and the run is retried"), async () => {
    const { origin, repository, config } = await clone("accepted");
    await product.agent(
      "setter",
      `grep -q upper '${config}' || printf '${FILTER}' >> '${config}'; echo '*.x filter=upper' > .gitattributes; echo work > a.x`,
    );
    const end = await ask(product, ["run", "Set", "--agent", "setter"], { cwd: repository });
    expect<unknown>(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "commit_failed" });
    expect(noteCodes(end.run)).toContain("git_settings_changed");
    const shown = await product.tazuna(["trust"], { cwd: repository });
    expect(shown.code).toBe(3);
    expect(shown.stdout).toContain("git setting filter.upper.clean: tr a-z A-Z");
    expect((await product.tazuna(["trust", "--yes"], { cwd: repository })).code).toBe(0);
    const again = await ask(product, ["retry", end.run.id], { cwd: repository });
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
    expect(await fileAt(product, origin, again.attempt.branch, "a.x")).toBe("WORK");
  });

  test("do not count for having taken the worktree away with them", async () => {
    const { repository, config } = await clone("vanished");
    await product.agent("vanisher", `printf '${FILTER}' >> '${config}'; here=$PWD; cd /; rm -rf "$here"`);
    await ask(product, ["run", "Vanish", "--agent", "vanisher"], { cwd: repository });
    const shown = await product.tazuna(["trust"], { cwd: repository });
    expect(shown.stdout).toContain("git setting filter.upper.clean");
  });

  test("of the user's own files, or made before, work as ever", async () => {
    const { origin, repository } = await clone("own");
    const { git } = product.sandbox;
    await git(repository, ["config", "--global", "filter.global.clean", "tr a-z A-Z"]);
    await git(repository, ["config", "filter.local.clean", "rev"]);
    await product.agent(
      "user",
      `printf '*.g filter=global\\n*.l filter=local\\n' > .gitattributes; echo abc > a.g; echo abc > a.l`,
    );
    const end = await ask(product, ["run", "Work", "--agent", "user"], { cwd: repository });
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await fileAt(product, origin, end.attempt.branch, "a.g")).toBe("ABC");
    expect(await fileAt(product, origin, end.attempt.branch, "a.l")).toBe("cba");
    await git(repository, ["config", "--global", "--unset", "filter.global.clean"]);
  });

  test("as hooks are not run, with `hooks: run` either", async () => {
    const { repository } = await clone("hooked");
    const ran = join(dirname(product.home), "hook-ran");
    const own = join(repository, ".git", "hooks", "pre-commit");
    await mkdir(dirname(own), { recursive: true });
    await writeFile(own, "#!/bin/sh\n");
    await chmod(own, 0o755);
    await product.configure({ hooks: "run" });
    await product.agent("hooker", `printf '#!/bin/sh\\ntouch "${ran}"\\n' > '${own}'; echo work > work.txt`);
    const end = await ask(product, ["run", "Hook", "--agent", "hooker"], { cwd: repository });
    await product.configure({ hooks: "off" });
    expect<unknown>(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "hook_failed" });
    expect(end.run.failure?.details.at).toEqual(["hooks/pre-commit"]);
    expect(existsSync(ran)).toBe(false);
  });
});
