/** Tells what becomes of an agent that writes git, and of files that must not be published. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import {
  ask,
  branchAt,
  branchesOf,
  changedPaths,
  ending,
  exists,
  fileAt,
  gate,
  noteCodes,
  PAST_THE_GUARD,
  PATIENCE_MS,
  type TaskEnd,
  usersSide,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const REJECTED = { status: "FAILED", outcome: null, failure: "gate_rejected" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", `${PAST_THE_GUARD} . "$TAZUNA_INSTRUCTION_FILE"; echo Done.`);
  await writeFile(join(product.repository, "shared.txt"), "one\ntwo\nthree\n");
  await git(product.repository, "add", "-A");
  await git(product.repository, "commit", "--quiet", "-m", "Second");
  await git(product.repository, "push", "--quiet", "origin", "main");
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);

/** Where the attempt's own branch and HEAD are afterwards, on both sides, and what its commit follows. */
async function ownSide(end: TaskEnd) {
  const { worktree, branch } = end.attempt;
  return {
    head: await git(worktree, "symbolic-ref", "HEAD"),
    here: await branchAt(product, product.repository, branch),
    there: await branchAt(product, product.origin, branch),
    parents: await git(product.repository, "log", "-1", "--format=%P", branch),
    status: await git(worktree, "status", "--porcelain"),
    operation: await operations(worktree),
  };
}

/** The same if one commit follows the base and nothing else goes on. */
function oneCommit(end: TaskEnd) {
  return {
    head: `refs/heads/${end.attempt.branch}`,
    here: end.run.commit,
    there: end.run.commit,
    parents: end.attempt.base.sha ?? "",
    status: "",
    operation: [],
  };
}

async function operations(worktree: string): Promise<readonly string[]> {
  const dir = await git(worktree, "rev-parse", "--absolute-git-dir");
  const marks = [
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
  ];
  return (await readdir(dir)).filter((name) => marks.includes(name));
}

/** References that the run's notes report. */
function reported(run: RunDocument): readonly unknown[] {
  return run.notes.filter(({ code }) => code === "foreign_ref_moved").map(({ details }) => details.ref);
}

const undone = (run: RunDocument) => run.notes.find(({ code }) => code === "agent_commit_undone");

test("seed 003 Orchestrator: an agent's commits are undone, its files committed once by Tazuna, and a snapshot kept (promise 1.6)", async () => {
  const end = await run(
    "echo one > one.txt; git add -A; git commit -q -m first; echo two > two.txt; git add -A; git commit -q -m second; echo three > three.txt",
  );
  expect<unknown>({
    ending: ending(end.run),
    notes: noteCodes(end.run),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    notes: ["agent_commit_undone"],
    paths: ["one.txt", "three.txt", "two.txt"],
  });
  expect<unknown>(await ownSide(end)).toEqual(oneCommit(end));
  const { details } = undone(end.run) ?? {};
  const snapshot = String(details?.snapshot);
  expect(await git(product.repository, "log", "-3", "--format=%s", `${snapshot}^`)).toBe(
    "second\nfirst\nSecond",
  );
  expect((await git(product.repository, "ls-tree", "--name-only", snapshot)).split("\n")).toContain(
    "three.txt",
  );
});

