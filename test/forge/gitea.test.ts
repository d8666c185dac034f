/** Tells what only Gitea and Forgejo do: reviews of several comments, logs that some servers give, and their marks. */
import { expect, test } from "bun:test";
import { bad, good, NEW, portWorld } from "../helpers/forges/port-world.ts";

test("comments of one review on one line are one thread, and an answer of ours joins it", async () => {
  await using world = await portWorld("gitea");
  const { port, small } = world;
  await good(port.create(NEW));
  small.reviews.push(
    { id: 50, state: "REQUEST_CHANGES", body: "Not like this" },
    { id: 51, state: "PENDING", body: "Not sent yet" },
    { id: 52, state: "REQUEST_REVIEW", body: "" },
    { id: 53, state: "APPROVED", body: "" },
  );
  small.reviewComments.push(
    { id: 1, review: 50, body: "Why?", path: "a.txt", line: 3 },
    { id: 2, review: 50, body: "I mean this", path: "a.txt", line: 3, resolved: true },
    { id: 3, review: 50, body: "Before the change", path: "a.txt", line: -3 },
    { id: 4, review: 53, body: "Another one", path: "a.txt", line: 3 },
  );
  await good(port.comment(1, { body: "Mended.", thread: "line:3" }));
  const threads = await good(port.threads(1));
  expect(threads.map(({ id, line, side, resolved }) => [id, line, side, resolved])).toEqual([
    ["line:1", 3, "new", true],
    ["line:3", 3, "old", false],
    ["line:4", 3, "new", false],
    ["review:50", null, null, null],
  ]);
  expect(threads[1]?.comments.map(({ body, ours }) => [body, ours])).toEqual([
    ["Before the change", false],
    ["Mended.", true],
  ]);
});

test("a server that gives no logs out has what its status says", async () => {
  await using world = await portWorld("gitea");
  const { port, small } = world;
  const pull = await good(port.create(NEW));
  small.logs = false;
  small.checks.set(pull.head.sha, [{ id: 2, name: "ci", conclusion: "failure", output: "expected 1" }]);
  const [check] = await good(port.checks(pull));
  if (check === undefined) throw new Error("no check");
  expect(check.url).toBe(new URL("/ann/garden/actions/runs/2/jobs/0", small.url).href);
  expect(await good(port.checkLog(check))).toBe("Failing after 3s");
});

test("a conflict is told, and of a draft it is not known", async () => {
  await using world = await portWorld("gitea");
  const { port, small } = world;
  await good(port.create(NEW));
  small.mergeable = false;
  expect(await good(port.read(1))).toMatchObject({ mergeable: false, mergeBlock: null });
  expect(await good(port.update(1, { draft: true }))).toMatchObject({ mergeable: null, mergeBlock: "draft" });
});

test("a server that still looks for conflicts may merge a moment later", async () => {
  await using world = await portWorld("gitea");
  const { port, small } = world;
  await good(port.create(NEW));
  small.protection = "Please try again later";
  const options = { sha: await world.head(), squash: false, title: null };
  expect(await bad(port.merge(1, options))).toMatchObject({ code: "forge_refused", transient: true });
});

test("the token goes as Gitea takes it, and a branch that is not there is not found", async () => {
  await using world = await portWorld("gitea");
  const { port, small } = world;
  const head = { fork: null, branch: "nowhere" };
  expect(await bad(port.create({ ...NEW, head }))).toMatchObject({ code: "forge_not_found" });
  expect(small.lastHeaders.authorization).toStartWith("token 0123");
});
