import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { unreadFindings } from "../../src/domain/publish/content-rules.ts";
import { judgePaths, type StagedPath, withContent } from "../../src/domain/publish/gate.ts";
import { clearIndexFlags } from "../../src/git/index/index-flags.ts";
import { listStaged } from "../../src/git/index/list-staged.ts";
import { visitBlobs } from "../../src/git/index/read-blobs.ts";
import { listIndexGitlinks } from "../../src/git/index/submodule.ts";
import { unstage, unstageAll } from "../../src/git/index/unstage.ts";
import { listUnstaged } from "../../src/git/index/unstaged-files.ts";
import type { Git, GitOptions, GitTarget } from "../../src/git/runner/run-git.ts";
import { findWork } from "../../src/git/worktree/uncommitted.ts";
import { inTurns } from "../../src/utils/time/turns.ts";
import { productGit, TEST_TIMEOUT_MS } from "../git/scene.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const MANY = 5_000;
const PATHS = Array.from({ length: MANY }, (_, at) => `folder-${Math.floor(at / 100)}/some-file-${at}.txt`);

interface Call {
  readonly args: readonly string[];
  readonly options: GitOptions;
  /** Characters that were held at once. */
  readonly answered: number;
}

/** A repository whose index has many new files of one content, and every call of git that is made. */
async function manyStaged() {
  const stack = new AsyncDisposableStack();
  const sandbox = stack.use(await gitSandbox());
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { "first.txt": "first\n" });
  const target: GitTarget = { gitDir: `${repo}/.git`, workTree: repo };
  const real = productGit(sandbox);
  const blob = (await real.run(target, ["rev-parse", "HEAD:first.txt"]))._unsafeUnwrap().stdout.trim();
  const stdin = PATHS.map((path) => `100644 ${blob}\t${path}\0`).join("");
  (await real.run(target, ["update-index", "-z", "--index-info"], { stdin }))._unsafeUnwrap();
  const calls: Call[] = [];
  const git: Git = {
    ...real,
    run: async (at, args, options = {}) => {
      const ended = await real.run(at, args, options);
      calls.push({ args, options, answered: ended.isOk() ? ended.value.stdout.length : 0 });
      return ended;
    },
  };
  return { git, real, target, calls, blob, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const added = (path: string): StagedPath => ({
  path,
  change: "added",
  inHead: false,
  mode: "100644",
  bytes: 2,
  sha: "0".repeat(40),
});

describe("of very many files", () => {
  test(deep("no list is held as one text, and git that is asked twice tells nothing twice"), async () => {
    await using at = await manyStaged();
    const { entries, stat } = (await listStaged(at.git, at.target))._unsafeUnwrap();
    expect(entries.map(({ path }) => path)).toEqual(PATHS.toSorted());
    expect(entries.every(({ size, sha }) => size === 6 && sha === at.blob)).toBe(true);
    expect(stat).toEqual({ files: MANY, additions: MANY, deletions: 0 });
    expect((await listIndexGitlinks(at.git, at.target))._unsafeUnwrap()).toEqual([]);
    expect((await clearIndexFlags(at.git, at.target))._unsafeUnwrap()).toEqual([]);
    // They are in the index and nowhere else, and `first.txt` is everywhere.
    expect((await listUnstaged(at.git, at.target))._unsafeUnwrap()).toEqual(PATHS.toSorted());
    expect((await findWork(at.git, at.target))._unsafeUnwrap().uncommitted).toHaveLength(MANY);
    // A hundred characters and more of each are in git's answers.
    for (const { args, answered } of at.calls) expect(answered, args.join(" ")).toBeLessThan(10 * MANY);

    const twice: Git = {
      ...at.real,
      run: async (...call) => {
        await at.real.run(...call);
        return at.real.run(...call);
      },
    };
    expect((await listStaged(twice, at.target))._unsafeUnwrap()).toEqual({ entries, stat });
  });

  test("none is compared with each of the others to take it out of the index", async () => {
    await using at = await manyStaged();
    const [kept = "", ...out] = PATHS;
    (await unstage(at.git, at.target, out))._unsafeUnwrap();
    const { entries } = (await listStaged(at.real, at.target))._unsafeUnwrap();
    expect(entries.map(({ path }) => path)).toEqual([kept]);
    (await unstageAll(at.git, at.target))._unsafeUnwrap();
    expect((await listStaged(at.real, at.target))._unsafeUnwrap().entries).toEqual([]);
    for (const { args, options } of at.calls)
      if (args.some((word) => word.includes("pathspec"))) expect(options.stdin ?? "").toBe("");
  });

  test("each path is judged once, and others can work after each", async () => {
    let asked = 0;
    const policy = {
      isDenied: (path: string) => {
        asked++;
        return path.endsWith("-7.txt");
      },
      maxFileBytes: 1024,
      levels: {},
    };
    const facts = {
      staged: { [Symbol.iterator]: () => Iterator.from(PATHS).map(added) },
      nestedRepositories: [],
      submodules: [],
      closedFolders: [],
      setAside: new Set<string>(),
      copiedIn: new Set<string>(),
      leftByChecks: new Map<string, string>(),
      setup: { untouched: new Set<string>(), changed: new Set<string>() },
    };
    let yields = 0;
    const steps = judgePaths(facts, policy);
    const counted = (function* () {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) return step.value;
        yields++;
        yield;
      }
    })();
    const content = { staged: facts.staged, inContent: [] };
    const verdict = await inTurns(withContent(await inTurns(counted), content, policy));
    expect({ asked, yields, leftOut: verdict.leftOut }).toEqual({
      asked: MANY,
      yields: MANY,
      leftOut: ["folder-0/some-file-7.txt"],
    });
  });

  test("unread files are one more finding, told first, which cannot be allowed", () => {
    const [rest, ...told] = unreadFindings(PATHS, "it took too long");
    expect(told.map(({ path }) => path)).toEqual(PATHS.slice(0, 1000));
    expect(rest).toMatchObject({ rule: "not_scanned", level: "reject", path: PATHS[1000], final: true });
    expect(rest?.message).toStartWith(`${PATHS[1000]} and ${MANY - 1001} more files were not read`);
    expect(unreadFindings(PATHS.slice(0, 1000), "it took too long")).toEqual(told);
  });

  test("others work between two blobs whose reading took long", async () => {
    await using at = await manyStaged();
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const seen: number[] = [];
    const blobs = Array.from({ length: 4 }, () => ({ sha: at.blob, size: 6 }));
    const visited = await visitBlobs(at.real, at.target, blobs, async () => {
      seen.push(turns);
      for (const until = performance.now() + 30; performance.now() < until; );
      return true;
    });
    clearImmediate(next);
    expect(visited.isOk()).toBe(true);
    expect(new Set(seen).size).toBe(4);
  });
});