test.each([
  [
    "switches to a branch of its own and commits there",
    "git switch -q -c WANDER; echo one > one.txt; git add -A; git commit -q -m wandered",
    ["refs/heads/WANDER"],
  ],
  [
    "detaches HEAD and commits",
    "git checkout -q --detach; echo one > one.txt; git add -A; git commit -q -m adrift",
    [],
  ],
  ["goes back behind its start", "echo one > one.txt; git reset -q --soft HEAD~1", []],
  ["deletes its own branch", 'git update-ref -d "$(git symbolic-ref HEAD)"; echo one > one.txt', []],
  ["points its branch at nothing", "git symbolic-ref HEAD refs/heads/WANDER; echo one > one.txt", []],
  [
    "stops in the middle of a merge",
    "git switch -q -c WANDER HEAD~1; echo theirs > one.txt; git add -A; git commit -q -m theirs; git switch -q -; echo one > one.txt; git add -A; git commit -q -m ours; git merge -q WANDER; echo one > one.txt",
    ["refs/heads/WANDER"],
  ],
  [
    "stops in the middle of a rebase",
    "git switch -q -c WANDER HEAD~1; echo theirs > one.txt; git add -A; git commit -q -m theirs; git switch -q -; echo one > one.txt; git add -A; git commit -q -m ours; git rebase -q WANDER; git add -A; echo one > one.txt; [ -e shared.txt ] || git show main:shared.txt > shared.txt",
    ["refs/heads/WANDER"],
  ],
  [
    "stops in the middle of a cherry-pick",
    "git switch -q -c WANDER HEAD~1; echo theirs > one.txt; git add -A; git commit -q -m theirs; git switch -q -; echo one > one.txt; git add -A; git commit -q -m ours; git cherry-pick WANDER; echo one > one.txt",
    ["refs/heads/WANDER"],
  ],
  ["leaves the index locked", 'echo one > one.txt; touch "$(git rev-parse --git-path index.lock)"', []],
  ["removes the .git of its worktree", "echo one > one.txt; rm .git", []],
  [
    "commits on a branch named like a tag and an option",
    "git tag -- -x 2>/dev/null; git switch -q -c WANDER/--deep; echo one > one.txt; git add -A; git commit -q -m deep",
    ["refs/heads/WANDER/--deep"],
  ],
])(
  "an agent that %s: branch and HEAD are put back, content kept, the rest reported",
  async (name, script, refs) => {
    const unique = `wander-${Bun.hash(name).toString(36)}`;
    const end = await run(script.replaceAll("WANDER", unique));
    expect<unknown>({
      ending: ending(end.run),
      reported: reported(end.run),
      paths: await changedPaths(product, product.origin, end.attempt.branch),
      one: await fileAt(product, product.origin, end.attempt.branch, "one.txt"),
    }).toEqual({
      ending: PUSHED,
      reported: refs.map((ref) => ref.replace("WANDER", unique)),
      paths: ["one.txt"],
      one: "one",
    });
    for (const ref of refs)
      expect(await git(product.repository, "rev-parse", ref.replace("WANDER", unique))).toMatch(
        /^[0-9a-f]{40}$/,
      );
    if (!script.includes("rm .git")) expect<unknown>(await ownSide(end)).toEqual(oneCommit(end));
  },
);

test("an agent that moves other references: each is reported with its reflog line, and nothing is undone (promise 1.7)", async () => {
  const main = await git(product.repository, "rev-parse", "main");
  const topic = await git(product.repository, "rev-parse", "main~1");
  await git(product.repository, "branch", "victim", "main");
  const end = await run(
    "echo one > one.txt; git tag agent-tag; git branch -f victim HEAD~1; git update-ref -m 'moved by the agent' refs/heads/main HEAD~1; echo kept > stashed.txt; git stash -q -u; echo two > two.txt",
  );
  const notes = end.run.notes.filter(({ code }) => code === "foreign_ref_moved");
  expect(notes.map(({ details: { ref, before, after } }) => [ref, before, after])).toEqual([
    ["refs/heads/main", main, topic],
    ["refs/heads/victim", main, topic],
    ["refs/stash", null, await git(product.repository, "rev-parse", "refs/stash")],
    ["refs/tags/agent-tag", null, main],
  ]);
  expect(notes.map(({ details }) => String(details.reflog).replace(/\{.*\}/, "{TIME}"))).toEqual([
    "main@{TIME} Una User <una@example.com> moved by the agent",
    "victim@{TIME} Una User <una@example.com> branch: Reset to HEAD~1",
    `stash@{TIME} Una User <una@example.com> WIP on ${end.attempt.branch}: ${main.slice(0, 7)} Second`,
    "null",
  ]);
  expect<unknown>({
    ending: ending(end.run),
    main: await git(product.repository, "rev-parse", "main"),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
    stashed: await git(product.repository, "show", "--name-only", "--format=", "stash@{0}^3"),
  }).toEqual({ ending: PUSHED, main: topic, paths: ["two.txt"], stashed: "one.txt\nstashed.txt" });
  await git(product.repository, "update-ref", "refs/heads/main", main);
  await git(product.repository, "stash", "drop");
});

