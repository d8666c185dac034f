/** Tells what the guard refuses to agents that write git, and that the proof after the run finds the rest. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMarked } from "../../../src/utils/programs/process-identity.ts";
import {
  ask,
  branchAt,
  branchesOf,
  changedPaths,
  ending,
  noteCodes,
  PATIENCE_MS,
  type TaskEnd,
  usersSide,
} from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { underEach } from "../../helpers/sandbox.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const GIT = Bun.which("git") ?? "/usr/bin/git";
const ME = "-c user.name=x -c user.email=x@x";

let product: Product;

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
});
afterAll(() => product?.[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);

async function attack(name: string, script: string): Promise<TaskEnd> {
  await product.agent(name, script);
  const end = await ask(product, ["run", `Be ${name}`, "--agent", name]);
  expect(end.run.isolation).toBe("guard");
  return end;
}

/** References that the run's notes report. */
const moved = (end: TaskEnd) =>
  end.run.notes.flatMap(({ code, details }) => (code === "foreign_ref_moved" ? [details.ref] : []));

const inTree = (end: TaskEnd, name: string) => readFile(join(end.attempt.worktree, name), "utf8");

describe(underEach("guard", "what asks is refused"), () => {
  test("seed 003 Overall architecture and Phase 2: the guard refuses every git call that writes the repository; the files are published (departs: only calls that ask it) (promise 1.1)", async () => {
    const before = await usersSide(product);
    const end = await attack(
      "committer",
      `common=$(git rev-parse --path-format=absolute --git-common-dir); here=$PWD
       try() { "$@" >/dev/null 2>>told.txt && echo "$*" >> reached.txt; }
       echo x > new.txt; mkdir deep; : > reached.txt
       try git add -A; try git ${ME} commit --allow-empty -m evil; try git branch evil; try git tag evil
       try git update-ref refs/heads/evil HEAD; try git symbolic-ref HEAD refs/heads/evil; try git stash -u; try git gc --prune=now
       try git config core.hooksPath /tmp; try git worktree add /tmp/w-$TAZUNA_RUN; try git remote add evil /tmp/e
       try git push origin HEAD:evil; try git fetch; try git reset --hard; try git checkout -b evil; try git -c alias.ci=commit ci -m x
       try git init; try git --git-dir="$common" branch evil; try env GIT_DIR="$common" git branch evil
       try git -C "${product.repository}" branch evil; try git -C "$common" pack-refs --all; try sh -c 'cd deep && git add -A'
       try env -i PATH="$PATH" git branch evil; try bash -lc 'git branch evil'; try git hash-object -w new.txt
       git clone -q . /tmp/copy-$TAZUNA_RUN && cd /tmp/copy-$TAZUNA_RUN && git ${ME} commit -q --allow-empty -m evil && echo cloned > "$here/clone.txt"
       try git push origin HEAD:refs/heads/evil; try git push "${product.repository}" HEAD:refs/heads/evil; try git push "${product.origin}" HEAD:refs/heads/evil
       cd "$here"; rm -rf /tmp/copy-$TAZUNA_RUN
       git status --porcelain > status.txt && git log --oneline -1 >> status.txt && git diff && echo read >> status.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await inTree(end, "reached.txt")).toBe("");
    expect(await inTree(end, "clone.txt")).toBe("cloned\n");
    expect(await inTree(end, "status.txt")).toEndWith("\nread\n");
    expect(await inTree(end, "told.txt")).toContain("`git commit` was refused: Tazuna alone writes git");
    expect(end.run.notes).toEqual([]);
    expect(await usersSide(product, { ours: branchesOf(end) })).toEqual(before);
    expect(await changedPaths(product, product.origin, end.attempt.branch)).toContain("new.txt");
    expect(await branchAt(product, product.origin, "evil")).toBeNull();
  });

  test("a test suite that makes repositories of its own, with an `origin`, passes", async () => {
    const end = await attack(
      "tester",
      `set -e; dir=$(mktemp -d); git init -q --bare "$dir/hub.git"; git clone -q "$dir/hub.git" "$dir/work"
       (cd "$dir/work"; git config user.name T; git config user.email t@t; echo a > a; git add a; git commit -q -m a
        git checkout -q -b topic; git commit -q --allow-empty -m b; git checkout -q -; git merge -q topic; git tag v1
        git push -q origin HEAD:main v1; git fetch -q; git stash list; git worktree add -q ../second; git gc -q)
       git --git-dir="$dir/hub.git" log --format=%s main > "$PWD/passed.txt"; rm -rf "$dir"`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await inTree(end, "passed.txt")).toBe("b\na\n");
  });

  test("setup, checks and hooks are held as well; a hook that stages what it changed works", async () => {
    await writeFile(
      join(product.repository, ".git/hooks/pre-commit"),
      `#!/bin/sh\ngit branch evil 2> hook.local && echo reached >> hook.local; echo mended > mended.txt; git add mended.txt\n`,
      { mode: 0o755 },
    );
    await product.configure({
      hooks: "run",
      setup: ["git branch evil 2> setup.local && exit 7; true"],
      checks: [{ name: "spy", run: "git commit --allow-empty -m evil; echo code $? > check.local" }],
    });
    const end = await attack("plain", "echo plain > plain.txt");
    await product.configure({ hooks: "off", setup: [], checks: [] });
    await rm(join(product.repository, ".git/hooks/pre-commit"));
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await inTree(end, "setup.local")).toContain("`git branch` was refused");
    expect(await inTree(end, "hook.local")).not.toContain("reached");
    expect(await inTree(end, "check.local")).toBe("code 1\n");
    expect(await changedPaths(product, product.origin, end.attempt.branch)).toEqual([
      "mended.txt",
      "plain.txt",
    ]);
    expect(await branchAt(product, product.repository, "evil")).toBeNull();
  });

  test("an agent that writes over the guard's git has its way itself; what comes after it is guarded again", async () => {
    await product.configure({
      checks: [{ name: "spy", run: "git branch evil; echo code $? > check.local" }],
    });
    const end = await attack(
      "breaker",
      `shim=$(command -v git); rm -f "$shim"; printf '#!/bin/sh\\nexec ${GIT} "$@"\\n' > "$shim"; chmod +x "$shim"; git branch by-breaker; echo x > x.txt
       folder=$(dirname "$shim"); rm -r "$folder"; mkdir "$PWD/trap.local"; ln -s "$PWD/trap.local" "$folder"`,
    );
    await product.configure({ checks: [] });
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(moved(end)).toEqual(["refs/heads/by-breaker"]);
    expect(await readdir(join(end.attempt.worktree, "trap.local"))).toEqual([]);
    expect(await inTree(end, "check.local")).toBe("code 1\n");
    expect(await branchAt(product, product.repository, "evil")).toBeNull();
  });
});

