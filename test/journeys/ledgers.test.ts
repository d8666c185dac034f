/**
 * Tells what a start does if database, git, disk and processes disagree: it mends what is certain, shows the rest.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FindingDocument } from "../../src/contract/endpoints/repositories.ts";
import type { CleanAnswer } from "../../src/contract/endpoints/trash.ts";
import { ask, branchAt, ending, exists, PATIENCE_MS } from "../helpers/journey.ts";
import { IN_TEAM, onSqlite } from "../helpers/own-schema.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { tally } from "../helpers/tally.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

async function makeProduct(): Promise<Product> {
  const product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  return product;
}

/** The findings that are about the ledgers, after a start. */
async function restarted(product: Product): Promise<ReadonlyMap<string, FindingDocument>> {
  await product.killEngine();
  await product.tazuna(["list", "--json"]);
  return findings(product);
}

async function findings(product: Product): Promise<ReadonlyMap<string, FindingDocument>> {
  const end = await product.tazuna(["doctor", "--json"]);
  return new Map(end.json<{ findings: readonly FindingDocument[] }>().findings.map((one) => [one.id, one]));
}

/** Everything that sweeps by itself or when it is asked to. */
async function sweep(product: Product): Promise<CleanAnswer> {
  await product.tazuna(["trash", "empty", "--yes", "--json"]);
  return (await product.tazuna(["clean", "--yes", "--json"])).json<CleanAnswer>();
}

const run = (product: Product, script: string) => ask(product, ["run", script, "--agent", "doer"]);
const kinds = async (product: Product, attempt: string) =>
  (await product.tazuna(["activity", attempt, "--json"]))
    .json<{ operations: readonly { kind: string }[] }>()
    .operations.map(({ kind }) => kind);