test("what I commit, tag and branch meanwhile is mine: it is reported, and left as it is (promise 1.8)", async () => {
  await using barrier = gate(product, "user");
  const started = await run(`${barrier.wait}; echo one > one.txt`, "--detach");
  await barrier.reached();
  await product.sandbox.commit(product.repository, { "mine.txt": "mine\n" }, "My own work");
  await git(product.repository, "switch", "--quiet", "-c", "my-topic");
  const before = await usersSide(product, { ours: branchesOf(started) });
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  expect<unknown>({ ending: ending(end.run), reported: reported(end.run) }).toEqual({
    ending: PUSHED,
    reported: ["refs/heads/main", "refs/heads/my-topic"],
  });
  expect(await usersSide(product, { ours: branchesOf(end) })).toEqual(before);
  await git(product.repository, "switch", "--quiet", "main");
  await git(product.repository, "reset", "--quiet", "--hard", "HEAD~1");
});

test("attempts that work side by side are not reported to each other", async () => {
  const end = await ask(product, ["run", "echo one > one.txt", ...Array(4).fill(["--agent", "doer"]).flat()]);
  expect(end.attempts.map(({ runs }) => runs.map((one) => [ending(one), noteCodes(one)]))).toEqual(
    Array(4).fill([[PUSHED, []]]),
  );
});

test("an agent that deletes its worktree fails its run; the branch stays, and a follow-up makes the worktree again", async () => {
  const end = await run('echo one > one.txt; rm -rf "$PWD"');
  expect({
    ending: ending(end.run),
    branch: await branchAt(product, product.repository, end.attempt.branch),
  }).toEqual({
    ending: { status: "FAILED", outcome: null, failure: "worktree_lost" },
    branch: end.attempt.base.sha,
  });
  const next = await ask(product, ["continue", end.attempt.id, "echo two > two.txt"]);
  expect<unknown>({ ending: ending(next.run), notes: noteCodes(next.run) }).toEqual({
    ending: PUSHED,
    notes: ["worktree_restored"],
  });
});

test("an agent that removes .git is followed up in the same place, and nothing of its work is gone", async () => {
  const end = await run("echo one > one.txt; rm .git");
  const next = await ask(product, ["continue", end.attempt.id, "cat one.txt > two.txt"]);
  expect<unknown>({
    ending: ending(next.run),
    worktree: next.attempt.worktree,
    two: await fileAt(product, product.origin, end.attempt.branch, "two.txt"),
  }).toEqual({ ending: PUSHED, worktree: end.attempt.worktree, two: "one" });
});

test("what an agent put away to merge is in a snapshot, and not in the stash of the user (promise 2)", async () => {
  const end = await run(
    "git switch -q -c AWAY HEAD~1; echo theirs > one.txt; git add -A; git commit -q -m theirs; git switch -q -; echo one > one.txt; git add -A; git commit -q -m ours; echo away >> shared.txt; git merge -q --autostash AWAY; true",
  );
  const { details, message } = undone(end.run) ?? {};
  const stash = String(details?.stash);
  expect(message).toEndWith(`What it put away with --autostash is in ${stash}.`);
  expect(await git(product.repository, "show", `${stash}:shared.txt`)).toBe("one\ntwo\nthree\naway");
  expect(await git(product.repository, "stash", "list")).toBe("");
});

