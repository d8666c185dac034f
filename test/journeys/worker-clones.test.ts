/** Works with a machine that has no clone: it makes one for what it takes, and nothing else waits for that (ADR 0108). */
import { expect, setDefaultTimeout } from "bun:test";
import { basename, dirname, join } from "node:path";
import { gitHttpServer } from "../helpers/git-http-server.ts";
import { httpApi } from "../helpers/http-api.ts";
import { ask, ending, gate, noteCodes, PATIENCE_MS, refused, type TaskEnd } from "../helpers/journey.ts";
import { movingWorld } from "../helpers/moving-world.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import {
  clonesBegun,
  clonesOf,
  LONG,
  other,
  PASSWORD,
  refusedThere,
  uncloned,
} from "../helpers/uncloned-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

journey("five runs that wait make one clone on a machine without one, and work there", async () => {
  await using team = await uncloned(8);
  const { product, there, url, server } = team;
  await team.fill();
  server.behave({ hang: true });
  const asked: TaskEnd[] = [];
  for (let n = 0; n < 5; n++) asked.push(await team.run());
  server.behave({ hang: false });
  server.release();
  for (const each of asked) {
    const { attempt, run } = await team.worked(each);
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
    expect(noteCodes(run)).toContain("moved_in_queue");
  }
  const [clone, ...more] = await clonesOf(product, there);
  expect([clone?.url, more]).toEqual([url, []]);
  expect(clone?.path.startsWith(join(there.env.TAZUNA_HOME ?? "", "workspaces"))).toBe(true);
  expect(await clonesBegun(team.database)).toBe(1);
});

