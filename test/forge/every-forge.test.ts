/** Tells what the port promises of a pull request, on each forge that is played: over HTTP, with real branches. */
import { describe, expect, test } from "bun:test";
import { PLAYED, PLAYED_KINDS } from "../helpers/forges/played-forges.ts";
import { bad, good, NEW, portWorld, WORK } from "../helpers/forges/port-world.ts";

describe.each(PLAYED_KINDS)("%s", (kind) => {
  test("a pull request is made with its words, found by its branch, and read again", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    expect(await good(port.find(WORK))).toBeNull();
    const made = await good(port.create(NEW));
    expect(made).toEqual({
      number: 1,
      url: PLAYED[kind].page(1),
      state: "open",
      draft: false,
      title: "Say hello",
      body: "Said hello.",
      head: { branch: "work", sha: await world.head(), owner: "ann" },
      base: { branch: "main" },
      mergeable: true,
      mergeBlock: null,
      mergeCommit: null,
      author: "ann",
      updatedAt: expect.stringMatching(/^2026-01-01T/),
    });
    expect(await good(port.find(WORK))).toEqual(made);
    expect(await good(port.read(1))).toEqual(made);
    expect(await good(port.find({ fork: null, branch: "other" }))).toBeNull();
    expect(small.pulls).toMatchObject([
      { title: "Say hello", body: "Said hello.", head: "work", base: "main" },
    ]);
  });

  test("a draft is told by the title there and by a mark here, and becomes ready and a draft again", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    expect(await good(port.create({ ...NEW, draft: true }))).toMatchObject({
      draft: true,
      title: "Say hello",
      mergeBlock: kind === "gitlab" ? "draft_status" : "draft",
    });
    expect(await good(port.update(1, { draft: false }))).toMatchObject({ draft: false, title: "Say hello" });
    expect(await good(port.update(1, { title: "Mine" }))).toMatchObject({ draft: false, title: "Mine" });
    expect(await good(port.update(1, { draft: true, body: "Text" }))).toMatchObject({
      draft: true,
      title: "Mine",
      body: "Text",
    });
    // A title that changes does not make a draft ready.
    expect(await good(port.update(1, { title: "Yours" }))).toMatchObject({ draft: true, title: "Yours" });
    expect(small.pulls).toMatchObject([{ draft: true, title: "Yours", body: "Text" }]);
  });

  test("one that is there, or whose answer was lost, is the answer: never a second one", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    small.lost = (asked) => (asked.startsWith("POST") ? "drop" : null);
    expect(await good(port.create(NEW))).toMatchObject({ number: 1 });
    small.lost = () => null;
    expect(await good(port.create({ ...NEW, title: "Again" }))).toMatchObject({
      number: 1,
      title: "Say hello",
    });
    expect(small.pulls).toHaveLength(1);
    // To another base it is another one.
    await world.sandbox.git(world.bare, ["branch", "release", "main"]);
    expect(await good(port.create({ ...NEW, base: "release" }))).toMatchObject({ number: 2 });
  });

  test("one that ended is found as long as none is open, also if its branch is gone", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    await good(port.create(NEW));
    const sha = await world.head();
    Object.assign(small.pulls[0] ?? {}, { state: "closed" });
    expect(await good(port.find(WORK))).toMatchObject({ number: 1, state: "closed", mergeable: null });
    await world.sandbox.git(world.bare, ["branch", "-D", "work"]);
    expect(await good(port.find(WORK))).toMatchObject({ number: 1, head: { branch: "work", sha } });
    await world.sandbox.git(world.bare, ["branch", "work", sha]);
    expect(await good(port.create(NEW))).toMatchObject({ number: 2, state: "open" });
    expect(await good(port.find(WORK))).toMatchObject({ number: 2 });
  });

  test("it merges the commit that is named, once, and tells where it went", async () => {
    await using world = await portWorld(kind);
    const { port, small, bare, sandbox } = world;
    await good(port.create(NEW));
    const sha = await world.head();
    const moved = await bad(port.merge(1, { sha: "f".repeat(40), squash: false, title: null }));
    expect([moved.code, moved.transient]).toEqual(["forge_conflict", false]);
    small.protection = kind === "gitlab" ? "ci_must_pass" : "Not all required checks are successful";
    const refused = await bad(port.merge(1, { sha, squash: false, title: null }));
    expect([refused.code, refused.message]).toEqual([
      "forge_refused",
      expect.stringContaining(small.protection),
    ]);
    small.protection = null;
    small.lost = (asked) => (asked.endsWith("/merge") ? "drop" : null);
    const { commit } = await good(port.merge(1, { sha, squash: false, title: null }));
    expect(commit).toBe(await sandbox.git(bare, ["rev-parse", "main"]));
    expect(await sandbox.git(bare, ["rev-parse", `${commit}^2`])).toBe(sha);
    // Merged already is success.
    small.lost = () => null;
    expect(await good(port.merge(1, { sha, squash: false, title: null }))).toEqual({ commit });
    expect(await good(port.read(1))).toMatchObject({ state: "merged", mergeCommit: commit, head: { sha } });
  });

  test("it squashes if that is asked for", async () => {
    await using world = await portWorld(kind);
    const { port, bare, sandbox } = world;
    await good(port.create(NEW));
    const options = { sha: await world.head(), squash: true, title: "One commit" };
    const { commit } = await good(port.merge(1, options));
    expect(await sandbox.git(bare, ["rev-list", "--count", `${commit}`])).toBe("2");
  });

  test("a base that moved into a conflict is refused, and nothing is merged", async () => {
    await using world = await portWorld(kind);
    const { port, bare, sandbox } = world;
    await good(port.create(NEW));
    const main = await sandbox.commitTo(bare, "main", { "work.txt": "theirs\n" });
    const { code } = await bad(port.merge(1, { sha: await world.head(), squash: false, title: null }));
    expect(code).toBe(kind === "gitlab" ? "forge_refused" : "forge_conflict");
    expect(await sandbox.git(bare, ["rev-parse", "main"])).toBe(main);
  });

  test("comments are threads by line, and ours is said once, in its place", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    await good(port.create(NEW));
    expect(await good(port.threads(1))).toEqual([]);
    small.comments.push({ id: 9, body: "Why hello?", path: "work.txt", line: 1 });
    const thread = PLAYED[kind].thread(9);
    const [shown] = await good(port.threads(1));
    expect(shown).toMatchObject({ id: thread, path: "work.txt", line: 1, side: "new", resolved: false });
    expect(shown?.outdated).toBe(false);
    expect(shown?.comments).toMatchObject([{ author: "bob", body: "Why hello?", ours: false }]);
    small.lost = (asked) => (asked.startsWith("POST") ? "drop" : null);
    await good(port.comment(1, { body: "Done.", thread }));
    await good(port.comment(1, { body: "On the whole", thread: null }));
    small.lost = () => null;
    await good(port.comment(1, { body: "Done.", thread }));
    await good(port.comment(1, { body: "On the whole", thread: null }));
    const after = await good(port.threads(1));
    expect(after.find(({ id }) => id === thread)?.comments).toMatchObject([
      { ours: false },
      { ours: true, body: "Done." },
    ]);
    const ours = after.flatMap(({ comments }) => comments).filter((one) => one.ours);
    expect(ours.map(({ body }) => body)).toEqual(["Done.", "On the whole"]);
  });

  test("checks tell how they stand, and a failed one gives the end of its log", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    const pull = await good(port.create(NEW));
    expect(await good(port.checks(pull))).toEqual([]);
    small.checks.set(pull.head.sha, [
      { id: 1, name: "lint", conclusion: "success", output: "" },
      { id: 2, name: "test", conclusion: "failure", output: "expected 1, got 2" },
      { id: 3, name: "build", conclusion: null, output: "" },
    ]);
    const checks = await good(port.checks(pull));
    expect(new Map(checks.map(({ name, state }) => [name, state]))).toEqual(
      new Map([
        ["lint", "passed"],
        ["test", "failed"],
        ["build", "pending"],
      ]),
    );
    const failed = checks.find(({ name }) => name === "test");
    expect(failed?.url).toStartWith("http");
    if (failed === undefined) throw new Error("no failed check");
    expect((await good(port.checkLog(failed)))?.trim()).toBe("expected 1, got 2");
  });

  test("a repository that was renamed or moved is read, written and merged under its old name", async () => {
    await using world = await portWorld(kind);
    const { small } = world;
    small.path = "bert/meadow";
    small.oldPaths.push("ann/garden");
    const port = await world.open();
    expect(await good(port.find(WORK))).toBeNull();
    expect(await good(port.create({ ...NEW, draft: true }))).toMatchObject({ number: 1, draft: true });
    expect(await good(port.update(1, { draft: false }))).toMatchObject({ draft: false });
    await good(port.comment(1, { body: "Hello", thread: null }));
    expect(await good(port.find(WORK))).toMatchObject({ number: 1 });
    await good(port.merge(1, { sha: await world.head(), squash: false, title: null }));
    expect(small.pulls).toMatchObject([{ number: 1, merged: true }]);
  });

  test("a branch of a fork is opened from there, and told from one of the same name here", async () => {
    await using world = await portWorld(kind);
    const { port } = world;
    const fork = { fork: { owner: "bob", name: "garden" }, branch: "work" };
    const made = await good(port.create({ ...NEW, head: fork }));
    expect(made).toMatchObject({ number: 1, head: { branch: "work", owner: "bob" } });
    expect(await good(port.find(fork))).toMatchObject({ number: 1 });
    expect(await good(port.find(WORK))).toBeNull();
  });

  test("lists of more than one page are read to their end", async () => {
    await using world = await portWorld(kind);
    const { port, small } = world;
    const pull = await good(port.create(NEW));
    const others = Array.from({ length: 120 }, (_, at) => ({
      ...small.pulls[0],
      number: at + 2,
      head: `b${at}`,
    }));
    small.pulls.push(...(others as typeof small.pulls));
    expect(await good(port.find(WORK))).toMatchObject({ number: 1 });
    const checks = Array.from({ length: 120 }, (_, at) => ({
      id: at + 1,
      name: `job ${at}`,
      conclusion: "success" as const,
      output: "",
    }));
    small.checks.set(pull.head.sha, checks);
    expect(await good(port.checks(pull))).toHaveLength(120);
    small.comments.push(
      ...checks.slice(0, 60).map(({ id, name }) => ({ id, body: name, path: "work.txt", line: id })),
    );
    expect(await good(port.threads(1))).toHaveLength(60);
  });
});
