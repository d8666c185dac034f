/** Tells what only GitLab does: words that are commands, its states, pipelines, positions and conditional answers. */
import { describe, expect, test } from "bun:test";
import { withoutMark } from "../../src/forge/gitlab/draft-title.ts";
import { asWritten, withoutActions } from "../../src/forge/gitlab/quick-actions.ts";
import { bad, good, NEW, portWorld } from "../helpers/forges/port-world.ts";

describe("words that GitLab would obey", () => {
  const text = "Done.\n/merge\n  /approve now\n/label ~bug\n\\/close\n/usr/bin is a path\nand/or\n/ alone\n";

  test("are shown, and are no commands", async () => {
    const safe = withoutActions(text);
    expect(safe.split("\n").filter((line) => /^\s*\/[a-z_]/i.test(line))).toEqual([]);
    expect(asWritten(safe)).toBe(text);
    await using world = await portWorld("gitlab");
    const { port, small } = world;
    expect(await good(port.create({ ...NEW, body: text }))).toMatchObject({ body: text, state: "open" });
    expect(await good(port.update(1, { body: `${text}!` }))).toMatchObject({ body: `${text}!` });
    await good(port.comment(1, { body: text, thread: null }));
    expect(small.notes[0]?.body).toContain("\\/merge");
    // It is known as ours again, with the words as they were.
    await good(port.comment(1, { body: text, thread: null }));
    expect(small.notes).toHaveLength(1);
  });

  test("are all lines of that form, whatever stands in front of them", () => {
    for (const line of ["/merge", "\t/merge", "\\/merge", "\\\\/merge", "/MERGE", "/_x"])
      expect([withoutActions(line).trimStart()[0], asWritten(withoutActions(line))]).toEqual(["\\", line]);
    for (const line of ["a /merge", "/1", "//", "http://x"]) expect(withoutActions(line)).toBe(line);
  });
});

test("every mark of a draft is taken from a title, and nothing else", () => {
  for (const title of ["Draft: Hello", "[Draft] Hello", "(draft) Draft:  Hello", "WIP: Hello", "draft:Hello"])
    expect(withoutMark(title)).toBe("Hello");
  expect(withoutMark("Draft a letter")).toBe("Draft a letter");
});

describe("a merge request", () => {
  test.each([
    [{ merge_status: "checking", detailed_merge_status: "checking" }, null, null],
    [{ merge_status: "can_be_merged", detailed_merge_status: "not_approved" }, true, "not_approved"],
    [{ merge_status: "can_be_merged", detailed_merge_status: "ci_still_running" }, true, "ci_still_running"],
    [
      { merge_status: "cannot_be_merged", has_conflicts: true, detailed_merge_status: "conflict" },
      false,
      "conflict",
    ],
    [{ merge_status: "cannot_be_merged_recheck", detailed_merge_status: "unchecked" }, null, null],
    [{ state: "locked", detailed_merge_status: "not_open" }, true, "not_open"],
  ])("is told as %j", async (shown, mergeable, mergeBlock) => {
    await using world = await portWorld("gitlab");
    await good(world.port.create(NEW));
    world.small.shown = shown;
    expect(await good(world.port.read(1))).toMatchObject({ state: "open", mergeable, mergeBlock });
  });

  test("of a fork that is gone or hidden is still read", async () => {
    await using world = await portWorld("gitlab");
    await good(world.port.create(NEW));
    world.small.shown = { source_project_id: null };
    expect((await good(world.port.read(1))).head.owner).toBeNull();
    world.small.shown = { source_project_id: 99 };
    expect((await good(world.port.read(1))).head.owner).toBeNull();
  });

  test("in groups within groups is found by its whole path", async () => {
    await using world = await portWorld("gitlab");
    world.small.path = "ann/beds/spring/garden";
    const repository = { owner: "ann/beds/spring", name: "garden" };
    const port = await world.open({ repository });
    expect((await good(port.create(NEW))).head.owner).toBe("ann/beds/spring");
    expect(world.small.requests[0]).toBe("GET /api/v4/projects/ann%2Fbeds%2Fspring%2Fgarden");
  });

  test("that did not change is confirmed, and not sent again", async () => {
    await using world = await portWorld("gitlab");
    const { port, small } = world;
    await good(port.create(NEW));
    const first = await good(port.read(1));
    const before = small.unchanged;
    expect(await good(port.read(1))).toEqual(first);
    expect(small.unchanged).toBe(before + 1);
  });

  test("whose login may not merge is told as that, and not as a bad token", async () => {
    await using world = await portWorld("gitlab");
    const { port, small } = world;
    await good(port.create(NEW));
    small.trouble = (asked) =>
      asked.endsWith("/merge") ? { status: 401, data: { message: "401 Unauthorized" } } : null;
    const merge = async () => bad(port.merge(1, { sha: await world.head(), squash: false, title: null }));
    expect(await merge()).toMatchObject({
      code: "forge_forbidden",
      message: expect.stringContaining("not merge"),
    });
    small.trouble = () => ({ status: 401, data: { message: "401 Unauthorized" } });
    expect(await merge()).toMatchObject({ code: "forge_auth" });
  });

  test("that is not merged after all is refused in GitLab's words, also if the status is 200", async () => {
    await using world = await portWorld("gitlab");
    const { port, small } = world;
    const pull = await good(port.create(NEW));
    const options = { sha: pull.head.sha, squash: false, title: null };
    const shown = {
      iid: 1,
      state: "opened",
      source_branch: "work",
      target_branch: "main",
      source_project_id: 7,
      web_url: pull.url,
      draft: false,
      title: pull.title,
      description: null,
      sha: pull.head.sha,
      author: null,
      updated_at: pull.updatedAt,
      merge_status: "can_be_merged",
      merge_error: "Something went wrong during merge",
    };
    small.trouble = (asked) => (asked.endsWith("/merge") ? { status: 200, data: shown } : null);
    expect(await bad(port.merge(1, options))).toMatchObject({
      code: "forge_refused",
      message: "GitLab did not merge !1: Something went wrong during merge.",
      transient: false,
    });
    // What GitLab still finds out may be asked for again.
    small.trouble = (asked) =>
      asked.endsWith("/merge") ? { status: 405, data: { message: "405 No" } } : null;
    small.shown = { detailed_merge_status: "checking" };
    expect(await bad(port.merge(1, options))).toMatchObject({ code: "forge_refused", transient: true });
  });
});

