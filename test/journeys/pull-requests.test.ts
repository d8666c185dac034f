/** Walks from a pushed branch to a merged pull request, with a colleague who works on the forge meanwhile. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { type ForgeWorld, forgeWorld, TOKEN } from "../helpers/forge-world.ts";
import { colleague } from "../helpers/github/colleague.ts";
import { ask, branchAt, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { storedText } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const started = async ({ product }: ForgeWorld, ...more: string[]) =>
  (await ask(product, ["run", "Say hello", "--agent", "editor", ...more])).attempt;

const show = async ({ product }: ForgeWorld, id: string) =>
  (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();

/** What `show` says of the pull request, once it is so. */
const shows = (world: ForgeWorld, id: string, is: (attempt: AttemptAlone) => boolean) =>
  waitFor(
    "the pull request to be so",
    async () => {
      const attempt = await show(world, id);
      return is(attempt) && attempt;
    },
    { withinMs: 120_000, instead: () => show(world, id) },
  );

const pr = async ({ product }: ForgeWorld, id: string, ...more: string[]) =>
  (await product.tazuna(["pr", id, ...more, "--json"])).json<{ pull_request: unknown }>();

test("seed 003 Pull request, Overall architecture, Services, Whole workflow and Related files: head, base, title and body go to the forge; address and number are saved and answered", async () => {
  await using world = await forgeWorld();
  const { product, github } = world;
  const template = ".github/pull_request_template.md";
  await product.sandbox.commitTo(world.bare, "main", { [template]: "## Summary\n\n- [ ] tested\n" });
  const { id, branch } = await started(world);
  expect(await pr(world, id, "--draft")).toEqual({
    pull_request: {
      number: 1,
      url: "https://github.example/ann/garden/pull/1",
      state: "open",
      head: branch,
      base: "main",
      draft: true,
    },
  });
  expect(github.pulls).toMatchObject([
    { number: 1, head: branch, base: "main", title: "Say hello", draft: true },
  ]);
  expect(github.pulls[0]?.body).toStartWith("## Summary\n\nSaid hello.\n\n- [ ] tested\n");
  const kinds = (await product.tazuna(["activity", id, "--json"])).json<{ operations: { kind: string }[] }>();
  expect(kinds.operations[0]?.kind).toBe("pull_request_create");
  // The token is in no file of the data folder.
  const log = await readFile(join(product.home, "server.log"), "utf8").catch(() => "");
  const database = storedText(product.home);
  expect([log.includes(TOKEN), database.includes(TOKEN)]).toEqual([false, false]);
});

test(
  deep("the words of people stay: a colleague's title, and a pull request that somebody opened"),
  async () => {
    await using world = await forgeWorld();
    const { github } = world;
    const { id, branch } = await started(world);
    await pr(world, id, "--draft");
    const [mine] = github.pulls;
    if (mine === undefined) throw new Error("no pull request");
    const bob = colleague(world);
    await bob.edits(1, { title: "Say hello to everybody" });
    expect(await pr(world, id)).toMatchObject({ pull_request: { number: 1, draft: false } });
    expect(mine).toMatchObject({ title: "Say hello to everybody", draft: false });
    await pr(world, id, "--title", "My own words");
    expect(mine.title).toBe("My own words");
    expect(github.pulls).toHaveLength(1);
    // A colleague closes it and opens another one: that is linked, and nothing of it is changed.
    await bob.edits(1, { state: "closed" });
    const theirs = { title: "Theirs", body: "By hand", draft: true };
    await bob.asks("POST", "/pulls", { ...theirs, head: branch, base: "main" });
    expect(await pr(world, id)).toMatchObject({ pull_request: { number: 2, head: branch, draft: true } });
    expect(github.pulls).toMatchObject([
      { title: "My own words", state: "closed" },
      { ...theirs, number: 2 },
    ]);
    const said = await world.product.tazuna(["activity", id, "--json"]);
    expect(said.stdout).toContain("pull_request_link");
  },
);

