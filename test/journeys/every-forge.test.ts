/** Walks one story on every forge: from a draft to a merge, with a review, a failed check and a colleague. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MergeDocument } from "../../src/contract/endpoints/landing.ts";
import type { PullRequestDocument } from "../../src/contract/pull-request-document.ts";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { PLAYED_KINDS } from "../helpers/forges/played-forges.ts";
import { EVERY_KIND, type ProductWorld, productWorld } from "../helpers/forges/product-world.ts";
import { http } from "../helpers/http.ts";
import { ask, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { storedText } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const started = async ({ product }: ProductWorld) =>
  (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;

/** What `show` says of the pull request, once it is so. */
const shows = ({ product }: ProductWorld, id: string, is: (attempt: AttemptAlone) => boolean) =>
  waitFor(
    "the pull request to be so",
    async () => {
      const attempt = (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();
      return is(attempt) && attempt;
    },
    { withinMs: 120_000 },
  );

const pr = async ({ product }: ProductWorld, id: string, ...more: string[]) =>
  (await product.tazuna(["pr", id, ...more, "--json"])).json<{ pull_request: unknown }>();

describe.each(EVERY_KIND)("%s", (kind) => {
  test(
    deep("a draft, a colleague's title, a review and a failed check that the agent gets, and the merge"),
    async () => {
      await using world = await productWorld(kind);
      const { product, forge } = world;
      const { id, branch } = await started(world);
      expect(await pr(world, id, "--draft")).toEqual({
        pull_request: {
          number: 1,
          url: world.page(1),
          state: "open",
          head: branch,
          base: "main",
          draft: true,
        },
      });
      const [pull] = forge.pulls;
      if (pull === undefined) throw new Error("no pull request");
      expect(pull).toMatchObject({ title: "Say hello", draft: true, head: branch, base: "main" });
      expect(pull.body).toStartWith("Said hello.");
      // A second one makes it ready; the colleague's title stays.
      pull.title = "Say hello to everybody";
      expect(await pr(world, id)).toMatchObject({ pull_request: { number: 1, draft: false } });
      expect(forge.pulls).toMatchObject([{ title: "Say hello to everybody", draft: false }]);
      await world.attend();
      const head = (await world.headOf(branch)) ?? "";
      forge.checks.set(head, [{ id: 5, name: "ci", conclusion: "failure", output: "expected 1, got 2" }]);
      forge.comments.push({ id: 9, body: "Why hello?", path: "hello.txt", line: 1 });
      await shows(world, id, (one) => one.pull_request?.failed_checks[0] === "ci");
      const named = ["continue", id, "--from-review", world.thread(9)];
      const sent = await ask(product, ["continue", id, "--from-review", "--from-checks"]);
      expect(sent.run.outcome).toBe("pushed");
      for (const words of ["hello.txt:1", "> Why hello?", "> expected 1, got 2"])
        expect(sent.run.instruction).toContain(words);
      expect((await refused(product, ["continue", id, "--from-review"])).error.code).toBe("nothing_new");
      expect((await ask(product, named)).run.outcome).toBe("pushed");
      // An answer of a person goes to its thread, marked as Tazuna's, once.
      const reply = ["pr", id, "--reply", "Because it greets.", "--thread", world.thread(9), "--json"];
      for (const end of [await product.tazuna(reply), await product.tazuna(reply)]) expect(end.code).toBe(0);
      const { body: seen } = await http<PullRequestDocument>(product, `GET /pull-requests/${id}`);
      const thread = seen.threads.find((one) => one.id === world.thread(9));
      expect(thread?.comments.filter(({ ours }) => ours)).toMatchObject([{ body: "Because it greets." }]);
      await shows(world, id, (one) => one.pull_request?.open_threads.length === 0);
      const merged = await product.tazuna(["merge", id, "--json"]);
      expect([merged.code, merged.json<{ merge: MergeDocument }>().merge]).toMatchObject([
        0,
        { target: "main", by: "forge", commit: (await world.headOf("main")) ?? "" },
      ]);
      expect(forge.pulls).toMatchObject([{ state: "closed", merged: true }]);
      await shows(
        world,
        id,
        ({ state, pull_request }) => state === "merged" && pull_request?.state === "merged",
      );
      // The token is in no file of the data folder.
      const log = await readFile(join(product.home, "server.log"), "utf8").catch(() => "");
      const database = storedText(product.home);
      expect([log.includes(world.token), database.includes(world.token)]).toEqual([false, false]);
    },
  );
});

/** What `crash/pull-request-killed.test.ts` tells of GitHub. */
describe.each(PLAYED_KINDS)("%s", (kind) => {
  test(deep("an engine that is killed between the making and its record ends with one"), async () => {
    await using world = await productWorld(kind);
    const { product, forge } = world;
    const { id } = await started(world);
    await product.killEngine();
    const point = "after:pull_request_create";
    const reached = join(product.home, "reached");
    await product.tazuna(["pr", id, "--title", "Mine"], {
      env: { TAZUNA_FAILPOINT: `${point}@${reached}` },
    });
    expect(await Bun.file(reached).exists()).toBe(true);
    await shows(world, id, ({ pull_request }) => pull_request?.number === 1 && !pull_request.waits);
    expect((await product.tazuna(["pr", id])).code).toBe(0);
    expect(forge.pulls).toMatchObject([{ number: 1, title: "Mine", state: "open" }]);
  });
});

/** What `pull-requests.test.ts` tells of GitHub. */
describe.each(PLAYED_KINDS)(deep("%s"), (kind) => {
  test("what people do there stays: one that was closed, one that was opened by hand, one that was merged by hand", async () => {
    await using world = await productWorld(kind);
    const { product, forge } = world;
    const { id, branch } = await started(world);
    await pr(world, id);
    const [mine] = forge.pulls;
    if (mine === undefined) throw new Error("no pull request");
    mine.state = "closed";
    const theirs = {
      ...mine,
      number: 2,
      state: "open",
      title: "Theirs",
      body: "By hand",
      draft: true,
    } as const;
    forge.pulls.push({ ...theirs });
    expect(await pr(world, id)).toMatchObject({ pull_request: { number: 2, head: branch, draft: true } });
    expect(forge.pulls).toMatchObject([{ title: "Say hello", state: "closed" }, theirs]);
    expect((await product.tazuna(["activity", id, "--json"])).stdout).toContain("pull_request_link");
    await world.attend();
    await product.sandbox.git(world.bare, ["update-ref", "refs/heads/main", `refs/heads/${branch}`]);
    Object.assign(forge.pulls[1] ?? {}, { state: "closed", merged: true });
    await shows(world, id, ({ state, pull_request }) => state === "merged" && pull_request?.number === 2);
    const cleaned = await product.tazuna(["clean", "--yes", "--json"]);
    expect(cleaned.json<{ removed: { id: string }[] }>().removed).toMatchObject([{ id }]);
  });

  test("a branch that was deleted there is pushed first; a limit and a bad login are told, and what is wanted comes later", async () => {
    await using world = await productWorld(kind);
    const { product, forge } = world;
    // The forge is named only after the engine has begun.
    await product.configure({ forge: {} });
    const { id, branch } = await started(world);
    expect((await refused(product, ["pr", id])).error.code).toBe("no_forge");
    await world.configure({});
    await product.sandbox.git(world.bare, ["branch", "-D", branch]);
    expect((await refused(product, ["pr", id])).error.code).toBe("not_pushed");
    expect((await product.tazuna(["publish", id])).code).toBe(0);
    for (const [status, code] of [
      [401, "forge_auth"],
      [403, "forge_forbidden"],
      [404, "forge_not_found"],
      [422, "forge_refused"],
    ] as const) {
      forge.status = status;
      const { error } = await refused(product, ["pr", id]);
      expect(error.code).toBe(code);
      expect(error.remedy).toContain("tazuna");
    }
    forge.status = null;
    expect(forge.pulls).toEqual([]);
    forge.limitsNext = 4_000;
    const { error } = await refused(product, ["pr", id, "--title", "Later"]);
    expect(error.code).toBe("rate_limited");
    await shows(world, id, ({ pull_request }) => pull_request?.number === 1);
    expect(forge.knocks).toBe(1);
    expect(forge.pulls).toMatchObject([{ title: "Later", state: "open" }]);
  });

  test("a call that proves to know the secret, as this forge does, makes the engine look", async () => {
    const secret = "a secret of ours";
    await using world = await productWorld(kind, { env: { TAZUNA_WEBHOOK_SECRET: secret } });
    const { product, forge } = world;
    await world.configure({ poll_s: 3600, webhook_secret_env: "TAZUNA_WEBHOOK_SECRET" });
    const { id } = await started(world);
    await pr(world, id);
    const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as { url: string };
    const name = "ann/garden";
    const body = JSON.stringify({ repository: { full_name: name }, project: { path_with_namespace: name } });
    const call = async (headers: Record<string, string>) => {
      const json = { "content-type": "application/json", ...headers };
      return (await fetch(`${url}/api/v1/webhooks/forge`, { method: "POST", body, headers: json })).status;
    };
    const proof = (key: string): Record<string, string> =>
      kind === "gitlab"
        ? { "x-gitlab-token": key }
        : { "x-gitea-signature": createHmac("sha256", key).update(body).digest("hex") };
    await shows(world, id, ({ pull_request }) => pull_request?.head_commit !== null);
    Object.assign(forge.pulls[0] ?? {}, { title: "Renamed there" });
    expect([await call(proof("another")), await call(proof(secret))]).toEqual([403, 200]);
    await shows(world, id, ({ pull_request }) => pull_request?.title === "Renamed there");
  });
});
