/**
 * Takes repositories out of the list: refused while an attempt remains, nothing is deleted, and use brings one back.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { http } from "../helpers/http.ts";
import { ask, exists, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Repositories {
  readonly repositories: readonly { readonly id: string; readonly path: string }[];
}

test(
  deep(
    "`repo remove` refuses while an attempt has a worktree, takes the repository out of the list, and deletes nothing",
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", "echo new > new.txt; echo Done.");
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    const { id } = end.attempt;
    const list = async () =>
      (await product.tazuna(["repo", "list", "--json"])).json<Repositories>().repositories;
    const [repository] = await list();
    const short = repository?.id.slice(0, 8) ?? "";

    const inUse = await refused(product, ["repo", "remove", short]);
    expect(inUse).toMatchObject({
      code: 1,
      error: { code: "repository_in_use", details: { attempts: [id] } },
    });
    const [, cancel = ""] = /`tazuna (cancel \S+)`/.exec(inUse.error.remedy) ?? [];
    expect((await product.tazuna(cancel.split(" "))).code).toBe(0);

    const before = await usersSide(product);
    const removed = await product.tazuna(["repo", "remove", short]);
    expect([removed.code, removed.stdout]).toEqual([
      0,
      [
        `${product.repository} is out of the list. Nothing in it was changed.`,
        "Its tasks (1) stay on record: `tazuna list --all` shows them.",
        "Its worktrees in the trash (1) stay there: `tazuna trash list`.",
        `\`tazuna repo add ${product.repository}\` puts it back.`,
        "",
      ].join("\n"),
    ]);
    expect(await list()).toEqual([]);
    expect(await usersSide(product)).toEqual(before);
    expect(await exists(join(product.home, "trash", id, "new.txt"))).toBe(true);

    // Used again, it is the same one, with all that belongs to it.
    const again = await ask(product, ["run", "Once more", "--agent", "agent"]);
    expect(again.document.task.repository.id).toBe(repository?.id ?? "");
    expect((await product.tazuna(["trash", "restore", id, "--json"])).code).toBe(0);
    expect(await readFile(join(end.attempt.worktree, "new.txt"), "utf8")).toBe("new\n");
  },
);

test(deep("each way to use an attempt again brings its repository back into the list"), async () => {
  await using product = await startProduct();
  await product.agent("agent", "date +%N > new.txt; echo Done.");
  const { attempt, document, run } = await ask(product, ["run", "Change it", "--agent", "agent"]);
  const list = async () =>
    (await product.tazuna(["repo", "list", "--json"])).json<Repositories>().repositories;
  const [repository] = await list();
  /** Puts the attempts away: `clean` keeps the branch, so that the attempt can go on. */
  const takeOut = async (...away: readonly string[]) => {
    expect((await product.tazuna([...away, "--json"])).code).toBe(0);
    await waitFor(
      "the repository to be out of the list",
      async () => (await product.tazuna(["repo", "remove", repository?.id ?? ""])).code === 0,
    );
    expect(await list()).toEqual([]);
  };
  const listed = async () => (await list()).map(({ id }) => id);
  await takeOut("clean", attempt.id, "--yes");
  expect((await product.tazuna(["continue", attempt.id, "Again"])).code).toBe(0);
  expect(await listed()).toEqual([repository?.id ?? ""]);
  await takeOut("clean", attempt.id, "--yes");
  const added = await http<{ attempts: { id: string }[] }>(
    product,
    `POST /tasks/${document.task.id}/attempts`,
    { agent: "agent" },
  );
  expect(added.status).toBe(201);
  expect(await listed()).toEqual([repository?.id ?? ""]);
  const [another] = added.body.attempts;
  await product.tazuna(["wait", another?.id ?? ""]);
  await takeOut("clean", another?.id ?? "", "--yes");
  expect((await http(product, `POST /runs/${run.id}/fork`, { agent: "agent" })).status).toBe(201);
  expect(await listed()).toEqual([repository?.id ?? ""]);
});

test(deep("a repository that was deleted leaves the list as `doctor` says"), async () => {
  await using product = await startProduct();
  const elsewhere = { cwd: dirname(product.home) };
  await product.agent("agent", "echo new > new.txt; echo Done.");
  const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await rm(product.repository, { recursive: true });
  const cleaned = await product.tazuna(["clean", end.attempt.id, "--yes", "--json"], elsewhere);
  expect(cleaned.code).toBe(0);
  expect(await exists(join(product.home, "trash", end.attempt.id, "new.txt"))).toBe(true);
  const doctor = await product.tazuna(["doctor", "--json"], elsewhere);
  const [, command = ""] = /`tazuna (repo remove \S+?)`/.exec(doctor.stdout) ?? [];
  expect((await product.tazuna([...command.split(" "), "--json"], elsewhere)).code).toBe(0);
  const after = await product.tazuna(["doctor", "--json"], elsewhere);
  expect(after.stdout).not.toContain(product.repository);
});
