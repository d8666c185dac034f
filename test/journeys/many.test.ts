/** Tells that many attempts work on one repository at once while its user works there, and nothing is lost. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, branchAt, ending, noteCodes, processesOf } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { usersGit } from "../helpers/users-git.ts";

setDefaultTimeout(900_000);

const MANY = 32;
const MIN_ROUNDS = 3;

/** What the user did, as the repository has to show it afterwards. */
interface UsersDay {
  readonly commits: readonly string[];
  readonly stashed: number;
}

test(`seed 003 Folders: attempts at once have each a folder in \`worktrees/\`, and are pushed: ${MANY} (departs: beside \`workspaces/\`)`, async () => {
  await using product = await startProduct();
  const limits = { parallel: MANY, per_repository: MANY, per_login: MANY };
  await product.configure({ limits });
  await product.agent(
    "doer",
    'echo "$TAZUNA_RUN" > own.txt; echo "$TAZUNA_RUN" >> shared.txt; mkdir -p deep/er; echo x > deep/er/x.txt',
  );
  const git = (...args: string[]) => product.sandbox.git(product.repository, args);
  const start = await git("rev-parse", "main");
  const over = new AbortController();
  const day = workAsUser(product, over.signal);

  const end = await ask(product, ["run", "Leave your mark", ...Array(MANY).fill(["--agent", "doer"]).flat()]);
  over.abort();
  const { commits, stashed } = await day;

  expect({
    code: end.code,
    endings: end.attempts.flatMap(({ runs }) => runs.map(ending)),
    // The user's own commits, stashes and branches are reported, and nothing else was worth a word.
    notes: [...new Set(end.attempts.flatMap(({ runs }) => runs.flatMap(noteCodes)))].filter(
      (code) => code !== "foreign_ref_moved",
    ),
    branches: new Set(end.attempts.map(({ branch }) => branch)).size,
  }).toEqual({
    code: 0,
    endings: Array(MANY).fill({ status: "SUCCEEDED", outcome: "pushed" }),
    notes: [],
    branches: MANY,
  });
  for (const { branch, runs } of end.attempts) {
    const [run] = runs;
    const commit = await branchAt(product, product.origin, branch);
    expect({
      commit,
      log: await product.sandbox.git(product.origin, [
        "log",
        "-1",
        "--format=%P %(trailers:key=Tazuna-Run,valueonly,separator=%x2C)",
        branch,
      ]),
      files: await product.sandbox.git(product.origin, ["show", "--format=", "--name-only", branch]),
      own: await product.sandbox.git(product.origin, ["cat-file", "blob", `${branch}:own.txt`]),
    }).toEqual({
      commit: run?.commit ?? "",
      log: `${start} ${run?.id}`,
      files: "deep/er/x.txt\nown.txt\nshared.txt",
      own: run?.id ?? "",
    });
  }

  expect(commits.length).toBeGreaterThanOrEqual(MIN_ROUNDS);
  const ours = new Set(end.attempts.map(({ branch }) => branch));
  const branches = (await git("for-each-ref", "--format=%(refname:short)", "refs/heads")).split("\n");
  expect<unknown>({
    head: await git("symbolic-ref", "--short", "HEAD"),
    commits: (await git("log", "--reverse", "--format=%H", `${start}..main`)).split("\n"),
    stashes: (await git("stash", "list")).split("\n").filter(Boolean).length,
    branches: branches.filter((branch) => !ours.has(branch)),
    status: await git("status", "--porcelain"),
    tags: await git("tag", "--list"),
  }).toEqual({
    head: "main",
    commits,
    stashes: stashed,
    branches: ["main"],
    status: "?? draft.txt",
    tags: "",
  });

  const worktrees = (await git("worktree", "list", "--porcelain"))
    .split("\n")
    .filter((line) => line.startsWith("worktree "));
  expect({
    worktrees: worktrees.length,
    folders: (await readdir(join(product.home, "worktrees"))).length,
    locks: (await readdir(join(product.repository, ".git"), { recursive: true })).filter((name) =>
      name.endsWith(".lock"),
    ),
    processes: (
      await Promise.all(end.attempts.flatMap(({ runs }) => runs.map(({ id }) => processesOf(id))))
    ).flat(),
    fsck: await git("fsck", "--no-dangling", "--no-progress"),
  }).toEqual({ worktrees: MANY + 1, folders: MANY, locks: [], processes: [], fsck: "" });
});

/** A user at work in their own checkout until the signal; nothing of it fails. */
async function workAsUser(product: Product, signal: AbortSignal): Promise<UsersDay> {
  const git = usersGit(product.sandbox, product.repository);
  const write = (name: string, text: string) => writeFile(join(product.repository, name), text);
  const commits: string[] = [];
  let stashed = 0;
  await write("draft.txt", "never committed\n");
  for (let round = 1; !signal.aborted || round <= MIN_ROUNDS; round += 1) {
    await write("mine.txt", `${round}\n`);
    await git("add", "mine.txt");
    await git("commit", "--quiet", "-m", `My commit ${round}`);
    commits.push(await git("rev-parse", "HEAD"));
    await write("mine.txt", `stashed ${round}\n`);
    await git("stash", "push", "--quiet", "--", "mine.txt");
    stashed += 1;
    if (round % 2 === 0) {
      await git("stash", "drop", "--quiet");
      stashed -= 1;
    }
    await git("fetch", "--quiet", "origin");
  }
  return { commits, stashed };
}
