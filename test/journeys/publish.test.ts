/** Tells how commits reach a remote, or why they do not: many kinds of remotes, refusals, races, credentials. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import { configurationSchema } from "../../src/domain/configuration/schema.ts";
import { type GitHttpServer, gitHttpServer } from "../helpers/git-http-server.ts";
import {
  ask,
  branchAt,
  ending,
  exists,
  fileAt,
  gate,
  noteCodes,
  PATIENCE_MS,
  subjects,
  usersSide,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const COMMITTED = { status: "SUCCEEDED", outcome: "committed" };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });

/** A repository that takes patterns away would be asked about. */
const DENY = configurationSchema.parse({}).deny;

let product: Product;
let server: GitHttpServer;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  server = await gitHttpServer(dirname(product.origin), {
    password: { user: "una", password: "s3cret-word" },
  });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (repository: string, script: string, ...more: string[]) =>
  ask(product, ["run", script, "--agent", "doer", ...more], { cwd: repository });
/** A run of an attempt that was pushed before. If a person pushes to its branch now, they work on it too. */
async function oncePushed(script: string) {
  const first = await run(product.repository, "echo begun > begun.txt");
  return ask(product, ["continue", first.attempt.id, script, "--detach"]);
}
const config = async (repository: string, branch: string) =>
  (await git(repository, "config", "--local", "--get-regexp", `^branch\\.${branch}\\.`)).split("\n");

/** A clone of the origin in a repository of its own; `remote` is its origin's URL. */
async function clone(name: string, remote = product.origin): Promise<string> {
  const path = await product.sandbox.clone(product.origin, name);
  await git(path, "remote", "set-url", "origin", remote);
  return path;
}

test(deep("without a remote the base is the local branch and the commit stays here"), async () => {
  const repository = await product.sandbox.repository("alone");
  const tip = await git(repository, "rev-parse", "main");
  const end = await run(repository, "echo one > one.txt");
  expect<unknown>({
    code: end.code,
    ending: ending(end.run),
    base: end.attempt.base,
    branch: await branchAt(product, repository, end.attempt.branch),
  }).toEqual({
    code: 0,
    ending: COMMITTED,
    base: { branch: "main", sha: tip },
    branch: end.run.commit,
  });
  const next = await ask(product, ["continue", end.attempt.id, "echo two > two.txt"]);
  expect<unknown>(ending(next.run)).toEqual(COMMITTED);
  expect(await subjects(product, repository, end.attempt.branch)).toHaveLength(2);
});

