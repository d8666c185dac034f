/** Holds the adapter for GitHub to GitHub's own descriptions, call by call. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { BRANCH, type ForgeAlone, forgeAlone, HEAD, REQUEST } from "../helpers/github/forge-alone.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";

setDefaultTimeout(PATIENCE_MS);

/** What is checked: the head of the pull request. */
const at = (sha: string) => ({ number: 1, head: { branch: BRANCH, sha, owner: "ann" } });

const tip = async ({ git }: ForgeAlone) => git("rev-parse", BRANCH);

test("a pull request is made, found, read, changed, marked as a draft and merged", async () => {
  await using alone = await forgeAlone();
  const { forge, github } = alone;
  const sha = await tip(alone);
  expect((await forge.find(HEAD))._unsafeUnwrap()).toBeNull();
  expect((await forge.create(REQUEST))._unsafeUnwrap()).toMatchObject({
    number: 1,
    state: "open",
    draft: false,
    title: "Words",
    head: { branch: BRANCH, sha, owner: "ann" },
    base: { branch: "main" },
    author: "ann",
  });
  // GitHub tries the merge only if it was asked.
  expect((await forge.read(1))._unsafeUnwrap()).toMatchObject({ mergeable: null, mergeBlock: null });
  expect((await forge.find(HEAD))._unsafeUnwrap()).toMatchObject({ number: 1, mergeable: true });
  const changed = await forge.update(1, { title: "Other words", body: "", draft: true });
  expect(changed._unsafeUnwrap()).toMatchObject({ title: "Other words", draft: true, mergeBlock: "draft" });
  expect((await forge.merge(1, { sha, squash: false, title: null }))._unsafeUnwrapErr().message).toContain(
    "still a draft",
  );
  expect((await forge.update(1, { draft: false }))._unsafeUnwrap()).toMatchObject({ draft: false });
  const merged = (await forge.merge(1, { sha, squash: true, title: "Mine" }))._unsafeUnwrap();
  expect(merged.commit).toBe(await alone.git("rev-parse", "main"));
  expect((await forge.read(1))._unsafeUnwrap()).toMatchObject({
    state: "merged",
    mergeCommit: merged.commit,
  });
  // Once more is success too.
  expect((await forge.merge(1, { sha, squash: true, title: "Mine" }))._unsafeUnwrap()).toEqual(merged);
  expect(github.pulls).toHaveLength(1);
});

test("checks are those of both kinds, the newest of each name; logs come from another host, without the token", async () => {
  await using alone = await forgeAlone();
  const { forge, github } = alone;
  const sha = await tip(alone);
  const run = { conclusion: "failure", output: "red" } as const;
  github.checks.set(sha, [
    { id: 1, name: "ci", ...run, conclusion: "success" },
    { id: 3, name: "ci", ...run, log: "line one\nline two\n" },
    { id: 2, name: "lint", ...run, conclusion: null },
    // More than one page.
    ...Array.from({ length: 120 }, (_, n) => ({ id: 100 + n, name: `job ${n}`, ...run })),
  ]);
  const status = { description: null, state: "success" } as const;
  github.statuses.set(sha, [
    { id: 8, context: "old ci", ...status },
    { id: 7, context: "old ci", ...status, state: "error" },
  ]);
  const checks = (await forge.checks(at(sha)))._unsafeUnwrap();
  expect(checks).toHaveLength(2 + 120 + 1);
  const byName = new Map(checks.map((check) => [check.name, check]));
  expect(["ci", "lint", "old ci"].map((name) => byName.get(name)?.state)).toEqual([
    "failed",
    "pending",
    "passed",
  ]);
  const ci = byName.get("ci");
  const other = byName.get("job 7");
  if (ci === undefined || other === undefined) throw new Error("no check");
  expect((await forge.checkLog(ci))._unsafeUnwrap()).toBe("line one\nline two\n");
  expect((await forge.checkLog(other))._unsafeUnwrap()).toBe("red");
});

test("threads are read over all pages, with what is resolved; an answer is written once", async () => {
  await using alone = await forgeAlone();
  const { forge, github } = alone;
  await forge.create(REQUEST);
  for (let id = 1; id <= 130; id += 1)
    github.comments.push({ id, body: `Comment ${id}`, path: "work.txt", line: 1, resolved: id === 129 });
  github.comments.push({ id: 500, body: "An answer", path: "work.txt", line: 1, answers: 130 });
  github.reviews.push({ id: 1, body: "On the whole" }, { id: 2, body: "" });
  github.conversation.push({ id: 1, body: "By the way" });
  const threads = (await forge.threads(1))._unsafeUnwrap();
  expect(threads).toHaveLength(130 + 1 + 1);
  expect(threads.filter(({ resolved }) => resolved === true).map(({ id }) => id)).toEqual(["line:129"]);
  expect(threads.find(({ id }) => id === "line:130")?.comments.map(({ body }) => body)).toEqual([
    "Comment 130",
    "An answer",
  ]);
  for (const thread of ["line:130", null, "line:130", null])
    expect((await forge.comment(1, { body: "Done.", thread })).isOk()).toBe(true);
  expect(github.comments.at(-1)).toMatchObject({ body: "<!-- tazuna -->\nDone.", answers: 130 });
  expect([github.comments.length, github.conversation.length]).toEqual([132, 2]);
  // Without leave to ask GraphQL, nothing is known of what is resolved.
  github.trouble = { on: /graphql/, how: { status: 403, data: { message: "Forbidden" } } };
  const unknown = (await forge.threads(1))._unsafeUnwrap();
  expect(unknown.every(({ resolved }) => resolved === null)).toBe(true);
});

test("what has not changed is confirmed, and costs nothing of the limit", async () => {
  await using alone = await forgeAlone();
  const { forge, github } = alone;
  const sha = await tip(alone);
  await forge.create(REQUEST);
  const look = async () => [await forge.read(1), await forge.checks(at(sha)), await forge.threads(1)];
  await look();
  await look();
  const [remaining, unchanged] = [github.remaining, github.unchanged];
  await look();
  expect([github.remaining, github.unchanged - unchanged]).toEqual([remaining, 6]);
  Object.assign(github.pulls[0] ?? {}, { title: "New" });
  expect((await forge.read(1))._unsafeUnwrap().title).toBe("New");
});

test("a repository that was renamed is found by its old name, to read and to write", async () => {
  await using alone = await forgeAlone();
  const { forge, github } = alone;
  github.oldNames.push("ann/garden");
  github.name = "ben/yard";
  expect((await forge.create(REQUEST))._unsafeUnwrap()).toMatchObject({ number: 1 });
  expect((await forge.find(HEAD))._unsafeUnwrap()).toMatchObject({ number: 1, head: { owner: "ben" } });
  // One that is there already is found under the new owner's name.
  expect((await forge.create(REQUEST))._unsafeUnwrap()).toMatchObject({ number: 1 });
  expect((await forge.update(1, { title: "Other" }))._unsafeUnwrap()).toMatchObject({ title: "Other" });
  const sha = await tip(alone);
  expect((await forge.merge(1, { sha, squash: false, title: null })).isOk()).toBe(true);
  expect(github.pulls).toHaveLength(1);
});
