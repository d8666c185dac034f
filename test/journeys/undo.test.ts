/** Tells what `tazuna undo` takes back, and why it leaves the rest as it is. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import { ask, branchAt, gate, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** By its own name: the guard's git refuses what these agents do. */
const GIT = Bun.which("git") ?? "/usr/bin/git";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await product.sandbox.commit(product.repository, { "second.txt": "second\n" }, "Second");
  await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (...args: string[]) => product.sandbox.git(product.repository, args);
const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);
const at = (ref: string) => git("rev-parse", "--verify", "--quiet", ref).catch(() => null);

async function operations(subject: string): Promise<readonly OperationDocument[]> {
  const list = await product.tazuna(["activity", subject, "--json"]);
  return list.json<{ operations: readonly OperationDocument[] }>().operations;
}

async function operation(
  subject: string,
  kind: string,
  ref: string | null = null,
): Promise<OperationDocument> {
  const found = (await operations(subject)).find(
    (each) => each.kind === kind && (ref === null || each.before?.ref === ref),
  );
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

async function undo(id: string): Promise<OperationDocument> {
  const end = await product.tazuna(["undo", id, "--json"]);
  if (end.code !== 0) throw new Error(end.stdout);
  return end.json<{ operation: OperationDocument }>().operation;
}

test("a move that an agent made elsewhere is undone only on request, and can be made again (promise 1.7)", async () => {
  const main = (await at("main")) ?? "";
  await git("branch", "victim", "main");
  await git("branch", "gone", "main");
  const moves = `${GIT} branch -q -f victim HEAD~1; ${GIT} branch -q -D gone; ${GIT} branch appeared HEAD~1`;
  const end = await run(`echo one > one.txt; ${moves}`);
  const earlier = await at("main~1");
  const told = end.run.notes.filter(({ code }) => code === "foreign_ref_moved");
  expect(told.map(({ details }) => details.ref)).toEqual([
    "refs/heads/appeared",
    "refs/heads/gone",
    "refs/heads/victim",
  ]);
  for (const { details } of told) {
    const { id, undoable } = await operation(end.run.id, "foreign_ref_moved", String(details.ref));
    expect<unknown>([id, undoable]).toEqual([details.operation, true]);
    const undone = await undo(id.slice(0, 13));
    expect<unknown>([undone.kind, undone.before?.sha, undone.after]).toEqual([
      "undo",
      details.after,
      { ref: details.ref, sha: details.before },
    ]);
    expect((await undo(id)).id).toBe(undone.id);
  }
  expect(await Promise.all(["victim", "gone", "appeared"].map(at))).toEqual([main, main, null]);
  const victim = await operation(end.run.id, "undo", "refs/heads/victim");
  const again = await undo(victim.id);
  expect([await at("victim"), again.after?.sha]).toEqual([earlier, earlier]);
  await undo(again.id);
  expect(await at("victim")).toBe(main);
  await git("branch", "-D", "victim", "gone");
});

test("a reference that has moved on since is left where it is", async () => {
  await git("branch", "victim", "main");
  const end = await run(`echo one > one.txt; ${GIT} branch -q -f victim HEAD~1`);
  const { id } = await operation(end.run.id, "foreign_ref_moved");
  const mine = await git("commit-tree", "-p", "victim", "-m", "mine", "victim^{tree}");
  await git("update-ref", "refs/heads/victim", mine);
  const { error } = await refused(product, ["undo", id]);
  expect([error.code, error.details.current]).toEqual(["ref_moved_on", mine]);
  expect(await at("victim")).toBe(mine);
  await git("branch", "-D", "victim");
});

test("the branch that I have checked out is not moved under my files", async () => {
  const main = (await at("main")) ?? "";
  const end = await run(`echo one > one.txt; ${GIT} update-ref refs/heads/main HEAD~1`);
  const before = await usersSide(product);
  const { id } = await operation(end.run.id, "foreign_ref_moved", "refs/heads/main");
  const { error } = await refused(product, ["undo", id]);
  expect([error.code, error.remedy]).toEqual([
    "branch_checked_out",
    expect.stringContaining(`reset --keep ${main}`),
  ]);
  expect(await usersSide(product)).toEqual(before);
  await git("update-ref", "refs/heads/main", main);
});

test("what an agent committed itself comes back under a branch of its own, which is never published", async () => {
  const end = await run(`echo one > one.txt; ${GIT} add -A; ${GIT} commit -q -m theirs; echo two > two.txt`);
  const { id, before } = await operation(end.run.id, "ref_restored");
  const undone = await undo(id);
  const branch = `${end.attempt.branch}-by-agent-${end.run.id.slice(0, 8)}`;
  expect<unknown>([undone.after, await at(`${branch}^{commit}`)]).toEqual([
    { ref: `refs/heads/${branch}`, sha: before?.head },
    before?.head,
  ]);
  expect(await at(end.attempt.branch)).toBe(end.run.commit);
  await undo(undone.id);
  expect(await at(branch)).toBeNull();
});

test(deep("a cancel is undone whole, and a branch that went with it can come back alone"), async () => {
  const end = await run("echo one > one.txt");
  await writeFile(join(end.attempt.worktree, "kept.local"), "kept\n");
  await ask(product, ["cancel", end.attempt.id]);
  const branch = await operation(end.attempt.id, "branch_delete");
  expect((await undo(branch.id)).after?.sha).toBe(end.run.commit);
  expect(await branchAt(product, product.repository, end.attempt.branch)).toBe(end.run.commit);
  const { id } = await operation(end.attempt.id, "trash");
  const undone = await undo(id);
  expect([undone.kind, undone.before?.entry, (await undo(id)).id]).toEqual(["trash_restore", id, undone.id]);
  expect(await readFile(join(end.attempt.worktree, "kept.local"), "utf8")).toBe("kept\n");
  expect((await operation(end.attempt.id, "trash")).undoable).toBe(false);
});

test(deep("a commit that was not pushed is undone, its files kept; a pushed one is not"), async () => {
  const env = { TAZUNA_PUBLISH: "commit" };
  const end = await ask(product, ["run", "echo one > one.txt", "--agent", "doer"], { env });
  const { id, undoable } = await operation(end.run.id, "commit");
  expect(undoable).toBe(true);
  const undone = await undo(id);
  expect(undone.before?.by).toBe("Una User <una@example.com>");
  expect(undone.before?.reason).toBe(`undo of commit ${id.slice(0, 8)}`);
  // Done, it is not offered again; taken back, it is.
  expect((await operation(end.run.id, "commit")).undoable).toBe(false);
  const redone = await undo(undone.id);
  expect((await operation(end.run.id, "commit")).undoable).toBe(true);
  expect(await at(end.attempt.branch)).toBe(end.run.commit);
  await undo(redone.id);
  expect(await at(end.attempt.branch)).toBe(end.attempt.base.sha);
  expect(await product.sandbox.git(end.attempt.worktree, ["status", "--porcelain"])).toBe("A  one.txt");
  const pushed = await run("echo one > one.txt");
  const commit = await operation(pushed.run.id, "commit");
  expect(commit.undoable).toBe(false);
  expect(await operation(pushed.run.id, "push")).toMatchObject({
    status: "done",
    before: { sha: null, commit: pushed.run.commit },
    after: { remote: "origin", branch: pushed.attempt.branch, sha: pushed.run.commit },
  });
  expect((await refused(product, ["undo", commit.id])).error.code).toBe("already_pushed");
  expect(await at(pushed.attempt.branch)).toBe(pushed.run.commit);
});

test(deep("nothing of an attempt is undone while a run of it goes on"), async () => {
  await using barrier = gate(product, "busy");
  const env = { TAZUNA_PUBLISH: "commit" };
  const end = await ask(product, ["run", "echo one > one.txt", "--agent", "doer"], { env });
  const { id } = await operation(end.run.id, "commit");
  const more = await ask(product, [
    "continue",
    end.attempt.id,
    `${barrier.wait}; echo two > two.txt`,
    "--detach",
  ]);
  await barrier.reached();
  expect((await operation(end.run.id, "commit")).undoable).toBe(false);
  expect((await refused(product, ["undo", id])).error.code).toBe("attempt_busy");
  await barrier.open();
  await ask(product, ["wait", more.run.id]);
  expect((await operation(end.run.id, "commit")).undoable).toBe(false);
  expect((await refused(product, ["undo", id])).error.code).toBe("ref_moved_on");
});

test("what cannot be undone says why, and what to do instead", async () => {
  const end = await run(`echo one > one.txt; echo s > s.txt; ${GIT} stash -q -u; echo two > two.txt`);
  const stash = await operation(end.run.id, "foreign_ref_moved", "refs/stash");
  expect(stash.undoable).toBe(false);
  const push = await operation(end.run.id, "push");
  const snapshotId = "zzzz";
  const answers = await Promise.all(
    [stash.id, push.id, snapshotId].map((id) => refused(product, ["undo", id])),
  );
  expect(answers.map(({ error }) => error.code)).toEqual(["not_undoable", "not_undoable", "not_found"]);
  expect(answers[1]?.error.remedy).toContain("lets the agent do it");
});