test("a remote of another name than origin is used if it is the only one, and becomes the upstream", async () => {
  const repository = await clone("renamed");
  await git(repository, "remote", "rename", "origin", "upstream");
  const end = await run(repository, "echo one > one.txt");
  expect<unknown>({
    ending: ending(end.run),
    remote: await branchAt(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    remote: end.run.commit,
  });
  expect(await config(repository, end.attempt.branch)).toEqual([
    `branch.${end.attempt.branch}.remote upstream`,
    `branch.${end.attempt.branch}.merge refs/heads/${end.attempt.branch}`,
  ]);
});

test("`remote` and `push_remote` name where the base comes from and where branches go: a fork", async () => {
  const repository = await clone("forked");
  const fork = await product.sandbox.origin("fork.git", { empty: true });
  await git(repository, "remote", "add", "fork", fork);
  await configureRepository(repository, { remote: "origin", push_remote: "fork" });
  const tip = await product.sandbox.commitTo(product.origin, "main", { "fresh.txt": "x\n" });
  const end = await run(repository, "cat fresh.txt > one.txt");
  expect<unknown>({
    ending: ending(end.run),
    base: end.attempt.base.sha,
    origin: await branchAt(product, product.origin, end.attempt.branch),
    fork: await branchAt(product, fork, end.attempt.branch),
  }).toEqual({ ending: PUSHED, base: tip, origin: null, fork: end.run.commit });
  await product.sandbox.commitTo(fork, end.attempt.branch, { "theirs.txt": "t\n" });
  const next = await ask(product, ["continue", end.attempt.id, "cat theirs.txt > seen.txt"]);
  expect<unknown>({ ending: ending(next.run), notes: noteCodes(next.run) }).toEqual({
    ending: PUSHED,
    notes: ["synced"],
  });
  expect(await branchAt(product, fork, end.attempt.branch)).toBe(next.run.commit);
});

test.each(["commit", "hold"] as const)(
  "`publish: %s` commits and pushes nothing; a retry of the push publishes",
  async (publish) => {
    const repository = await clone(`publish-${publish}`);
    await configureRepository(repository, { publish });
    const end = await run(repository, "echo one > one.txt");
    expect<unknown>({
      ending: ending(end.run),
      remote: await branchAt(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: COMMITTED,
      remote: null,
    });
    const pushed = await ask(product, ["retry", end.run.id, "--from", "push"]);
    expect<unknown>({
      ending: ending(pushed.run),
      remote: await branchAt(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      remote: end.run.commit,
    });
  },
);

test("seed 003 Push with retry and RunService: a push that a remote hook refuses fails the run; the commit is kept (departs: the origin called it a success) (promise 5.3)", async () => {
  await using hook = await hookOfOrigin(
    "pre-receive",
    "cat > /dev/null; echo 'No pushes on Fridays.' >&2; exit 1",
  );
  const end = await run(product.repository, "echo one > one.txt");
  expect<unknown>({
    code: end.code,
    ending: ending(end.run),
    message: end.run.failure?.message,
    said: end.run.failure?.details.remote,
    here: await branchAt(product, product.repository, end.attempt.branch),
    there: await branchAt(product, product.origin, end.attempt.branch),
  }).toEqual({
    code: 1,
    ending: failed("push_rejected"),
    message: "The remote refused the push: [remote rejected] (pre-receive hook declined)",
    said: "No pushes on Fridays.",
    here: end.run.commit,
    there: null,
  });
  const table = await product.tazuna(["show", end.run.id]);
  expect(table.stdout).toContain("No pushes on Fridays.");
  const told = await product.tazuna(["wait", end.run.id]);
  expect(told.stdout).toContain("\n  remote: No pushes on Fridays.\n");
  const activity = (await product.tazuna(["activity", end.run.id, "--json"])).json<{
    operations: OperationDocument[];
  }>();
  expect(activity.operations.find(({ kind }) => kind === "push")).toMatchObject({
    status: "failed",
    after: { message: expect.stringContaining("hook declined") },
  });
  await hook.remove();
  const again = await ask(product, ["retry", end.run.id, "--from", "push"]);
  expect<unknown>(ending(again.run)).toEqual(PUSHED);
});

test("seed 003 Phase 3, Push with retry and GitService: after a non-fast-forward someone else's push is merged, and the push goes through", async () => {
  await using barrier = gate(product, "first");
  const started = await oncePushed(`${barrier.wait}; echo ours > ours.txt`);
  await barrier.reached();
  const theirs = await product.sandbox.commitTo(product.origin, started.attempt.branch, {
    "theirs.txt": "t\n",
  });
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  const log = await git(product.origin, "log", "-1", "--format=%P", end.attempt.branch);
  expect<unknown>({
    ending: ending(end.run),
    tip: await branchAt(product, product.origin, end.attempt.branch),
    parents: log.split(" ")[1],
    files: [
      await fileAt(product, product.origin, end.attempt.branch, "ours.txt"),
      await fileAt(product, product.origin, end.attempt.branch, "theirs.txt"),
    ],
  }).toEqual({ ending: PUSHED, tip: end.run.commit, parents: theirs, files: ["ours", "t"] });
  expect(noteCodes(end.run)).toEqual(["remote_merged"]);
});

test(
  deep(
    "seed 003 Push with retry and GitService: the push is tried again after two merges, then fails as push_rejected, the commit kept",
  ),
  async () => {
    const lucky = await race({ moves: 3 });
    expect<unknown>({ ending: ending(lucky.run), pushes: await pushesOf(lucky.run.id) }).toEqual({
      ending: PUSHED,
      pushes: 3,
    });
    const unlucky = await race({ moves: 50 });
    expect<unknown>({
      ending: ending(unlucky.run),
      pushes: await pushesOf(unlucky.run.id),
      message: unlucky.run.failure?.message,
      merging: await exists(
        await git(
          unlucky.attempt.worktree,
          "rev-parse",
          "--path-format=absolute",
          "--git-path",
          "MERGE_HEAD",
        ),
      ),
      status: await git(unlucky.attempt.worktree, "status", "--porcelain"),
      kept: await git(product.repository, "merge-base", unlucky.run.commit ?? "", unlucky.attempt.branch),
    }).toEqual({
      ending: failed("push_rejected"),
      pushes: 3,
      message: "The remote branch kept moving: after 2 merges the push was still refused.",
      merging: false,
      status: "",
      kept: unlucky.run.commit ?? "",
    });
  },
);

test("seed 003 Push with retry: after a conflict the pull is taken back and the commit kept, nothing of theirs overwritten", async () => {
  await using barrier = gate(product, "conflict");
  const started = await oncePushed(`${barrier.wait}; echo ours > same.txt`);
  await barrier.reached();
  const theirs = await product.sandbox.commitTo(product.origin, started.attempt.branch, {
    "same.txt": "theirs\n",
  });
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  expect<unknown>({
    code: end.code,
    ending: ending(end.run),
    paths: end.run.failure?.details.paths,
    head: await git(end.attempt.worktree, "rev-parse", "HEAD"),
    same: await readFile(join(end.attempt.worktree, "same.txt"), "utf8"),
    status: await git(end.attempt.worktree, "status", "--porcelain"),
    merging: await exists(
      await git(end.attempt.worktree, "rev-parse", "--path-format=absolute", "--git-path", "MERGE_HEAD"),
    ),
    remote: await branchAt(product, product.origin, end.attempt.branch),
  }).toEqual({
    code: 1,
    ending: failed("conflict"),
    paths: ["same.txt"],
    head: end.run.commit ?? "",
    same: "ours\n",
    status: "",
    merging: false,
    remote: theirs,
  });
});

test(
  deep("merged content that neither side had is judged; if rejected, it goes back until a person allows it"),
  async () => {
    const repository = await clone("merged-into-denied");
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");
    await writeFile(join(repository, "open.txt"), lines);
    await git(repository, "add", "-A");
    await git(repository, "commit", "--quiet", "-m", "Lines");
    await git(repository, "push", "--quiet", "origin", "main");
    await configureRepository(repository, { deny: [...DENY, "held.txt"] });
    const begun = await run(repository, "echo begun > begun.txt");
    await configureRepository(repository, { deny: [...DENY, "held.txt"], publish: "commit" });
    const first = await ask(product, ["continue", begun.attempt.id, "echo ours >> open.txt"], {
      env: { TAZUNA_PUBLISH: "commit" },
    });
    const { branch, worktree } = first.attempt;
    const renamed = { "open.txt": null, "held.txt": lines };
    const theirs = await product.sandbox.commitTo(product.origin, branch, renamed);
    const end = await ask(product, ["publish", first.attempt.id]);
    expect<unknown>({
      ending: ending(end.run),
      findings: end.run.failure?.details.findings,
      here: await branchAt(product, repository, branch),
      there: await branchAt(product, product.origin, branch),
      status: await git(worktree, "status", "--porcelain"),
    }).toEqual({
      ending: failed("gate_rejected"),
      findings: [expect.objectContaining({ rule: "denied_path", path: "held.txt" })],
      here: first.run.commit,
      there: theirs,
      status: "",
    });
    const unasked = await ask(product, ["publish", first.attempt.id]);
    expect<unknown>(ending(unasked.run)).toEqual(failed("gate_rejected"));
    const why = ["--allow", "denied_path", "--reason", "It is theirs"];
    const allowed = await ask(product, ["publish", first.attempt.id, ...why]);
    expect<unknown>({
      ending: ending(allowed.run),
      parents: await git(product.origin, "log", "-1", "--format=%P", branch),
    }).toEqual({ ending: PUSHED, parents: `${first.run.commit} ${theirs}` });
  },
);

test("what is denied is read when a run stages, not when it began", async () => {
  await using barrier = gate(product, "denied");
  const repository = await clone("gate-again");
  const started = await run(repository, `${barrier.wait}; echo ours > ours.txt`, "--detach");
  await barrier.reached();
  await configureRepository(repository, { deny: [...DENY, "ours.txt"] });
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  expect({ ending: ending(end.run), notes: noteCodes(end.run) }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "no_changes" },
    notes: ["left_out"],
  });
});

test("seed 003 Phase 3: a push over HTTP is authorised (departs: by the user's credential helper, not in a URL)", async () => {
  const repository = await clone("http", server.url("origin.git"));
  await credentials(repository, "s3cret-word");
  const end = await run(repository, "echo one > one.txt");
  expect<unknown>({
    ending: ending(end.run),
    remote: await branchAt(product, product.origin, end.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    remote: end.run.commit,
  });
});

test("a wrong password fails the fetch before anything begins; it neither asks nor hangs", async () => {
  const repository = await clone("http-wrong", server.url("origin.git"));
  await credentials(repository, "guess");
  const before = await usersSide(product, { path: repository });
  const end = await run(repository, "echo one > one.txt");
  expect<unknown>({
    code: end.code,
    ending: ending(end.run),
    kind: end.run.failure?.details.kind,
    worktree: await exists(end.attempt.worktree),
  }).toEqual({
    code: 1,
    ending: failed("fetch_failed"),
    kind: "remote_auth",
    worktree: false,
  });
  expect(await usersSide(product, { path: repository })).toEqual(before);
});

test("a password refused at the push is push_auth; the right one lets a retry push the commit (promise 5.3)", async () => {
  const repository = await clone("http-expired", server.url("origin.git"));
  await credentials(repository, "s3cret-word");
  await using barrier = gate(product, "expired");
  const started = await run(repository, `${barrier.wait}; echo one > one.txt`, "--detach");
  await barrier.reached();
  await credentials(repository, "expired");
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  expect<unknown>({
    ending: ending(end.run),
    here: await branchAt(product, repository, end.attempt.branch),
  }).toEqual({
    ending: failed("push_auth"),
    here: end.run.commit,
  });
  await credentials(repository, "s3cret-word");
  const again = await ask(product, ["retry", end.run.id, "--from", "push"]);
  expect<unknown>(ending(again.run)).toEqual(PUSHED);
});

test("a remote that lets me read but not write fails with push_auth", async () => {
  const repository = await clone("http-readonly", server.url("origin.git"));
  await credentials(repository, "s3cret-word");
  server.behave({ refusePushes: 403 });
  const end = await run(repository, "echo one > one.txt");
  server.behave({ refusePushes: null });
  expect<unknown>({
    ending: ending(end.run),
    here: await branchAt(product, repository, end.attempt.branch),
  }).toEqual({
    ending: failed("push_auth"),
    here: end.run.commit,
  });
});

test(
  deep("a remote that never answers is given up after `limits.git_s`, at the fetch and at the push"),
  async () => {
    await using own = await startProduct();
    await using silent = await gitHttpServer(dirname(own.origin));
    // All of its git has to be done in that time, on a busy machine too.
    await own.configure({ limits: { git_s: 10 } });
    await own.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    await git(own.repository, "remote", "set-url", "origin", silent.url("origin.git"));
    await using barrier = gate(own, "silent");
    const started = await ask(own, [
      "run",
      `${barrier.wait}; echo one > one.txt`,
      "--agent",
      "doer",
      "--detach",
    ]);
    await barrier.reached();
    silent.behave({ hang: true });
    const unfetched = ask(own, ["run", "echo one > one.txt", "--agent", "doer"]);
    await barrier.open();
    const unpushed = await ask(own, ["wait", started.run.id]);
    expect<unknown>([ending((await unfetched).run), ending(unpushed.run)]).toEqual([
      failed("fetch_failed"),
      failed("remote_unreachable"),
    ]);
    silent.behave({ hang: false });
    const again = await ask(own, ["retry", unpushed.run.id, "--from", "push"]);
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
  },
);

test(
  deep("`limits.git_s` is read from the repository when a run needs it, without a restart of the engine"),
  async () => {
    await using silent = await gitHttpServer(dirname(product.origin));
    const repository = await clone("silent", silent.url("origin.git"));
    silent.behave({ hang: true });
    await configureRepository(repository, { limits: { git_s: 5 } });
    const end = await run(repository, "echo one > one.txt");
    expect<unknown>([ending(end.run), end.run.failure?.message]).toEqual([
      failed("fetch_failed"),
      expect.stringContaining("longer than 5 s"),
    ]);
    silent.behave({ hang: false });
    await configureRepository(repository, { limits: { git_s: 60 } });
    const again = await ask(product, ["retry", end.run.id]);
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
  },
);

test("a password in the remote's own URL works and is written nowhere, also if it fails (promise 6.3)", async () => {
  const repository = await clone("http-url", server.urlWithPassword("origin.git"));
  const end = await run(repository, "echo one > one.txt");
  expect<unknown>(ending(end.run)).toEqual(PUSHED);
  const wrong = await clone("http-url-wrong", server.urlWithPassword("nowhere.git"));
  const lost = await run(wrong, "echo one > one.txt");
  expect<unknown>(ending(lost.run)).toEqual(failed("fetch_failed"));
  const listed = await product.tazuna(["activity", "--json"]);
  expect(`${JSON.stringify(lost.document)}${listed.stdout}`).not.toContain("s3cret-word");
  expect(await filesWith(product.home, "s3cret-word")).toEqual([]);
});

/** The user's helper knows this password from now on; it stays the same helper. */
async function credentials(repository: string, password: string): Promise<void> {
  await writeFile(`${repository}.password`, password);
  const helper = `!f() { echo username=una; echo password=$(cat '${repository}.password'); }; f`;
  await git(repository, "config", "credential.helper", helper);
}

async function configureRepository(repository: string, values: object): Promise<void> {
  await mkdir(join(repository, ".tazuna"), { recursive: true });
  await writeFile(join(repository, ".tazuna", "config.local.json"), JSON.stringify(values));
}

async function hookOfOrigin(name: string, script: string) {
  const path = join(product.origin, "hooks", name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  const remove = () => rm(path, { force: true });
  return { remove, [Symbol.asyncDispose]: remove };
}

/** A run whose remote branch is moved on by someone else whenever it was fetched, so many times. */
async function race({ moves }: { readonly moves: number }) {
  await using barrier = gate(product, `race-${moves}`);
  const started = await oncePushed(`${barrier.wait}; echo ours > ours.txt`);
  await barrier.reached();
  const { branch } = started.attempt;
  await product.sandbox.commitTo(product.origin, branch, { "theirs.txt": "t\n" });
  const left = join(product.home, `moves-${moves}`);
  await writeFile(left, ".".repeat(moves));
  const hook = join(product.sandbox.root, "move-branch.sh");
  const bare = `git --git-dir='${product.origin}'`;
  await writeFile(
    hook,
    `#!/bin/sh
"$@"
code=$?
unset GIT_DIR GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS
if [ -s '${left}' ]; then
  truncate -s -1 '${left}'
  tip=$(${bare} rev-parse 'refs/heads/${branch}')
  next=$(${bare} commit-tree -p "$tip" -m "Their next" "$tip^{tree}")
  ${bare} update-ref 'refs/heads/${branch}' "$next"
fi
exit $code
`,
    { mode: 0o755 },
  );
  await git(product.sandbox.home, "config", "--global", "uploadpack.packObjectsHook", hook);
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  await git(product.sandbox.home, "config", "--global", "--unset", "uploadpack.packObjectsHook");
  return end;
}

async function pushesOf(runId: string): Promise<number> {
  const listed = await product.tazuna(["activity", runId, "--json"]);
  const { operations } = listed.json<{ operations: { kind: string }[] }>();
  return operations.filter(({ kind }) => kind === "push").length;
}

/** Files below a folder that hold these bytes. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    if (content.includes(text)) found.push(path);
  }
  return found;
}
