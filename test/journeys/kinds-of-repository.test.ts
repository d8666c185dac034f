/** Tells how every kind of repository is worked on, end to end. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  ask,
  branchAt,
  changedPaths,
  ending,
  exists,
  fileAt,
  noteCodes,
  PAST_THE_GUARD,
  PATIENCE_MS,
  refused,
  usersSide,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const COMMITTED = { status: "SUCCEEDED", outcome: "committed" };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", `${PAST_THE_GUARD} . "$TAZUNA_INSTRUCTION_FILE"; echo Done.`);
  await git(product.sandbox.home, "config", "--global", "protocol.file.allow", "always");
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (repository: string, script: string, ...more: string[]) =>
  ask(product, ["run", script, "--agent", "doer", "--repo", repository, ...more]);
const next = (attempt: { readonly id: string }, script: string, ...more: string[]) =>
  ask(product, ["continue", attempt.id, script, ...more]);

describe("where the base comes from", () => {
  test("an empty repository fails with its remedy, and stays empty", async () => {
    const empty = await product.sandbox.repository("empty", { empty: true });
    const end = await run(empty, "echo one > one.txt");
    expect<unknown>({
      code: end.code,
      ending: ending(end.run),
      remedy: end.run.failure?.remedy,
      refs: await git(empty, "for-each-ref"),
    }).toEqual({
      code: 1,
      ending: failed("empty_repository"),
      remedy: `Make a first commit (\`git -C ${empty} commit --allow-empty -m "First commit"\`), then \`tazuna retry ${end.run.id.slice(0, 8)}\`.`,
      refs: "",
    });
    const clone = await product.sandbox.clone(
      await product.sandbox.origin("empty.git", { empty: true }),
      "empty-clone",
    );
    expect<unknown>(ending((await run(clone, "echo one > one.txt")).run)).toEqual(failed("empty_repository"));
  });

  test("a detached HEAD and an unset origin/HEAD: the remote is asked for its default branch", async () => {
    const origin = await product.sandbox.origin("trunk.git");
    const trunk = await product.sandbox.commitTo(origin, "trunk", { "trunk.txt": "t\n" });
    await git(origin, "symbolic-ref", "HEAD", "refs/heads/trunk");
    const repository = await product.sandbox.clone(origin, "detached");
    await git(repository, "remote", "set-head", "origin", "--delete");
    await git(repository, "checkout", "--quiet", "--detach", "origin/main");
    const before = await usersSide(product, { path: repository });
    const end = await run(repository, "echo one > one.txt");
    expect<unknown>({ ending: ending(end.run), base: end.attempt.base }).toEqual({
      ending: PUSHED,
      base: { branch: "trunk", sha: trunk },
    });
    expect(await usersSide(product, { path: repository, ours: [end.attempt.branch] })).toEqual(before);
  });

  test(
    deep("without a remote the branch that is checked out is the base; a detached HEAD leaves none"),
    async () => {
      const repository = await product.sandbox.repository("local");
      await git(repository, "switch", "--quiet", "-c", "topic");
      const tip = await product.sandbox.commit(repository, { "topic.txt": "t\n" });
      const end = await run(repository, "cat topic.txt > one.txt");
      expect<unknown>({ ending: ending(end.run), base: end.attempt.base }).toEqual({
        ending: COMMITTED,
        base: { branch: "topic", sha: tip },
      });
      await git(repository, "checkout", "--quiet", "--detach");
      const lost = await run(repository, "echo one > one.txt");
      expect<unknown>({
        code: lost.code,
        ending: ending(lost.run),
        remedy: lost.run.failure?.remedy,
      }).toEqual({
        code: 1,
        ending: failed("base_missing"),
        remedy: `Check out the branch to begin from in ${repository}, then \`tazuna retry ${lost.run.id.slice(0, 8)}\`. Or begin a new task with \`--base\` and its name.`,
      });
      expect<unknown>(ending((await run(repository, "echo one > one.txt", "--base", "topic")).run)).toEqual(
        COMMITTED,
      );
    },
  );

  test("a base that does not exist (any more) fails, naming the nearest", async () => {
    await product.sandbox.commitTo(product.origin, "release-2", { "r.txt": "2\n" });
    // Our own branches, which the remote has by now, are no bases.
    expect<unknown>(ending((await run(product.repository, "echo nought > nought.txt")).run)).toEqual(PUSHED);
    const end = await run(product.repository, "echo one > one.txt", "--base", "relaese-2");
    expect<unknown>({
      code: end.code,
      ending: ending(end.run),
      message: end.run.failure?.message,
      worktree: await exists(end.attempt.worktree),
    }).toEqual({
      code: 1,
      ending: failed("base_missing"),
      message:
        "There is no branch, tag or commit called relaese-2 in this repository or on origin. The nearest are: release-2, main.",
      worktree: false,
    });
  });

  test(
    deep("seed 003 Whole workflow: a base is a local branch, a tag, a commit or a branch of the remote"),
    async () => {
      const { sandbox, origin } = product;
      const repository = await sandbox.clone(origin, "named-bases");
      const main = await git(repository, "rev-parse", "HEAD");
      await git(repository, "tag", "-a", "-m", "first", "v1");
      await git(repository, "checkout", "-q", "-b", "mine");
      await git(repository, "commit", "-q", "--allow-empty", "-m", "one");
      const mine = await git(repository, "rev-parse", "HEAD");
      await git(repository, "commit", "-q", "--allow-empty", "-m", "two");
      const newest = await sandbox.commitTo(origin, "main", { "newest.txt": "1\n" });
      const said = async (...base: string[]) => {
        const end = await ask(product, [
          "run",
          "echo one > one.txt",
          "--agent",
          "doer",
          "--repo",
          repository,
          ...base,
        ]);
        const line = end.stderr.split("\n").find((each) => each.startsWith("Base: "));
        return {
          base: end.attempt.base,
          line,
          start: await git(repository, "rev-parse", `${end.run.commit}^`),
        };
      };
      const at = (branch: string | null, sha: string, line: string) => ({
        base: { branch, sha },
        line,
        start: sha,
      });
      const short = (sha: string) => sha.slice(0, 7);
      expect(await said("--base", "mine~1")).toEqual(
        at(null, mine, `Base: mine~1 ${short(mine)}; your checkout is 1 commit ahead`),
      );
      const tip = await git(repository, "rev-parse", "mine");
      expect(await said("--base", "mine")).toEqual(
        at("mine", tip, `Base: mine ${short(tip)}; your checkout is at the same commit`),
      );
      expect(await said("--base", "v1")).toEqual(
        at(null, main, `Base: v1 ${short(main)}; your checkout is 2 commits ahead`),
      );
      expect(await said("--base", short(main))).toEqual(
        at(null, main, `Base: ${short(main)}; your checkout is 2 commits ahead`),
      );
      const remote = `Base: origin/main ${short(newest)}; your checkout is 2 commits ahead and 1 behind`;
      expect(await said("--base", "origin/main")).toEqual(at("main", newest, remote));
      expect(await said()).toEqual(at("main", newest, remote));
    },
  );

  test("a configured base that is gone fails; --base chooses another", async () => {
    const repository = await product.sandbox.clone(product.origin, "configured-base");
    await mkdir(join(repository, ".tazuna"));
    await writeFile(join(repository, ".tazuna", "config.local.json"), JSON.stringify({ base: "develop" }));
    expect<unknown>(ending((await run(repository, "echo one > one.txt")).run)).toEqual(
      failed("base_missing"),
    );
    expect<unknown>(ending((await run(repository, "echo one > one.txt", "--base", "main")).run)).toEqual(
      PUSHED,
    );
  });

  test("a branch called `tazuna` stands in the way of ours: it is named, and a template avoids it", async () => {
    const repository = await product.sandbox.clone(product.origin, "blocked");
    await git(repository, "branch", "tazuna");
    const end = await run(repository, "echo one > one.txt");
    expect<unknown>({
      code: end.code,
      ending: ending(end.run),
      named: end.run.failure?.message.includes("tazuna"),
      tazuna: await branchAt(product, repository, "tazuna"),
    }).toEqual({
      code: 1,
      ending: failed("branch_name_blocked"),
      named: true,
      tazuna: await git(repository, "rev-parse", "main"),
    });
    await mkdir(join(repository, ".tazuna"));
    await writeFile(
      join(repository, ".tazuna", "config.local.json"),
      JSON.stringify({ branch: "agents/{slug}-{id8}" }),
    );
    const free = await run(repository, "echo one > one.txt", "--title", "Größe: Ünï 7!");
    expect<unknown>({ ending: ending(free.run), branch: free.attempt.branch }).toEqual({
      ending: PUSHED,
      branch: `agents/gro-e-uni-7-${free.run.id.slice(0, 8)}`,
    });
  });

  test("a branch whose name is taken gets a suffix", async () => {
    const repository = await product.sandbox.clone(product.origin, "taken");
    await mkdir(join(repository, ".tazuna"));
    await writeFile(
      join(repository, ".tazuna", "config.local.json"),
      JSON.stringify({ branch: "agents/{slug}" }),
    );
    const [first, second] = [
      await run(repository, "echo one > one.txt", "--title", "Say hello"),
      await run(repository, "echo two > two.txt", "--title", "Say hello"),
    ];
    expect<unknown>([first, second].map((end) => [ending(end.run), end.attempt.branch])).toEqual([
      [PUSHED, "agents/say-hello"],
      [PUSHED, "agents/say-hello-2"],
    ]);
  });
});

describe("clones that hold only a part", () => {
  test(
    deep("a shallow clone is worked on and followed up; unrelated histories are deepened once"),
    async () => {
      const origin = await product.sandbox.origin("deep.git");
      await product.sandbox.commitTo(origin, "main", { "two.txt": "2\n" });
      const below = await git(origin, "rev-parse", "main");
      await product.sandbox.commitTo(origin, "main", { "three.txt": "3\n" });
      const repository = join(product.sandbox.root, "shallow");
      await git(
        product.sandbox.root,
        "clone",
        "--quiet",
        "--depth=1",
        pathToFileURL(origin).href,
        repository,
      );
      expect(await git(repository, "rev-parse", "--is-shallow-repository")).toBe("true");
      await git(origin, "branch", "older", below);
      const older = await product.tazuna([
        "run",
        "true",
        "--agent",
        "doer",
        "--repo",
        repository,
        "--base",
        "older",
        "--json",
      ]);
      // The clone cannot count: it lacks what lies between the two.
      expect(older.json().attempts[0]?.started_from).toMatchObject({ name: "origin/older", ahead: null });
      const first = await run(repository, "echo one > one.txt");
      expect<unknown>(ending(first.run)).toEqual(PUSHED);
      await product.sandbox.commitTo(origin, first.attempt.branch, { "theirs.txt": "t\n" });
      const second = await next(first.attempt, "cat theirs.txt > seen.txt");
      expect<unknown>({ ending: ending(second.run), notes: noteCodes(second.run) }).toEqual({
        ending: PUSHED,
        notes: ["synced"],
      });
      // The base goes on from a commit that the clone never had.
      const other = await product.sandbox.clone(origin, "deep-writer");
      await git(other, "switch", "--quiet", "-C", "main", below);
      await product.sandbox.commit(other, { "beside.txt": "b\n" });
      await git(other, "push", "--quiet", "--force", "origin", "main");
      const third = await next(first.attempt, "cat beside.txt > merged.txt", "--merge-base");
      expect<unknown>({
        ending: ending(third.run),
        notes: noteCodes(third.run),
        merged: await fileAt(product, origin, first.attempt.branch, "merged.txt"),
      }).toEqual({ ending: PUSHED, notes: ["synced"], merged: "b" });
    },
  );

  test("seed 003 Phase 4 and Push with retry: a single-branch clone fetches any branch of the remote, and syncs (departs: by an explicit refspec)", async () => {
    await product.sandbox.commitTo(product.origin, "side", { "side.txt": "s\n" });
    const repository = await product.sandbox.clone(product.origin, "single", [
      "--single-branch",
      "--branch=main",
    ]);
    const end = await run(repository, "cat side.txt > one.txt", "--base", "side");
    expect<unknown>({ ending: ending(end.run), base: end.attempt.base.branch }).toEqual({
      ending: PUSHED,
      base: "side",
    });
    await product.sandbox.commitTo(product.origin, end.attempt.branch, { "theirs.txt": "t\n" });
    const second = await next(end.attempt, "cat theirs.txt > seen.txt");
    expect<unknown>({ ending: ending(second.run), notes: noteCodes(second.run) }).toEqual({
      ending: PUSHED,
      notes: ["synced"],
    });
    await product.sandbox.commitTo(product.origin, "side", { "newer.txt": "n\n" });
    const third = await next(end.attempt, "cat newer.txt > newest.txt", "--merge-base");
    expect<unknown>({
      ending: ending(third.run),
      newest: await fileAt(product, product.origin, end.attempt.branch, "newest.txt"),
    }).toEqual({ ending: PUSHED, newest: "n" });
  });

  test("a partial clone fetches what it lacks while it works", async () => {
    const origin = await product.sandbox.origin("partial.git");
    await product.sandbox.commitTo(origin, "main", { "big.txt": "big\n" });
    await git(origin, "config", "uploadpack.allowFilter", "true");
    await git(origin, "config", "uploadpack.allowAnySHA1InWant", "true");
    const repository = join(product.sandbox.root, "partial");
    await git(
      product.sandbox.root,
      "clone",
      "--quiet",
      "--filter=blob:none",
      "--no-checkout",
      pathToFileURL(origin).href,
      repository,
    );
    const end = await run(repository, "cat big.txt > one.txt; echo more >> big.txt");
    expect<unknown>({
      ending: ending(end.run),
      one: await fileAt(product, origin, end.attempt.branch, "one.txt"),
    }).toEqual({
      ending: PUSHED,
      one: "big",
    });
  });

  test("a sparse checkout is inherited, and what is outside it stays in the commit", async () => {
    const origin = await product.sandbox.origin("sparse.git");
    await product.sandbox.commitTo(origin, "main", { "in/a.txt": "a\n", "out/b.txt": "b\n" });
    const repository = await product.sandbox.clone(origin, "sparse");
    await git(repository, "sparse-checkout", "set", "in");
    const before = await usersSide(product, { path: repository });
    const end = await run(repository, "ls -A > in/list.txt; git commit -q --allow-empty -m moved");
    expect<unknown>({
      ending: ending(end.run),
      list: (await fileAt(product, origin, end.attempt.branch, "in/list.txt")).split("\n"),
      paths: await changedPaths(product, origin, end.attempt.branch),
      outside: await fileAt(product, origin, end.attempt.branch, "out/b.txt"),
    }).toEqual({
      ending: PUSHED,
      list: [".git", "README.md", "in"],
      paths: ["in/list.txt"],
      outside: "b",
    });
    expect(await usersSide(product, { path: repository, ours: [end.attempt.branch] })).toEqual(before);
  });
});

describe("submodules", () => {
  async function withSubmodule(name: string): Promise<{ repository: string; origin: string }> {
    const inner = await product.sandbox.origin(`${name}-inner.git`);
    const origin = await product.sandbox.origin(`${name}.git`);
    const repository = await product.sandbox.clone(origin, name);
    await git(repository, "submodule", "--quiet", "add", inner, "lib");
    await git(repository, "commit", "--quiet", "-m", "With a submodule");
    await git(repository, "push", "--quiet", "origin", "main");
    return { repository, origin };
  }

  test("`none` leaves them empty, and the commit keeps what they point at", async () => {
    const { repository, origin } = await withSubmodule("modules-none");
    const end = await run(repository, "ls -A lib > list.txt");
    const at = (revision: string) => git(origin, "rev-parse", `${revision}:lib`);
    expect<unknown>({
      ending: ending(end.run),
      list: await fileAt(product, origin, end.attempt.branch, "list.txt"),
      pointer: await at(end.attempt.branch),
    }).toEqual({ ending: PUSHED, list: "", pointer: await at("main") });
  });

  test("that hold commits of their own come back from the trash with them, as a restore brings the worktree", async () => {
    const { repository } = await withSubmodule("modules-trash");
    await mkdir(join(repository, ".tazuna"));
    await writeFile(join(repository, ".tazuna", "config.local.json"), JSON.stringify({ submodules: "init" }));
    const end = await run(repository, "cat lib/src/app.txt > one.txt");
    const lib = join(end.attempt.worktree, "lib");
    await writeFile(join(lib, "mine.txt"), "mine\n");
    await git(lib, "add", "-A");
    await git(lib, "commit", "--quiet", "-m", "Mine, nowhere else");
    const mine = await git(lib, "rev-parse", "HEAD");
    await ask(product, ["cancel", end.attempt.id], { cwd: repository });
    expect((await product.tazuna(["trash", "restore", end.attempt.id], { cwd: repository })).code).toBe(0);
    expect(await git(lib, "rev-parse", "HEAD")).toBe(mine);
    expect(await git(lib, "status", "--porcelain")).toBe("");
    expect(await git(end.attempt.worktree, "status", "--porcelain")).toBe(" M lib");
  });

  test(deep("`init` fills them; one that the agent dirtied stops the commit"), async () => {
    const { repository, origin } = await withSubmodule("modules-init");
    await mkdir(join(repository, ".tazuna"));
    await writeFile(join(repository, ".tazuna", "config.local.json"), JSON.stringify({ submodules: "init" }));
    const end = await run(repository, "cat lib/src/app.txt > one.txt");
    expect<unknown>({
      ending: ending(end.run),
      one: await fileAt(product, origin, end.attempt.branch, "one.txt"),
    }).toEqual({
      ending: PUSHED,
      one: "one\ntwo\nthree",
    });
    const dirty = await next(end.attempt, "echo dirt >> lib/src/app.txt; echo two > two.txt");
    expect<unknown>({ ending: ending(dirty.run), message: dirty.run.failure?.message }).toEqual({
      ending: failed("gate_rejected"),
      message: "the submodule lib has changes that this repository cannot hold.",
    });
    const cleaned = await next(end.attempt, "git -C lib checkout -q -- .");
    expect<unknown>({
      ending: ending(cleaned.run),
      paths: await changedPaths(product, origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      paths: ["two.txt"],
    });
    const hidden = await next(
      end.attempt,
      `cd lib; echo '*.tmp' >> "$('${Bun.which("git")}' rev-parse --git-path info/exclude)"; mkdir own; echo '*' > own/.gitignore; touch x.tmp own/y; echo three > ../three.txt`,
    );
    const told = hidden.run.notes.find(({ code }) => code === "hidden_by_own_rules");
    expect<unknown>([ending(hidden.run), told?.details]).toEqual([
      PUSHED,
      { count: 3, paths: ["lib/own/.gitignore", "lib/own/y", "lib/x.tmp"] },
    ]);
    // A clone of the branch could not fill a submodule at a commit that cannot be fetched.
    const commits = `cd lib; echo new > new.txt; git add -A; git commit -q -m New`;
    const own = await next(end.attempt, commits);
    expect<unknown>({ ending: ending(own.run), message: own.run.failure?.message }).toEqual({
      ending: failed("gate_rejected"),
      message: "the submodule lib is at a commit that its remote does not have: others could not fill it.",
    });
    await git(join(end.attempt.worktree, "lib"), "push", "--quiet", "origin", "HEAD:refs/heads/new");
    const pushed = await ask(product, ["continue", end.attempt.id], { cwd: repository });
    expect<unknown>([ending(pushed.run), await changedPaths(product, origin, end.attempt.branch)]).toEqual([
      PUSHED,
      ["lib"],
    ]);
  });
});

describe("Git LFS", () => {
  test(
    deep(
      "large files go in as pointers and are uploaded before the push; without git-lfs nothing is committed",
    ),
    async () => {
      const bin = join(product.sandbox.root, "lfs-bin");
      const store = join(product.sandbox.root, "lfs-store");
      await mkdir(bin);
      await mkdir(store);
      await writeFile(
        join(bin, "git-lfs"),
        `#!/bin/sh
case "$1" in
  version) echo "git-lfs/0.0.0 (a stand-in)";;
  clean) t=$(mktemp '${store}/new.XXXXXX'); cat > "$t"; id=$(sha256sum "$t" | cut -c1-64); mv "$t" "${store}/$id"; echo "pointer $id";;
  smudge) read -r _ id; cat "${store}/$id";;
  push) echo "$*" >> "${store}/pushes";;
  *) exit 1;;
esac
`,
        { mode: 0o755 },
      );
      const origin = await product.sandbox.origin("lfs.git");
      await product.sandbox.commitTo(origin, "main", {
        ".gitattributes": "*.psd filter=lfs diff=lfs merge=lfs -text\n",
      });
      await using own = await startProduct({ env: { PATH: `${bin}:${product.env.PATH}` } });
      await own.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
      for (const [key, value] of [
        ["filter.lfs.clean", "git-lfs clean -- %f"],
        ["filter.lfs.smudge", "git-lfs smudge -- %f"],
        ["filter.lfs.required", "true"],
      ] as const)
        await own.sandbox.git(own.sandbox.home, ["config", "--global", key, value]);
      const repository = await own.sandbox.clone(origin, "lfs");
      const end = await ask(own, ["run", "echo picture > a.psd", "--agent", "doer", "--repo", repository]);
      expect<unknown>({
        ending: ending(end.run),
        stored: (await fileAt(own, origin, end.attempt.branch, "a.psd")).startsWith("pointer "),
        pushes: await readFile(join(store, "pushes"), "utf8"),
      }).toEqual({ ending: PUSHED, stored: true, pushes: `push origin ${end.run.commit}\n` });

      const without = await product.sandbox.clone(origin, "lfs-without");
      const lacking = await run(without, "echo picture > b.psd");
      expect<unknown>({
        code: lacking.code,
        ending: ending(lacking.run),
        commit: lacking.run.commit,
        branch: await branchAt(product, without, lacking.attempt.branch),
      }).toEqual({
        code: 1,
        ending: failed("lfs_missing"),
        commit: null,
        branch: lacking.attempt.base.sha,
      });
    },
  );
});

describe("places and formats", () => {
  test(
    deep(
      "a repository that was moved is followed by `repo move`, its attempts with it; until then a run says so",
    ),
    async () => {
      const repository = await product.sandbox.clone(product.origin, "before the move");
      const end = await run(repository, "echo one > one.txt");
      const moved = join(product.sandbox.root, "after the move");
      await rename(repository, moved);
      const lost = await next(end.attempt, "echo two > two.txt");
      expect<unknown>({
        code: lost.code,
        ending: ending(lost.run),
        named: lost.run.failure?.message.includes(repository),
      }).toEqual({
        code: 1,
        ending: failed("worktree_lost"),
        named: true,
      });
      const id = end.document.task.repository.id;
      const answer = await product.tazuna(["repo", "move", id.slice(0, 8), moved, "--json"]);
      expect({
        code: answer.code,
        repositories: answer
          .json<{ repositories: { id: string; path: string }[] }>()
          .repositories.map((one) => [one.id, one.path]),
      }).toEqual({
        code: 0,
        repositories: [[id, moved]],
      });
      const found = await next(end.attempt, "cat one.txt > two.txt");
      expect<unknown>({
        ending: ending(found.run),
        two: await fileAt(product, product.origin, end.attempt.branch, "two.txt"),
        status: await git(end.attempt.worktree, "status", "--porcelain"),
      }).toEqual({
        ending: PUSHED,
        two: "one",
        status: "",
      });
      const wrong = await refused(product, [
        "repo",
        "move",
        id.slice(0, 8),
        await product.sandbox.repository("a stranger"),
      ]);
      expect([wrong.code, wrong.error.code]).toEqual([1, "another_repository"]);
    },
  );

  test("a bare repository can be worked on", async () => {
    const bare = join(product.sandbox.root, "bare.git");
    await git(product.sandbox.root, "clone", "--quiet", "--bare", product.origin, bare);
    const end = await run(bare, "echo one > one.txt");
    expect<unknown>({
      ending: ending(end.run),
      there: await branchAt(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      there: end.run.commit,
    });
    const second = await next(end.attempt, "cat one.txt > two.txt");
    expect<unknown>(ending(second.run)).toEqual(PUSHED);
  });

  test("a linked worktree is a checkout like any other, and stays untouched", async () => {
    const repository = await product.sandbox.clone(product.origin, "main-checkout");
    const linked = join(product.sandbox.root, "linked");
    await git(repository, "worktree", "add", "--quiet", "-b", "linked-topic", linked);
    await writeFile(join(linked, "draft.txt"), "draft\n");
    await git(linked, "add", "draft.txt");
    const before = [
      await usersSide(product, { path: repository }),
      await git(linked, "status", "--porcelain"),
    ];
    const end = await ask(product, ["run", "cat draft.txt > one.txt", "--agent", "doer", "--from-worktree"], {
      cwd: linked,
    });
    expect<unknown>({
      ending: ending(end.run),
      paths: await changedPaths(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      paths: ["draft.txt", "one.txt"],
    });
    const after = [
      await usersSide(product, { path: repository, ours: [end.attempt.branch] }),
      await git(linked, "status", "--porcelain"),
    ];
    expect(after).toEqual(before);
    for (const cwd of [repository, linked]) {
      const listed = await product.tazuna(["list", "--json"], { cwd });
      expect(listed.json<{ tasks: { task: unknown }[] }>().tasks).toMatchObject([
        { attempts: [{ id: end.attempt.id }] },
      ]);
    }
  });

  test("in a linked worktree without a remote, the branch that is checked out there is the base", async () => {
    const repository = await product.sandbox.repository("lonely");
    const linked = join(product.sandbox.root, "lonely-linked");
    await git(repository, "worktree", "add", "--quiet", "-b", "lonely-topic", linked);
    const tip = await product.sandbox.commit(linked, { "topic.txt": "t\n" });
    const end = await ask(product, ["run", "cat topic.txt > one.txt", "--agent", "doer"], { cwd: linked });
    expect<unknown>({ ending: ending(end.run), base: end.attempt.base }).toEqual({
      ending: COMMITTED,
      base: { branch: "lonely-topic", sha: tip },
    });
  });

  test("a repository with SHA-256 names works from the run to the push", async () => {
    const origin = await product.sandbox.origin("sha256.git", { objectFormat: "sha256" });
    const repository = await product.sandbox.clone(origin, "sha256");
    const end = await run(repository, "echo one > one.txt");
    const second = await next(end.attempt, "git commit -q --allow-empty -m mine; echo two > two.txt");
    expect<unknown>({
      endings: [ending(end.run), ending(second.run)],
      commit: second.run.commit?.length,
      there: await branchAt(product, origin, end.attempt.branch),
    }).toEqual({ endings: [PUSHED, PUSHED], commit: 64, there: second.run.commit });
    await ask(product, ["cancel", end.attempt.id]);
    expect(await branchAt(product, repository, end.attempt.branch)).toBeNull();
  });

  test(
    deep("a folder with a space, quotes and letters of all kinds is a folder like any other"),
    async () => {
      const repository = await product.sandbox.clone(
        product.origin,
        'it\'s a "strange" place — ディレクトリ',
      );
      await mkdir(join(repository, "sub", "-x"), { recursive: true });
      const end = await ask(product, ["run", "echo one > one.txt", "--agent", "doer"], {
        cwd: join(repository, "sub", "-x"),
      });
      expect<unknown>({ ending: ending(end.run), repository: end.document.task.repository.path }).toEqual({
        ending: PUSHED,
        repository,
      });
      const second = await next(end.attempt, "cat one.txt > two.txt");
      expect<unknown>(ending(second.run)).toEqual(PUSHED);
      await ask(product, ["cancel", end.attempt.id]);
      expect((await readdir(join(product.home, "trash"))).includes(end.attempt.id)).toBe(true);
    },
  );

  test("a folder with a line break in its name is refused, since git's answers cannot carry it", async () => {
    const repository = await product.sandbox.clone(product.origin, "two\nlines");
    const answer = await refused(product, ["run", "Hello", "--agent", "doer", "--repo", repository]);
    expect({
      code: answer.code,
      error: answer.error.code,
      branches: await git(repository, "branch", "--list", "tazuna/*"),
    }).toEqual({
      code: 2,
      error: "unusable_path",
      branches: "",
    });
  });

  test("a repository that is gone ends the run with its path, and nothing is made in its place", async () => {
    const repository = await product.sandbox.clone(product.origin, "doomed");
    const end = await run(repository, "echo one > one.txt");
    await rm(repository, { recursive: true });
    const lost = await next(end.attempt, "echo two > two.txt");
    expect<unknown>({
      code: lost.code,
      ending: ending(lost.run),
      there: await exists(repository),
      work: await exists(join(end.attempt.worktree, "one.txt")),
    }).toEqual({
      code: 1,
      ending: failed("worktree_lost"),
      there: false,
      work: true,
    });
  });
});