test(
  deep("what is not pushed, what has no forge and what the forge refuses is told, and nothing is made"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const held = await started(world, "--detach").then(({ id }) => id);
    await product.tazuna(["wait", held]);
    const worktree = (await show(world, held)).worktree;
    await product.sandbox.commit(worktree, { "mine.txt": "mine\n" });
    const notPushed = await refused(product, ["pr", held]);
    expect([notPushed.code, notPushed.error.code]).toEqual([1, "not_pushed"]);
    expect(notPushed.error.remedy).toContain(`tazuna publish ${held.slice(0, 8)}`);
    expect((await product.tazuna(["publish", held])).code).toBe(0);
    for (const [status, code] of [
      [401, "forge_auth"],
      [403, "forge_forbidden"],
      [404, "forge_not_found"],
      [422, "forge_refused"],
      [500, "forge_unavailable"],
    ] as const) {
      github.status = status;
      const { error } = await refused(product, ["pr", held]);
      expect(error.code).toBe(code);
    }
    github.status = null;
    expect(github.pulls).toEqual([]);
    // A shell without a token; the next one has it, and the engine goes on with that.
    const env = { TAZUNA_GITHUB_TOKEN: "" };
    await product.killEngine();
    const unknown = await refused(product, ["pr", held], { env });
    expect(unknown.error.code).toBe("forge_auth");
    expect(await pr(world, held)).toMatchObject({ pull_request: { number: 1 } });
    // A colleague deleted the branch there before there was a pull request.
    const other = await started(world);
    await colleague(world).deletes(other.branch);
    const deleted = await refused(product, ["pr", other.id]);
    expect([deleted.error.code, await world.headOf(other.branch)]).toEqual(["not_pushed", null]);
    expect((await product.tazuna(["publish", other.id])).code).toBe(0);
    expect(await pr(world, other.id)).toMatchObject({ pull_request: { number: 2 } });
    await world.configure({ kind: "auto", api_url: null });
    expect((await refused(product, ["pr", held])).error.code).toBe("no_forge");
  },
);

test(
  deep("at a rate limit the command says until when, and the server opens it then, without knocking before"),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const { id } = await started(world);
    github.limitsNext = 4_000;
    const { code, error } = await refused(product, ["pr", id, "--title", "Later"]);
    expect([code, error.code]).toEqual([1, "rate_limited"]);
    const resumeAt = Date.parse(String(error.details.resume_at));
    expect(resumeAt).toBeGreaterThanOrEqual(github.limitedUntil - 1000);
    await shows(world, id, ({ pull_request }) => pull_request?.number === 1);
    expect(Date.now()).toBeGreaterThanOrEqual(resumeAt);
    expect(github.knocks).toBe(1);
    expect(github.pulls).toMatchObject([{ title: "Later", state: "open" }]);
  },
);

test("reviews and failed checks go to the agent; a merge there ends the attempt, and all may go", async () => {
  await using world = await forgeWorld();
  const { product, github } = world;
  const { id, branch, worktree } = await started(world);
  await pr(world, id);
  await world.attend();
  const first = (await world.headOf(branch)) ?? "";
  github.checks.set(first, [{ id: 5, name: "ci", conclusion: "failure", output: "expected 1, got 2" }]);
  github.comments.push({ id: 9, body: "Why hello?", path: "hello.txt", line: 1 });
  github.comments.push({ id: 10, body: "<!-- tazuna -->\nDone.", path: "other.txt", line: 1 });
  await shows(world, id, ({ pull_request }) => pull_request?.failed_checks[0] === "ci");
  const sent = await ask(product, ["continue", id, "Be brief.", "--from-review", "--from-checks"]);
  expect(sent.run.outcome).toBe("pushed");
  expect(sent.run.instruction).toStartWith("Be brief.\n\n");
  for (const words of ["hello.txt:1", "> Why hello?", "> expected 1, got 2"])
    expect(sent.run.instruction).toContain(words);
  expect(sent.run.instruction).not.toContain("other.txt");
  const nothing = await refused(product, ["continue", id, "--from-review"]);
  expect([nothing.code, nothing.error.code]).toEqual([1, "nothing_new"]);
  // Named, it is sent once more; what is not there is refused.
  expect((await refused(product, ["continue", id, "--from-review", "line:11"])).error.code).toBe("not_found");
  expect((await ask(product, ["continue", id, "--from-review", "line:9"])).run.outcome).toBe("pushed");
  // A colleague merges it by hand, and deletes the branch there.
  const bob = colleague(world);
  await bob.mergesByHand(branch, "main");
  await bob.deletes(branch);
  const merged = await shows(world, id, ({ state }) => state === "merged");
  expect(merged.pull_request).toMatchObject({
    state: "merged",
    number: 1,
    tried: [{ by: "person" }, { by: "person" }],
  });
  expect(
    (await product.tazuna(["clean", "--yes", "--json"])).json<{ removed: { id: string }[] }>().removed,
  ).toMatchObject([{ id }]);
  expect([await branchAt(product, product.repository, branch), await Bun.file(worktree).exists()]).toEqual([
    null,
    false,
  ]);
});

test("seed 003 Clean-up: a branch stays as long as an open pull request points at it (departs: the worktree may go then, and stays until asked)", async () => {
  await using world = await forgeWorld();
  const { product, github } = world;
  const { id, branch } = await started(world);
  await pr(world, id);
  await product.tazuna(["cancel", id]);
  await shows(world, id, ({ state }) => state === "removed");
  expect(await branchAt(product, product.repository, branch)).toBe(await world.headOf(branch));
  expect(github.pulls).toMatchObject([{ state: "open" }]);
  // Once it is closed there, the branch may go as the cancel asked; the one of the remote stays.
  await colleague(world).edits(1, { state: "closed" });
  await waitFor("the branch to be gone", async () => !(await branchAt(product, product.repository, branch)));
  expect(await world.headOf(branch)).not.toBeNull();
});