journey("the form names the machine that takes what would wait, and says that it clones first", async () => {
  await using team = await uncloned(8);
  const { product, there } = team;
  const { name, id } = await other(team);
  const preview = async (more: object = {}) => {
    const body = { repository: product.repository, agents: ["writer"], ...more };
    const api = await httpApi(product);
    const { worker, attempts } = await api.json("/tasks/preview", { method: "POST", body });
    return [worker, ...attempts.map((one: { goes_to: unknown }) => one.goes_to)];
  };
  expect(await preview()).toEqual([null, null]);
  const clones = { id, name, clones: true };
  expect(await preview({ worker: name })).toEqual([clones, null]);
  // The first one has the slot here.
  expect(await preview({ agents: ["writer", "writer"] })).toEqual([null, null, clones]);
  await team.fill();
  expect(await preview()).toEqual([null, clones]);
  for (const kept of [{ base: "HEAD" }, { offline: true }, { on_labels: ["gpu"] }])
    expect(await preview(kept)).toEqual([null, null]);
  const { attempt } = await team.worked(await team.run());
  expect(attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
  expect(await preview()).toEqual([{ ...clones, clones: false }, null]);
  // More than it has slots for: each goes alone.
  const nine = await preview({ agents: Array.from({ length: 9 }, () => "writer") });
  expect(nine).toEqual([null, ...Array.from({ length: 8 }, () => ({ ...clones, clones: false })), null]);
  // It does not bring back by itself what a person took away.
  const [clone] = await clonesOf(product, there);
  await product.tazuna(["cancel", attempt.id], there);
  await waitFor("the attempt to be put away", async () => {
    const removed = await product.tazuna(["repo", "remove", clone?.id ?? ""], there);
    return removed.code === 0;
  });
  expect(await preview()).toEqual([null, null]);
});

journey("while a clone is made, what has its clone begins on that machine as usual", async () => {
  await using team = await uncloned(8);
  const { product, there } = team;
  const home = there.env.TAZUNA_HOME ?? "";
  await team.fill();
  await team.worked(await team.run());
  // The same repository behind another address is another one.
  await using slow = await gitHttpServer(dirname(product.origin));
  const second = join(dirname(product.home), "second");
  await product.sandbox.git(dirname(second), ["clone", "--quiet", slow.url("origin.git"), second]);
  await product.tazuna(["repo", "add", "."], { cwd: second });
  slow.behave({ hang: true });
  const before = slow.requests.length;
  const waits = await team.run("--repo", second);
  await waitFor("the clone to be asked for", () => slow.requests.length > before, LONG);
  const passes = await team.worked(await team.run());
  expect(passes.attempt.worktree.startsWith(home)).toBe(true);
  expect((await team.shown(waits)).run.status).toBe("PENDING");
  slow.behave({ hang: false });
  slow.release();
  expect((await team.worked(waits)).attempt.worktree.startsWith(home)).toBe(true);
  expect(await clonesBegun(team.database)).toBe(2);
});

journey("what cannot be cloned stays where it is, says why, and is not tried again and again", async () => {
  await using team = await uncloned(8);
  const { product, there, server } = team;
  await team.fill();
  server.behave({ password: PASSWORD });
  const before = server.requests.length;
  const told = (asked: TaskEnd) =>
    waitFor(
      "the reason to be told",
      async () => (await team.shown(asked)).run.notes.find(({ code }) => code === "not_taken") ?? null,
      LONG,
    );
  const first = await team.run();
  const { message } = await told(first);
  expect(message).toMatch(
    /^.+ did not take it: http:\/\/127.+ did not let this git in: .+ To do there: .+ `tazuna repo add .+`\. It is tried again by itself\.$/,
  );
  const { name } = await other(team);
  expect(message).toContain(`If it needs a login, on ${name}: \`gh auth login\``);
  expect(message).toContain("in the environment of its engine (`tazuna worker`)");
  const tried = server.requests.length;
  expect(tried).toBeGreaterThan(before);
  const second = await team.run();
  await told(second);
  expect(server.requests.length).toBe(tried);
  // So the form promises nothing.
  const body = { repository: product.repository, agents: ["writer"] };
  const { attempts } = await (await httpApi(product)).json("/tasks/preview", { method: "POST", body });
  expect(attempts).toMatchObject([{ waits_for: { reason: "parallel" }, goes_to: null }]);
  const text = (await product.tazuna(["show", second.document.task.id])).stdout.replaceAll(/\s+/g, " ");
  expect(text).toContain("did not let this git in");
  for (const each of [first, second]) expect((await team.shown(each)).run.status).toBe("PENDING");
  expect(await clonesOf(product, there)).toEqual([]);
  server.behave({ password: null });
  await team.door.open();
  for (const each of [first, second]) {
    const { attempt, run } = await team.worked(each);
    expect(attempt.worktree.startsWith(product.home)).toBe(true);
    expect(noteCodes(run).filter((code) => code === "not_taken")).toEqual(["not_taken"]);
  }
});

journey("what a machine could not clone goes there by itself once its access is mended", async () => {
  await using team = await refusedThere({ cloneRetryMs: 3_000 });
  const { product, there, server, waits } = team;
  const tried = server.requests.length;
  await waitFor("the next try", () => server.requests.length > tried, LONG);
  server.behave({ password: null });
  const { attempt, run } = await team.worked(waits);
  expect(attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
  expect(noteCodes(run).filter((code) => code.startsWith("not_"))).toEqual(["not_taken"]);
  expect(noteCodes(run)).toContain("moved_in_queue");
  expect(await clonesOf(product, there)).toHaveLength(1);
});

journey("what a machine could not clone goes there once a person has cloned it there", async () => {
  await using team = await refusedThere({ cloneRetryMs: 600_000 });
  const { product, there, server, url, waits } = team;
  server.behave({ password: null });
  expect((await product.tazuna(["repo", "add", url], there)).code).toBe(0);
  const { attempt } = await team.worked(waits);
  expect(attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
});

journey("a task begins on a machine without a clone if a person chose it", async () => {
  await using team = await uncloned(8);
  const { product, there, server } = team;
  server.behave({ password: PASSWORD });
  const { name } = await other(team);
  const asked = ["run", "Change it", "--agent", "writer", "--worker", name];
  const { error } = await refused(product, asked);
  expect(error.code).toBe("clone_auth");
  expect(error.remedy).toStartWith(`If it needs a login, on ${name}: `);
  expect(error.remedy).toContain("in the environment of its engine (`tazuna worker`); then");
  // The shell that asks lends its own engine its environment.
  const own = await refused(product, ["repo", "add", team.url]);
  expect(own.error.remedy).toMatch(/^If it needs a login: .+ in this shell; then/);
  server.behave({ password: null });
  const chosen = await team.worked(await team.run("--worker", name));
  expect(chosen.attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
  expect(await clonesOf(product, there)).toHaveLength(1);
});

journey("a task that is asked for on a machine without a clone begins there if nobody else can", async () => {
  await using team = await uncloned(8);
  const { product, there, url } = team;
  await product.tazuna(["engine", "stop"]);
  const known = ["run", "Change it", "--agent", "writer", "--repo", url];
  const alone = await ask(product, known, there);
  const pushed = { status: "SUCCEEDED", outcome: "pushed" };
  expect<unknown>([alone.attempt.worker, ending(alone.run)]).toEqual([null, pushed]);
});

journey("a lost run goes on at a machine that never had a clone", async () => {
  await using team = await movingWorld(
    (product) =>
      `if [ -e one.txt ]; then echo two > two.txt; else echo one > one.txt; ${gate(product, "held").wait}; fi`,
    {},
    { isCloned: false },
  );
  const { product, there } = team;
  await using door = gate(product, "held");
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await door.reached();
  await team.holds(begun.attempt.id, { "one.txt": "one" });
  expect(await clonesOf(product, there)).toEqual([]);
  await team.lose(begun.run.id);
  const run = await team.ended(begun);
  expect<unknown>({ ending: ending(run), notes: noteCodes(run) }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    notes: ["moved", "environment_lost"],
  });
  const { worktree } = await team.show(begun);
  expect(worktree).toBe(join(there.env.TAZUNA_HOME, "worktrees", basename(worktree)));
  expect(await clonesOf(product, there)).toHaveLength(1);
  const pushed = ["diff", "--name-only", `main..${begun.attempt.branch}`];
  expect(await product.sandbox.git(product.origin, pushed)).toBe("one.txt\ntwo.txt");
});