test("an agent that makes a repository of its own where .git was does not lead Tazuna astray", async () => {
  const end = await run(
    "rm .git; git init -q; echo one > one.txt; git add -A; git commit -q -m 'my own history'",
  );
  expect<unknown>({
    ending: ending(end.run),
    there: await branchAt(product, product.origin, end.attempt.branch),
    parents: await git(product.repository, "log", "-1", "--format=%P", end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    there: end.run.commit,
    parents: end.attempt.base.sha ?? "",
  });
});

test("seed 003 Orchestrator: an agent that pushes by itself changes nothing of what Tazuna publishes (departs: such a push is not always prevented)", async () => {
  const end = await run(
    "echo one > one.txt; git add -A; git commit -q -m sneaky; git push -q origin HEAD; echo two > two.txt",
  );
  expect<unknown>({
    ending: ending(end.run),
    notes: noteCodes(end.run),
    tip: await branchAt(product, product.origin, end.attempt.branch),
    two: await fileAt(product, product.origin, end.attempt.branch, "two.txt"),
    trailer: await git(
      product.origin,
      "log",
      "--format=%(trailers:key=Tazuna-Run,valueonly)",
      `main..${end.attempt.branch}`,
    ),
  }).toEqual({
    ending: PUSHED,
    notes: ["agent_commit_undone", "branch_renamed"],
    tip: end.run.commit,
    two: "two",
    trailer: expect.stringContaining(end.run.id),
  });
});

test("hooks and settings that an agent plants are not run by Tazuna's own git", async () => {
  const trap = join(product.home, "trap");
  const end = await run(`
common=$(git rev-parse --git-common-dir)
mkdir -p "$common/hooks" planted
for hook in pre-commit prepare-commit-msg commit-msg post-commit pre-push reference-transaction post-checkout post-index-change; do
  printf '#!/bin/sh\\necho %s >> "${trap}"\\n' "$hook" > "planted/$hook"
  chmod +x "planted/$hook"
  cp "planted/$hook" "$common/hooks/$hook"
done
printf '#!/bin/sh\\necho monitor >> "${trap}"\\n' > planted/monitor
chmod +x planted/monitor
git config core.fsmonitor "$PWD/planted/monitor"
git config core.sshCommand "$PWD/planted/monitor"
git config core.pager "$PWD/planted/monitor"
git config diff.external "$PWD/planted/monitor"
git config gpg.program "$PWD/planted/monitor"
git config remote.origin.uploadpack "$PWD/planted/monitor"
git config remote.origin.receivepack "$PWD/planted/monitor"
rm -f '${trap}'
echo one > one.txt`);
  const common = join(product.repository, ".git");
  const programs = ["core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "gpg.program"];
  for (const key of [...programs, "remote.origin.uploadpack", "remote.origin.receivepack"])
    await git(product.repository, "config", "--unset", key);
  for (const hook of await readdir(join(common, "hooks")))
    if (!hook.endsWith(".sample")) await rm(join(common, "hooks", hook));
  expect<unknown>({ ending: ending(end.run), trap: await readFile(trap, "utf8").catch(() => null) }).toEqual({
    ending: PUSHED,
    trap: null,
  });
});

test("seed 003 Phase 2 and AgentConstraints: new files that `deny` names are left out of the commit, and stay in the worktree (departs: `.env.example` may go in) (promise 6.1)", async () => {
  const end = await run(
    "echo S=1 > .env; echo S=1 > .env.example; mkdir keys; echo k > keys/my.key; echo c > cert.pem; echo one > one.txt; mkdir deep; echo S=2 > deep/.env.prod",
  );
  expect<unknown>({
    ending: ending(end.run),
    notes: end.run.notes.map(({ code, details }) => [code, details.path]),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
    stays: await readFile(join(end.attempt.worktree, ".env"), "utf8"),
  }).toEqual({
    ending: PUSHED,
    notes: [
      ["left_out", ".env"],
      ["left_out", "cert.pem"],
      ["left_out", "deep/.env.prod"],
      ["left_out", "keys/my.key"],
    ],
    paths: [".env.example", "one.txt"],
    stays: "S=1\n",
  });
  const blobs = await git(product.origin, "log", "--all", "--format=", "--name-only");
  expect(blobs).not.toContain("keys/my.key");
});

test(
  deep("of very many findings the first are told, the others counted, and what rejects is among the first"),
  async () => {
    const left = "mkdir many; for n in $(seq 120); do echo k > many/$n.key; done; echo one > one.txt";
    const end = await run(left);
    const { notes } = end.run;
    expect<unknown>({
      ending: ending(end.run),
      listed: notes.filter(({ code }) => code === "left_out").length,
      summary: notes.slice(50).map(({ code, message, details }) => [code, message, details]),
      paths: await changedPaths(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      listed: 50,
      summary: [
        [
          "more_findings",
          expect.stringContaining(`70 more findings are not listed (left_out 70). \`git -C "$(tazuna path`),
          { more: 70, rules: { left_out: 70 } },
        ],
      ],
      paths: ["one.txt"],
    });
    const big = "mkdir big; for n in $(seq 60); do head -c 1100000 /dev/zero > big/$n.bin; done";
    await product.configure({ gate: { max_file_mib: 1 } });
    const rejected = await run(`${left}; ${big}`);
    await product.configure({ gate: {} });
    const details = rejected.run.failure?.details as { findings: unknown[]; more_findings: number };
    expect<unknown>({
      ending: ending(rejected.run),
      message: rejected.run.failure?.message,
      findings: details.findings.length,
      more: details.more_findings,
      notes: noteCodes(rejected.run),
    }).toEqual({
      ending: REJECTED,
      message: "big/1.bin has 1 MiB, more than the 1 MiB allowed (and 59 more).",
      findings: 50,
      more: 10,
      notes: [...Array(50).fill("file_too_large"), "more_findings"],
    });
  },
);

test("a run that left only denied files has no changes", async () => {
  const end = await run("echo S=1 > .env");
  expect({ ending: ending(end.run), notes: noteCodes(end.run) }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "no_changes" },
    notes: ["left_out"],
  });
});

test("a tracked file that `deny` names and that changed stops the commit; its deletion does not (promise 6.1)", async () => {
  const base = await product.sandbox.commitTo(product.origin, "with-env", {
    ".env": "S=1\n",
    "app.txt": "a\n",
  });
  const end = await run("echo S=2 > .env; echo b > app.txt", "--base", "with-env");
  expect<unknown>({
    code: end.code,
    ending: ending(end.run),
    message: end.run.failure?.message,
    commit: end.run.commit,
    branch: await branchAt(product, product.repository, end.attempt.branch),
    env: await readFile(join(end.attempt.worktree, ".env"), "utf8"),
    status: await git(end.attempt.worktree, "status", "--porcelain"),
  }).toEqual({
    code: 1,
    ending: REJECTED,
    message: ".env is tracked, matches `deny` and was changed.",
    commit: null,
    branch: base,
    env: "S=2\n",
    status: " M .env\n M app.txt",
  });
  const mended = await ask(product, ["continue", end.attempt.id, "git show HEAD:.env > .env"]);
  expect<unknown>({
    ending: ending(mended.run),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    paths: ["app.txt"],
  });
  const deleted = await run("rm .env", "--base", "with-env");
  expect<unknown>(ending(deleted.run)).toEqual(PUSHED);
});

test(
  deep("a file that is too large stops the commit; `gate` decides what is too large and what becomes of it"),
  async () => {
    const script = "head -c 3000000 /dev/zero > big.bin; echo one > one.txt";
    expect<unknown>(ending((await run(script)).run)).toEqual(PUSHED);
    await product.configure({ gate: { max_file_mib: 1 } });
    const rejected = await run(script);
    expect<unknown>({
      ending: ending(rejected.run),
      message: rejected.run.failure?.message,
      stays: await exists(join(rejected.attempt.worktree, "big.bin")),
    }).toEqual({
      ending: REJECTED,
      message: "big.bin has 2.9 MiB, more than the 1 MiB allowed.",
      stays: true,
    });
    await product.configure({ gate: { max_file_mib: 1, rules: { file_too_large: "report" } } });
    const reported = await run(script);
    expect<unknown>({ ending: ending(reported.run), notes: noteCodes(reported.run) }).toEqual({
      ending: PUSHED,
      notes: ["file_too_large", "binary_file"],
    });
    await product.configure({ gate: {} });
  },
);

test.each([
  [
    "with a commit",
    "git init -q inner; echo x > inner/x.txt; git -C inner add -A; git -C inner commit -q -m inner; echo one > one.txt",
  ],
  ["without a commit", "git init -q inner; echo x > inner/x.txt; echo one > one.txt"],
])("a repository %s inside the worktree stops the commit and is named", async (_, script) => {
  const end = await run(script);
  expect<unknown>({
    ending: ending(end.run),
    named: end.run.failure?.message.includes("inner"),
    stays: await exists(join(end.attempt.worktree, "inner", "x.txt")),
    commit: end.run.commit,
  }).toEqual({ ending: REJECTED, named: true, stays: true, commit: null });
  const mended = await ask(product, ["continue", end.attempt.id, "rm -rf inner/.git"]);
  expect<unknown>({
    ending: ending(mended.run),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    paths: ["inner/x.txt", "one.txt"],
  });
});

test("a repository in an ignored folder is ignored", async () => {
  const end = await run("mkdir -p node_modules/dep; git init -q node_modules/dep; echo one > one.txt");
  expect<unknown>({
    ending: ending(end.run),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    paths: ["one.txt"],
  });
});

test("files of `copy` and .worktreeinclude are there for the agent and never committed, even if it un-ignores them", async () => {
  await mkdir(join(product.repository, "config"));
  await writeFile(join(product.repository, "config", "app.local"), "mine\n");
  await writeFile(join(product.repository, "other.local"), "other\n");
  await writeFile(join(product.repository, "unwanted.local"), "unwanted\n");
  await writeFile(join(product.repository, ".worktreeinclude"), "other.local\n");
  await product.configure({ copy: ["config/*.local"] });
  const end = await run("ls -A . config > seen.txt; echo > .gitignore; echo changed >> config/app.local");
  await product.configure({ copy: [] });
  await rm(join(product.repository, ".worktreeinclude"));
  const seen = await fileAt(product, product.origin, end.attempt.branch, "seen.txt");
  expect<unknown>({
    ending: ending(end.run),
    seen: [seen.includes("app.local"), seen.includes("other.local"), seen.includes("unwanted.local")],
    notes: end.run.notes.map(({ code, details }) => [code, details.path]),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    seen: [true, true, false],
    notes: [
      ["left_out", "config/app.local"],
      ["left_out", "other.local"],
    ],
    paths: [".gitignore", "seen.txt"],
  });
});

test("whatever an agent calls its files, they arrive: spaces, line breaks, options, quotes, links, executables", async () => {
  const end = await run(`
printf 1 > 'with space.txt'
printf 2 > 'line
break.txt'
printf 3 > ./-x
printf 4 > 'quo"te.txt'
printf 5 > 'ünïcödé.txt'
printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh
ln -s shared.txt link
mkdir -p 'a b/--c'; printf 6 > 'a b/--c/d'
: > empty
rm shared.txt`);
  const tree = await git(product.origin, "ls-tree", "-r", "-z", end.attempt.branch);
  expect<unknown>({
    ending: ending(end.run),
    names: tree
      .split("\0")
      .filter(Boolean)
      .map((line) => `${line.slice(0, 6)} ${line.split("\t").slice(1).join("\t")}`),
    link: await readlink(join(end.attempt.worktree, "link")),
  }).toEqual({
    ending: PUSHED,
    names: [
      "100644 -x",
      "100644 .gitignore",
      "100644 README.md",
      "100644 a b/--c/d",
      "100644 empty",
      "100644 line\nbreak.txt",
      "120000 link",
      '100644 quo"te.txt',
      "100755 run.sh",
      "100644 with space.txt",
      "100644 ünïcödé.txt",
    ],
    link: "shared.txt",
  });
});