/** Types what a remedy names, word for word, anywhere but in the repository. */
async function typed(product: Product, remedy: string): Promise<void> {
  const commands = [...remedy.matchAll(/`([^`]+)`/g)].map(([, command]) => command ?? "");
  expect(commands).not.toEqual([]);
  for (const command of commands) expect([command, await typedOne(command, product)]).toEqual([command, 0]);
}

function typedOne(command: string, { env, home }: Product): Promise<number> {
  const child = Bun.spawn(["sh", "-c", command], {
    cwd: home,
    env: { ...env },
    stdout: "ignore",
    stderr: "ignore",
  });
  return child.exited;
}

describe("what is unexplained", () => {
  test(deep("is counted at the start, shown by doctor and clean, and survives every sweep"), async () => {
    await using product = await makeProduct();
    const git = (...args: string[]) => product.sandbox.git(product.repository, args);
    const end = await run(product, "echo one > one.txt");
    const common = join(product.repository, ".git");
    const folders = [
      "worktrees/foreign",
      "trash/foreign",
      "trash/half-made-x",
      "trash/purge-x",
      "ignored/foreign",
      "runs/foreign",
    ];

    for (const folder of [
      ...folders,
      "attempts/foreign",
      "workspaces/foreign",
      "demos/foreign",
      "half-made-y",
    ]) {
      await mkdir(join(product.home, folder), { recursive: true });
      await writeFile(join(product.home, folder, "mine.txt"), "mine\n");
    }
    await writeFile(join(product.home, "worktrees/file"), "a person's\n");
    const head = end.run.commit ?? "";
    const refs = ["refs/tazuna/odd", "refs/tazuna/snapshots/foreign/1", "refs/tazuna/runs/foreign/before"];
    for (const ref of [...refs, "refs/heads/tazuna/foreign"]) await git("update-ref", ref, head);
    await git("worktree", "add", "-q", "--detach", join(product.home, "worktrees/registered"), "main");
    await rm(join(product.home, "worktrees/registered"), { recursive: true });
    const expected = [
      ...folders.map((folder) => folder.replace("/", ":")),
      ...["worktrees:file", "attempts:foreign", "workspaces:foreign", "demos:foreign", "root:half-made-y"],
      // Those of several owners are one finding.
      `refs:${common}:refs/tazuna`,
      `refs:${common}:refs/heads/tazuna/foreign`,
      `registration:${common}:${join(product.home, "worktrees/registered")}`,
    ].sort();
    const found = await restarted(product);
    const unexplained = (ids: readonly string[]) => ids.filter((id) => expected.includes(id)).sort();
    expect(unexplained([...found.keys()])).toEqual(expected);
    expect(expected.map((id) => found.get(id)?.level)).toEqual(expected.map(() => "warning"));
    expect(expected.filter((id) => !found.get(id)?.remedy || !found.get(id)?.why)).toEqual([]);
    expect(found.get("worktrees:foreign")).toMatchObject({
      bytes: 5,
      path: join(product.home, "worktrees/foreign"),
    });
    expect(found.get("worktrees:file")).toMatchObject({ bytes: 11 });
    const log = await readFile(join(product.home, "server.log"), "utf8");
    expect(log).toContain(`${expected.length} things are unexplained and kept; \`tazuna doctor\` shows`);
    const swept = await sweep(product);
    expect(swept.removed.map(({ id }) => id)).toEqual([end.attempt.id]);
    expect(unexplained(swept.kept.map(({ id }) => id))).toEqual(expected);
    const after = await restarted(product);
    expect(unexplained([...after.keys()])).toEqual(expected);
    for (const folder of folders) expect(await exists(join(product.home, folder, "mine.txt"))).toBe(true);
    const inGit = expected.filter((id) => /^(refs|registration):/.test(id));
    for (const id of inGit) await typed(product, after.get(id)?.remedy ?? "");
    const mended = await restarted(product);
    expect(inGit.filter((id) => mended.has(id))).toEqual([]);
    tally("fault", "things in the data folder and in git that the database never heard of");
  });

  test(deep("a process of a run that has ended is shown, and left alone"), async () => {
    await using product = await makeProduct();
    const end = await run(product, "echo one > one.txt");
    const left = Bun.spawn(["sleep", "600"], { env: { ...product.env, TAZUNA_RUN: end.run.id } });
    const found = (await restarted(product)).get(`process:${left.pid}`);
    expect(found).toMatchObject({ level: "warning", whose: `run ${end.run.id.slice(0, 8)}` });
    expect(found?.remedy).toContain(`kill ${left.pid}`);
    expect(left.exitCode).toBeNull();
    const kept = (await sweep(product)).kept.find(({ id }) => id === end.attempt.id);
    expect(kept?.reason).toContain(`process (${left.pid})`);
    left.kill("SIGKILL");
    await left.exited;
    expect((await findings(product)).has(`process:${left.pid}`)).toBe(false);
    tally("fault", "a process that outlived its run");
  });

  test.skipIf(IN_TEAM)(
    onSqlite(
      deep(
        "a database restored from before the attempts were made: all of them is shown, kept, and goes on being theirs",
      ),
    ),
    async () => {
      await using product = await makeProduct();
      await product.tazuna(["repo", "add", product.repository, "--json"]);
      await product.killEngine();
      const backup = join(product.sandbox.env.HOME ?? product.home, "backup");
      await cp(product.home, backup, {
        recursive: true,
        filter: (path) => path === product.home || /tazuna\.db/.test(path),
      });
      const pushed = await run(product, "echo one > one.txt");
      const canceled = await run(product, "echo two > two.txt");
      await ask(product, ["cancel", canceled.attempt.id]);
      await product.killEngine();
      for (const name of await readdir(product.home))
        if (name.startsWith("tazuna.db")) await rm(join(product.home, name));
      for (const name of await readdir(backup)) await cp(join(backup, name), join(product.home, name));
      const found = [...(await restarted(product)).keys()].join("\n");
      await sweep(product);
      await restarted(product);
      const { worktree, branch } = pushed.attempt;
      const place = worktree.slice(worktree.lastIndexOf("/") + 1);
      const common = join(product.repository, ".git");
      for (const id of [
        `worktrees:${place}`,
        `registration:${common}:${worktree}`,
        `refs:${common}:refs/heads/${branch}`,
        `refs:${common}:refs/tazuna`,
        `trash:${canceled.attempt.id}`,
        `runs:${pushed.run.id}`,
      ])
        expect(found).toContain(id);
      expect<unknown>({
        worktree: await readFile(join(worktree, "one.txt"), "utf8"),
        trash: await readFile(join(product.home, "trash", canceled.attempt.id, "two.txt"), "utf8"),
        log: await exists(join(product.home, "runs", canceled.run.id, "out.jsonl")),
        branch: await branchAt(product, product.repository, branch),
      }).toEqual({ worktree: "one\n", trash: "two\n", log: true, branch: pushed.run.commit });
      tally("fault", "a database restored from an old backup");
    },
  );
});

