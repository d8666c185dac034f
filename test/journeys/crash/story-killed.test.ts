/** Walks a whole story as a new user would, and kills the engine in each step of it: it ends as if nothing had happened. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MergeDocument } from "../../../src/contract/endpoints/landing.ts";
import type { AttemptAlone, TaskDocument } from "../../../src/contract/task-document.ts";
import { forgeWorld } from "../../helpers/forge-world.ts";
import { colleague } from "../../helpers/github/colleague.ts";
import { branchAt, PATIENCE_MS, usersSide } from "../../helpers/journey.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, SEED } from "../../helpers/tier.ts";
import { wrongChanges, wrongPushes } from "../colleague/oracle.ts";
import { createRandom } from "./random.ts";

setDefaultTimeout(2 * PATIENCE_MS);

/** Of each step the act of the journal that dies with the engine; null if nothing is killed. */
interface Deaths {
  readonly run: string | null;
  readonly choose: string | null;
  readonly pr: string | null;
  readonly continue: string | null;
  readonly merge: string | null;
  readonly clean: string | null;
}

/** Before or after each act, by dice. */
function everywhere({ below }: ReturnType<typeof createRandom>): Deaths {
  const beside = (act: string) => `${below(2) === 0 ? "before" : "after"}:${act}`;
  return {
    run: beside("push"),
    choose: "request:choose",
    pr: beside("pull_request_create"),
    continue: beside("commit"),
    merge: beside("merge_on_forge"),
    clean: beside("remote_branch_delete"),
  };
}

const NOTHING: Deaths = { run: null, choose: null, pr: null, continue: null, merge: null, clean: null };

async function story(deaths: Deaths): Promise<void> {
  await using world = await forgeWorld();
  const { product, github } = world;
  await world.configure({ delete_remote_branch: true });
  await product.agent("other", "echo other > other.txt");
  const bob = colleague(world);
  const does = async <T>(step: keyof Deaths, args: readonly string[]): Promise<T> => {
    const dies = deaths[step];
    const reached = join(product.home, `reached-${step}`);
    if (dies !== null) await product.killEngine();
    const env = dies === null ? {} : { TAZUNA_FAILPOINT: `${dies}@${reached}` };
    const end = await product.tazuna([...args, "--json"], { env });
    expect([step, end.code, existsSync(reached)]).toEqual([step, 0, dies !== null]);
    if (dies !== null) tally("kill", `the engine at ${dies} of a whole story`, { under: "guard" });
    return end.json<T>();
  };
  const agents = ["--agent", "editor", "--agent", "other"];
  const { task, attempts } = await does<TaskDocument>("run", ["run", "Say hello", ...agents]);
  const [chosen, other] = attempts;
  if (chosen === undefined || other === undefined) throw new Error("not two attempts");
  const { id, branch } = chosen;
  const users = await usersSide(product, { ours: [branch, other.branch] });
  await does("choose", ["choose", id, "--reason", "It says hello", "--trash-others"]);
  await does("pr", ["pr", id]);
  expect(github.pulls).toMatchObject([{ number: 1, head: branch, title: "Say hello" }]);
  expect(github.pulls[0]?.body).toContain("It says hello");
  github.comments.push({ id: 9, body: "Say it twice.", path: "hello.txt", line: 1 });
  // "Update branch" is pressed meanwhile.
  await product.sandbox.commitTo(world.bare, "main", { "theirs.txt": "theirs\n" });
  await bob.updatesBranch(1);
  const updated = (await world.headOf(branch)) ?? "";
  await does("continue", ["continue", id, "--from-review"]);
  await product.sandbox.git(world.bare, ["merge-base", "--is-ancestor", updated, branch]);
  const { merge } = await does<{ merge: MergeDocument }>("merge", ["merge", id]);
  expect([merge.by, merge.commit]).toEqual(["forge", (await world.headOf("main")) ?? ""]);
  await does("clean", ["clean", id, "--yes"]);
  const after = (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();
  const whole = (await product.tazuna(["show", task.id, "--json"])).json<TaskDocument>();
  const git = (...args: string[]) => product.sandbox.git(world.bare, args);
  expect({
    state: [after.state, after.merged?.by, after.pull_request?.state],
    runs: after.runs.map(({ outcome }) => outcome),
    tried: after.pull_request?.tried.map(({ by }) => by),
    attempts: whole.attempts.map(({ state }) => state),
    pulls: github.pulls.length,
    files: (await git("ls-tree", "--name-only", "main")).split("\n"),
    lines: (await git("show", "main:hello.txt")).split("\n").length,
    branches: [await world.headOf(branch), await branchAt(product, product.repository, branch)],
    users: await usersSide(product, { ours: [branch, other.branch] }),
    // The clean-up deletes the merged branch, since a person's setting asks for it.
    pushes: (await wrongPushes(world, [branch, other.branch])).filter((line) => !line.includes(" 0000000")),
    changes: wrongChanges(world, [branch]),
  }).toEqual({
    state: ["removed", "forge", "merged"],
    runs: ["pushed", "pushed"],
    tried: ["person"],
    attempts: ["removed", "removed"],
    pulls: 1,
    files: [".gitignore", "README.md", "hello.txt", "theirs.txt"],
    lines: 2,
    branches: [null, null],
    users,
    pushes: [],
    changes: [],
  });
}

test("two attempts, one chosen, its pull request, a review answered, 'Update branch' pressed, merged and cleaned up", () =>
  story(NOTHING));

// Found something once: the next engine saw the merge before the request was repeated.
test(deep("the same, with the engine killed after the merge on the forge"), () =>
  story({ ...NOTHING, merge: "after:merge_on_forge" }),
);

test(deep(`the same, with the engine killed beside the act of each step (TAZUNA_CRASH_SEED=${SEED})`), () =>
  story(everywhere(createRandom(SEED))),
);
