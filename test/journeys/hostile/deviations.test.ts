/** Tells that each change of an agent in the repository is an operation, is shown, and is undone or explained. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import {
  ask,
  ending,
  exists,
  gate,
  PAST_THE_GUARD,
  PATIENCE_MS,
  refused,
  type TaskEnd,
  usersSide,
} from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { sandboxHere, skippedWithout, underEach } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
let product: Product;

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
  const { git } = product.sandbox;
  await git(product.repository, ["branch", "victim"]);
  await git(product.repository, ["branch", "doomed"]);
  await git(product.repository, ["branch", "spare"]);
  // As every clone has it: another name of a reference that a fetch moves.
  await git(product.repository, ["remote", "set-head", "origin", "main"]);
});
afterAll(() => product?.[Symbol.asyncDispose]());

const git = (...args: string[]) => product.sandbox.git(product.repository, args);

async function run(name: string, script: string): Promise<TaskEnd> {
  await product.agent(
    name,
    `${PAST_THE_GUARD}user='${product.repository}'; common="$user/.git"\n${script}\necho ${name} > work.txt`,
  );
  return ask(product, ["run", `Be ${name}`, "--agent", name]);
}

async function operations(end: TaskEnd): Promise<readonly OperationDocument[]> {
  const listed = await product.tazuna(["activity", end.attempt.id, "--json"]);
  return listed.json<{ operations: OperationDocument[] }>().operations;
}

interface Deviation {
  readonly name: string;
  readonly script: string;
  readonly kind: string;
  /** Of what: a value among those of before and after. */
  readonly of: string;
  readonly undoable: boolean;
  /** Puts it back if nothing of Tazuna does. */
  readonly after?: readonly (readonly string[])[];
}

const moved = (name: string, script: string, ref: string, more: Partial<Deviation> = {}): Deviation => ({
  name,
  script,
  kind: "foreign_ref_moved",
  of: ref,
  undoable: true,
  ...more,
});
const changed = (name: string, script: string, file: string, after?: Deviation["after"]): Deviation => ({
  name,
  script,
  kind: "foreign_file_changed",
  of: file,
  undoable: false,
  ...(after === undefined ? {} : { after }),
});

const COMMIT = 'c=$(git -c user.name=x -c user.email=x@x commit-tree -p HEAD -m x "HEAD^{tree}");';

const DEVIATIONS: readonly Deviation[] = [
  moved("moves a branch", `${COMMIT} git update-ref refs/heads/victim $c`, "refs/heads/victim"),
  moved("deletes a branch", "git branch -D doomed", "refs/heads/doomed"),
  moved("makes a tag", "git tag evil-tag", "refs/tags/evil-tag"),
  moved("makes a note", "git -c user.name=x -c user.email=x@x notes add -m x", "refs/notes/commits"),
  moved("replaces a commit", `${COMMIT} git replace HEAD $c`, "refs/replace/"),
  moved(
    "edits packed-refs",
    'git pack-refs --all; sed -i "s#refs/heads/victim#refs/heads/victin#" "$common/packed-refs"; rm -f "$common/refs/heads/victim"',
    "refs/heads/victin",
  ),
  moved("adds to the stash", "echo x > s.txt; git stash -q -u", "refs/stash", { undoable: false }),
  moved(
    "moves what a fetch brought",
    `${COMMIT} git update-ref refs/remotes/origin/main $c`,
    "refs/remotes/origin/main",
  ),
  moved(
    "makes what no fetch brought",
    'git rev-parse HEAD > "$common/refs/remotes/origin/evil"; git update-ref refs/remotes/origin/evil2 HEAD',
    "refs/remotes/origin/evil2",
  ),
  {
    name: "commits on its own branch",
    script: "git -c user.name=x -c user.email=x@x commit -q --allow-empty -m x",
    kind: "ref_restored",
    of: "tazuna/",
    undoable: true,
  },
  {
    name: "detaches its HEAD",
    script: "git checkout -q --detach",
    kind: "ref_restored",
    of: "tazuna/",
    undoable: false,
  },
  {
    name: "leads its .git elsewhere",
    script: 'echo "gitdir: /nowhere" > .git',
    kind: "git_files_restored",
    of: "/.git",
    undoable: false,
  },
  {
    name: "hides its changes from git",
    script:
      "echo assumed >> README.md; echo skipped >> .gitignore; git update-index --assume-unchanged README.md; git update-index --skip-worktree .gitignore",
    kind: "index_flags_cleared",
    of: "README.md",
    undoable: false,
  },
  {
    name: "plants a hook",
    script: 'mkdir -p "$common/hooks"; echo x > "$common/hooks/pre-commit"',
    kind: "git_settings_changed",
    of: "hooks/pre-commit",
    undoable: false,
  },
  changed(
    "puts the checkout on another branch",
    'git -C "$user" symbolic-ref HEAD refs/heads/victim2',
    "HEAD",
    [["symbolic-ref", "HEAD", "refs/heads/main"]],
  ),
  changed(
    "adds a worktree",
    'git worktree add -q --detach "$TMPDIR/w$$" 2>/dev/null || git worktree add -q --detach "/tmp/w-$TAZUNA_RUN"; rm -rf "/tmp/w-$TAZUNA_RUN"',
    "worktrees/",
    [["worktree", "prune"]],
  ),
  changed(
    "hides files from git",
    'mkdir -p "$common/info"; echo nothing.log >> "$common/info/exclude"',
    "info/exclude",
  ),
  changed(
    "grafts history",
    'mkdir -p "$common/info"; git rev-parse HEAD > "$common/info/grafts"',
    "info/grafts",
  ),
  changed("cuts history short", 'git rev-parse HEAD > "$common/shallow"; sleep 0', "shallow"),
];