test("checks are jobs of the pipeline, of pipelines that it started, and of other CI, each once", async () => {
  await using world = await portWorld("gitlab");
  const { port, small } = world;
  const pull = await good(port.create(NEW));
  const check = (id: number, name: string, conclusion: "success" | "failure") =>
    ({ id, name, conclusion, output: `log of ${name}` }) as const;
  small.checks.set(pull.head.sha, [check(1, "test", "failure"), check(4, "test", "success")]);
  small.downstream.set(30, check(3, "smoke", "failure"));
  small.statuses.set(pull.head.sha, [check(2, "jenkins", "failure"), check(9, "test", "failure")]);
  const checks = await good(port.checks(pull));
  const told = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
  expect(told).toEqual({
    test: "passed",
    "deploy 30": "failed",
    "deploy 30 / smoke": "failed",
    jenkins: "failed",
  });
  const logOf = async (name: string) => {
    const one = checks.find((each) => each.name === name);
    return one === undefined ? null : good(port.checkLog(one));
  };
  expect((await logOf("deploy 30 / smoke"))?.trim()).toBe("log of smoke");
  expect(await logOf("jenkins")).toBe("log of jenkins");
  // A job that started a pipeline has no log of its own.
  expect(await logOf("deploy 30")).toBe("script_failure");
  // A pipeline whose jobs this login may not see is one check.
  small.trouble = (asked) =>
    asked.includes("/pipelines/") ? { status: 403, data: { message: "403 Forbidden" } } : null;
  expect((await good(port.checks(pull))).map(({ name, state }) => [name, state])).toContainEqual([
    "pipeline",
    "failed",
  ]);
});

test("discussions tell their line before and after, whether they are outdated, and leave out GitLab's own words", async () => {
  await using world = await portWorld("gitlab");
  const { port, small } = world;
  await good(port.create(NEW));
  small.notes.push(
    { id: 1, body: "changed the title", discussion: null, system: true },
    { id: 2, body: "On a line that went", discussion: "b1", on: { path: "old.txt", line: -3 } },
    { id: 3, body: "Done already", discussion: "b2", resolved: true, on: { path: "a.txt", line: 4 } },
    {
      id: 4,
      body: "Of an older commit",
      discussion: "b3",
      on: { path: "a.txt", line: 5, sha: "0".repeat(40) },
    },
    { id: 5, body: "Looks fine", discussion: null },
  );
  const threads = await good(port.threads(1));
  expect(threads).toMatchObject([
    { id: "discussion:b1", path: "old.txt", line: 3, side: "old", resolved: false, outdated: false },
    { id: "discussion:b2", path: "a.txt", line: 4, side: "new", resolved: true },
    { id: "discussion:b3", path: "a.txt", line: 5, outdated: true },
    { id: "note:5", path: null, line: null, resolved: null },
  ]);
});

test("a limit parks the login until its end, and the token goes as GitLab takes it", async () => {
  await using world = await portWorld("gitlab");
  const { port, small } = world;
  small.limitedUntil = Date.now() + 60_000;
  const limited = await bad(port.read(1));
  expect([limited.code, Date.parse(limited.resumeAt ?? "")]).toEqual(["rate_limited", expect.any(Number)]);
  expect(Math.abs(Date.parse(limited.resumeAt ?? "") - small.limitedUntil)).toBeLessThan(3_000);
  expect((await bad(port.read(1))).code).toBe("rate_limited");
  expect(small.knocks).toBe(1);
  expect(small.lastHeaders.authorization).toStartWith("Bearer glpat-");
});