describe(underEach("guard", "what does not ask gets past the guard, and is found"), () => {
  test.each([
    ["by its absolute path", GIT],
    ["with a wiped environment", "env -i git"],
    ["by a PATH of its own", `env PATH="${join(GIT, "..")}" git`],
  ])(
    "git %s: commits on its own branch are undone with the files kept, the rest is reported",
    async (title, call) => {
      const name = `around-${title.replaceAll(" ", "-")}`;
      const end = await attack(
        name,
        `echo one > one.txt; ${call} add -A; ${call} ${ME} commit -q -m sneaky; ${call} branch by-${name}; echo two > two.txt`,
      );
      expect<unknown>(ending(end.run)).toEqual(PUSHED);
      expect(noteCodes(end.run)).toContain("agent_commit_undone");
      expect(moved(end)).toEqual([`refs/heads/by-${name}`]);
      expect(await changedPaths(product, product.origin, end.attempt.branch)).toEqual(["one.txt", "two.txt"]);
      expect(await git(product.origin, "log", "--format=%s", `main..${end.attempt.branch}`)).not.toContain(
        "sneaky",
      );
      expect(
        await git(product.repository, "for-each-ref", `refs/tazuna/snapshots/${end.attempt.id}`),
      ).not.toBe("");
    },
  );

  test("a plain write into git's folder, as by a program with its own git, is reported (promise 1.4)", async () => {
    const end = await attack(
      "library",
      `common=$(git rev-parse --path-format=absolute --git-common-dir); git rev-parse HEAD > "$common/refs/heads/by-library"; echo x > x.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(moved(end)).toEqual(["refs/heads/by-library"]);
  });

  test("its pushes come nowhere: by the remote's name, its address and from a clone (promise 1.1)", async () => {
    const before = await git(product.origin, "for-each-ref");
    const end = await attack(
      "pusher",
      `for to in origin "${product.origin}"; do ${GIT} push "$to" HEAD:refs/heads/evil 2>> told.local && echo "$to" >> reached.txt; done
       ${GIT} clone -q "${product.origin}" /tmp/from-$TAZUNA_RUN && ${GIT} -C /tmp/from-$TAZUNA_RUN push origin HEAD:refs/heads/evil 2>> told.local && echo clone >> reached.txt
       rm -rf /tmp/from-$TAZUNA_RUN; git ls-remote --heads origin > remote.txt; echo x > x.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(existsSync(join(end.attempt.worktree, "reached.txt"))).toBe(false);
    expect((await inTree(end, "told.local")).split("only-tazuna-pushes").length).toBeGreaterThan(3);
    expect(await inTree(end, "remote.txt")).toContain("refs/heads/main");
    expect(
      (await git(product.origin, "for-each-ref"))
        .split("\n")
        .filter((line) => !line.includes(end.attempt.branch))
        .join("\n"),
    ).toBe(before);
  });
});

describe(underEach("guard", "what outlives its agent"), () => {
  const survivor = (mark: string, wiped: string) =>
    `trap '' HUP INT TERM
     for n in 1 2 3; do (setsid nohup ${wiped} sh -c "trap '' TERM; : > $n.local; while :; do sleep ${mark}; done" >/dev/null 2>&1 &) ; done
     until [ -e 1.local ] && [ -e 2.local ] && [ -e 3.local ]; do sleep 0.05; done; echo done > done.txt`;
  const uniqueTime = () => `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;

  test("is found by its mark and stopped, though it forked twice, left its session and ignores TERM", async () => {
    const mark = uniqueTime();
    const end = await attack("survivor", survivor(mark, ""));
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await sleeping(mark)).toEqual([]);
    expect(await findMarked({ name: "TAZUNA_RUN", value: end.run.id })).toEqual([]);
  });

  test("is found by its parents and stopped, if it wiped its environment as well", async () => {
    const mark = uniqueTime();
    const end = await attack("ghost", survivor(mark, 'env -i PATH="$PATH"'));
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await sleeping(mark)).toEqual([]);
  });

  test("is stopped with an agent that is stopped and ignores every signal", async () => {
    const mark = uniqueTime();
    await product.agent(
      "stubborn",
      `trap '' HUP INT TERM; (setsid sleep ${mark} &); echo up > up.txt; while :; do sleep ${mark}; done`,
    );
    const begun = await ask(product, ["run", "Be stubborn", "--agent", "stubborn", "--detach"]);
    await waitFor("both to sleep", async () => (await sleeping(mark)).length === 2);
    await ask(product, ["stop", begun.run.id]);
    const ended = await ask(product, ["wait", begun.run.id]);
    expect(ended.run.status).toBe("CANCELED");
    expect(await sleeping(mark)).toEqual([]);
  });
});

/** Pids of the processes that sleep for just this time. */
async function sleeping(mark: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
    if (line === `sleep\0${mark}\0`) found.push(pid);
  }
  return found;
}