describe(
  underEach(
    "guard",
    "what an agent does to the repository is an operation, shown, and undone by a person or told why not",
  ),
  () => {
    for (const [index, deviation] of DEVIATIONS.entries())
      test(`an agent that ${deviation.name}`, () => judge(deviation, `d${index}`));
  },
);

async function judge(deviation: Deviation, name: string): Promise<void> {
  const end = await run(name, deviation.script);
  expect<unknown>(ending(end.run)).toEqual(PUSHED);
  const all = await operations(end);
  const found = all.find(
    (one) => one.kind === deviation.kind && JSON.stringify([one.before, one.after]).includes(deviation.of),
  );
  expect({ found: found?.kind ?? all.map(({ kind }) => kind), undoable: found?.undoable }).toEqual({
    found: deviation.kind,
    undoable: deviation.undoable,
  });
  expect(JSON.stringify(end.run.notes)).toContain(deviation.of);
  const shown = await product.tazuna(["show", end.attempt.id]);
  expect(shown.stdout).toContain(deviation.of === "tazuna/" ? "put back" : deviation.of);
  if (deviation.undoable) expect((await product.tazuna(["undo", found?.id ?? ""])).code).toBe(0);
  else {
    const { error } = await refused(product, ["undo", found?.id ?? ""]);
    expect(error.code).toBe("not_undoable");
    expect(error.remedy).not.toContain("`tazuna activity` shows which can");
  }
  for (const args of deviation.after ?? []) await git(...args);
  tally("attack", `an agent that ${deviation.name}`, { under: "guard" });
}

test(
  underEach(
    "guard",
    "what I do meanwhile, as one works, is told as done by nobody of Tazuna, and a fetch of mine not at all",
  ),
  async () => {
    await rm(join(product.repository, ".git/hooks/pre-commit"), { force: true });
    await using held = gate(product, "meanwhile");
    await product.agent("slow", `${held.wait}\necho slow > slow.txt`);
    const begun = await ask(product, ["run", "Be slow", "--agent", "slow", "--detach"]);
    await held.reached();
    await product.sandbox.commitTo(product.origin, "main", { "theirs.txt": "theirs\n" });
    await git("remote", "set-head", "origin", "main");
    await git("fetch", "--quiet");
    await git("merge", "--quiet", "--ff-only", "origin/main");
    await git("branch", "-m", "spare", "mine");
    await git("gc", "--quiet");
    await git("worktree", "add", "--quiet", "--detach", join(dirname(product.repository), "beside"));
    await held.open();
    const end = await ask(product, ["wait", begun.run.id]);
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    const told = end.run.notes.map(({ code, details }) => `${code} ${details.ref ?? details.file}`);
    expect(told).toEqual([
      "foreign_ref_moved refs/heads/main",
      "foreign_ref_moved refs/heads/mine",
      "foreign_ref_moved refs/heads/spare",
      "foreign_file_changed worktrees/beside",
    ]);
    expect(
      end.run.notes.every(({ message }) => message.includes("Tazuna did not do that and leaves it as it is")),
    ).toBe(true);
    expect(await git("symbolic-ref", "--short", "HEAD")).toBe("main");
  },
);

describe.skipIf(!sandboxHere.available)(
  underEach("sandbox", `the same by the sandbox${skippedWithout}`),
  () => {
    test("none of it comes about, and what I do meanwhile is reported as ever", async () => {
      await using confined = await startProduct({ isolation: "sandbox" });
      const own = (...args: string[]) => confined.sandbox.git(confined.repository, args);
      await own("branch", "victim");
      await own("branch", "doomed");
      const tried = DEVIATIONS.map(({ script }) => `( ${script} ) >/dev/null 2>&1`).join("\n");
      await confined.agent(
        "everything",
        `${PAST_THE_GUARD}user='${confined.repository}'; common="$user/.git"\n${tried}\ngit status --short > status.txt; touch tried; until [ -e go ]; do sleep 0.05; done`,
      );
      const before = await usersSide(confined);
      const begun = await ask(confined, ["run", "Be bad", "--agent", "everything", "--detach"]);
      const { worktree, branch } = await waitFor("a worktree", async () => {
        const { attempt } = await ask(confined, ["show", begun.document.task.id]);
        return attempt.worktree && (await exists(join(attempt.worktree, "tried"))) ? attempt : null;
      });
      expect(await usersSide(confined, { ours: [branch] })).toEqual(before);
      await own("tag", "mine");
      await writeFile(join(worktree, "go"), "");
      const end = await ask(confined, ["wait", begun.run.id]);
      expect<unknown>([end.run.isolation, ending(end.run)]).toEqual(["sandbox", PUSHED]);
      expect(end.run.notes.map(({ code, details }) => `${code} ${details.ref}`)).toEqual([
        "foreign_ref_moved refs/tags/mine",
      ]);
      for (const { name } of DEVIATIONS) tally("attack", `an agent that ${name}`, { under: "sandbox" });
    });
  },
);