describe("what is certain", () => {
  test(
    deep("the registration of a removed attempt whose folder is gone is taken away, and no other one"),
    async () => {
      await using product = await makeProduct();
      const git = (...args: string[]) => product.sandbox.git(product.repository, args);
      const end = await run(product, "echo one > one.txt");
      const { id, worktree, branch } = end.attempt;
      await ask(product, ["cancel", id]);
      const theirs = join(product.home, "..", "unmounted");
      await git("worktree", "add", "-q", "--detach", theirs, "main");
      await rm(theirs, { recursive: true });
      await git("worktree", "add", "-q", "-b", branch, worktree, "main");
      await rm(worktree, { recursive: true });
      await restarted(product);
      const listed = await git("worktree", "list", "--porcelain");
      expect(listed).not.toContain(worktree);
      expect(listed).toContain("/unmounted");
      expect(await branchAt(product, product.repository, branch)).not.toBeNull();
      tally("fault", "a registration without a folder");
    },
  );

  test(
    deep(
      "a worktree that vanished is written down once, and the next follow-up makes it again from the branch",
    ),
    async () => {
      await using product = await makeProduct();
      const end = await run(product, "echo one > one.txt");
      const { id, worktree, branch } = end.attempt;
      await rm(worktree, { recursive: true });
      const lost = (await restarted(product)).get(`lost:${id}`);
      expect(lost).toMatchObject({ level: "warning", whose: `attempt ${id.slice(0, 8)}`, path: worktree });
      expect(lost?.remedy).toContain(`tazuna continue ${id.slice(0, 8)}`);
      await restarted(product);
      expect((await kinds(product, id)).filter((kind) => kind === "worktree_lost")).toHaveLength(1);
      const next = await ask(product, ["continue", id, "cat one.txt > two.txt"]);
      expect(ending(next.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
      expect([await readFile(join(worktree, "two.txt"), "utf8"), next.attempt.branch]).toEqual([
        "one\n",
        branch,
      ]);
      expect((await restarted(product)).has(`lost:${id}`)).toBe(false);
      await rm(worktree, { recursive: true });
      await restarted(product);
      expect((await kinds(product, id)).filter((kind) => kind === "worktree_lost")).toHaveLength(2);
      // Its branch too: what is typed is the same.
      await product.sandbox.git(product.repository, ["worktree", "prune"]);
      await product.sandbox.git(product.repository, ["branch", "-D", branch]);
      const both = (await restarted(product)).get(`lost:${id}`);
      expect(both?.what).toEndWith(`is gone, and so is its branch ${branch}.`);
      expect(both?.remedy).toStartWith(`\`tazuna continue ${id.slice(0, 8)} "Go on"\``);
      const again = await ask(product, ["continue", id.slice(0, 8), "cat two.txt > three.txt"]);
      expect(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
      expect(await readFile(join(worktree, "three.txt"), "utf8")).toBe("one\n");
      expect((await restarted(product)).has(`lost:${id}`)).toBe(false);
      tally("fault", "a worktree that vanished");
    },
  );

  test(
    deep("a repository that is gone proves nothing about its attempts: they are kept, and it is named"),
    async () => {
      await using product = await makeProduct();
      const end = await run(product, "echo one > one.txt");
      await rm(join(product.repository, ".git"), { recursive: true });
      const found = await restarted(product);
      const told = [...found.keys()].map((id) => id.slice(0, id.indexOf(":")));
      expect([told.includes("repository"), told.includes("lost"), told.includes("snapshots")]).toEqual([
        true,
        false,
        false,
      ]);
      const kept = (await sweep(product)).kept.find(({ id }) => id === end.attempt.id);
      expect(kept?.reason).toContain("Git cannot say what is in it");
      expect(await readFile(join(end.attempt.worktree, "one.txt"), "utf8")).toBe("one\n");
      tally("fault", "a repository that vanished");
    },
  );
});