test(deep("the loop sends what failed by itself, as often as allowed, and then rests"), async () => {
  await using world = await forgeWorld();
  const { github } = world;
  await world.configure({ fix_loop: { enabled: true, attempts: 1 } });
  const { id, branch } = await started(world);
  await pr(world, id);
  await world.attend();
  /** CI fails on whatever is pushed. */
  const failing = setInterval(async () => {
    const head = await world.headOf(branch);
    if (head !== null && !github.checks.has(head))
      github.checks.set(head, [
        { id: github.checks.size + 1, name: "ci", conclusion: "failure", output: "red" },
      ]);
  }, 100);
  try {
    const done = await shows(
      world,
      id,
      ({ runs }) => runs.length === 2 && runs.every(({ ended_at }) => ended_at !== null),
    );
    const head = await world.headOf(branch);
    await shows(
      world,
      id,
      ({ pull_request }) => pull_request?.head_commit === head && pull_request?.failed_checks.length === 1,
    );
    const looks = github.requests.length;
    await waitFor("two more looks", () => github.requests.length > looks + 12, { withinMs: 120_000 });
    const after = await show(world, id);
    expect(after.runs).toHaveLength(done.runs.length);
    expect(after.pull_request?.tried.map(({ by, checks }) => [by, checks])).toEqual([["loop", ["ci"]]]);
    expect(after.pull_request?.tried[0]?.head).not.toBe(head);
  } finally {
    clearInterval(failing);
  }
});

test(
  deep("a webhook with the secret makes the engine look; without one, or a wrong one, it is refused"),
  async () => {
    await using world = await forgeWorld({ env: { TAZUNA_WEBHOOK_SECRET: "a secret of ours" } });
    const { product } = world;
    await world.configure({ poll_s: 3600 });
    const { id } = await started(world);
    await pr(world, id);
    const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as { url: string };
    const body = JSON.stringify({ repository: { full_name: "ann/garden" } });
    const call = async (headers: Record<string, string>) =>
      (
        await fetch(`${url}/api/v1/webhooks/forge`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json", ...headers },
        })
      ).status;
    const mac = (secret: string) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const right = { "x-hub-signature-256": mac("a secret of ours") };
    expect(await call(right)).toBe(403);
    await world.configure({ poll_s: 3600, webhook_secret_env: "TAZUNA_WEBHOOK_SECRET" });
    expect([
      await call({}),
      await call({ "x-hub-signature-256": mac("another") }),
      await call({ "x-gitlab-token": "no" }),
    ]).toEqual([403, 403, 403]);
    await shows(world, id, ({ pull_request }) => pull_request?.head_commit !== null);
    await colleague(world).edits(1, { title: "Renamed there" });
    expect(await call(right)).toBe(200);
    await shows(world, id, ({ pull_request }) => pull_request?.title === "Renamed there");
  },
);

test(
  deep(
    "what a colleague does there is seen and left alone: pushes, a forced push, another base, a renamed branch",
  ),
  async () => {
    await using world = await forgeWorld();
    const { product, github } = world;
    const bob = colleague(world);
    const { id, branch } = await started(world);
    await pr(world, id);
    await world.attend();
    const seen = (head: string | null) =>
      shows(world, id, ({ pull_request }) => pull_request?.head_commit === head);
    // "Update branch": the follow-up takes it along.
    await product.sandbox.commitTo(world.bare, "main", { "theirs.txt": "theirs\n" });
    await bob.updatesBranch(1);
    await seen(await world.headOf(branch));
    expect((await ask(product, ["continue", id, "Go on"])).run.outcome).toBe("pushed");
    const paths = await product.sandbox.git(world.bare, ["ls-tree", "--name-only", branch]);
    expect(paths.split("\n")).toContain("theirs.txt");
    // A forced push is neither undone nor overwritten.
    const forced = await bob.forces(branch, "main");
    await seen(forced);
    expect((await product.tazuna(["pr", id])).code).toBe(0);
    expect(await world.headOf(branch)).toBe(forced);
    // It goes to another base. Renaming its branch closes it, and nothing of Tazuna opens it or another one.
    await product.sandbox.git(world.bare, ["branch", "release", "main"]);
    await bob.edits(1, { base: "release" });
    await shows(world, id, ({ pull_request }) => pull_request?.base === "release");
    await bob.renames(branch, "renamed");
    const after = await shows(world, id, ({ pull_request }) => pull_request?.state === "closed");
    expect(after.pull_request).toMatchObject({ number: 1, base: "release" });
    expect((await refused(product, ["pr", id])).error.code).toBe("not_pushed");
    expect([await world.headOf(branch), await world.headOf("renamed")]).toEqual([null, forced]);
    expect(github.pulls).toHaveLength(1);
  },
);
