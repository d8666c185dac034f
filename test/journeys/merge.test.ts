/** Tells how an attempt is merged into the branch that it began from, and what is never touched by that. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MergeDocument } from "../../src/contract/endpoints/landing.ts";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import type { AttemptDocument } from "../../src/contract/task-document.ts";
import { ask, noteCodes, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

/** A clone of the origin of its own, on a branch of the person's own, so that nothing holds `main`. */
async function checkout(name: string, branch = "mine"): Promise<Place> {
  const path = await product.sandbox.clone(product.origin, name);
  await product.sandbox.git(path, ["remote", "set-url", "origin", await ownOrigin(path, name)]);
  if (branch !== "main") await product.sandbox.git(path, ["switch", "--quiet", "--create", branch]);
  const git = (...args: string[]) => product.sandbox.git(path, args);
  return {
    path,
    git,
    at: (ref) => git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`).catch(() => null),
    run: (script, ...more) => ask(product, ["run", script, "--agent", "doer", ...more], { cwd: path }),
    merge: async (id, ...more) => {
      const end = await product.tazuna(["merge", id, ...more, "--json"], { cwd: path });
      if (end.code !== 0) throw new Error(end.stdout);
      return end.json<{ merge: MergeDocument }>().merge;
    },
    refusal: (id, ...more) => refused(product, ["merge", id, ...more], { cwd: path }),
  };
}

async function ownOrigin(path: string, name: string): Promise<string> {
  const bare = join(product.sandbox.root, `${name}.git`);
  await product.sandbox.git(path, ["clone", "--quiet", "--bare", product.origin, bare]);
  return bare;
}

interface Place {
  readonly path: string;
  git(...args: string[]): Promise<string>;
  /** The commit of a revision; null if there is none. */
  at(ref: string): Promise<string | null>;
  run(script: string, ...more: string[]): ReturnType<typeof ask>;
  merge(id: string, ...more: string[]): Promise<MergeDocument>;
  refusal(id: string, ...more: string[]): ReturnType<typeof refused>;
}

const show = async (id: string) =>
  (await product.tazuna(["show", id, "--json"])).json<AttemptDocument>() as AttemptDocument;

const parents = async (place: Place, commit: string) =>
  (await place.git("show", "--no-patch", "--format=%P", commit)).split(" ");

async function mergeOperation(id: string): Promise<OperationDocument> {
  const { operations } = (await product.tazuna(["activity", id, "--json"])).json<{
    operations: readonly OperationDocument[];
  }>();
  const found = operations.find(({ kind }) => kind === "merge_attempt");
  if (found === undefined) throw new Error("no merge");
  return found;
}

test("a merge leaves a dirty checkout as it is byte for byte, is known, goes on and is undone (promise 3.1)", async () => {
  const place = await checkout("beside");
  await writeFile(join(place.path, "README.md"), "my own words\n");
  await writeFile(join(place.path, "staged.txt"), "staged\n");
  await place.git("add", "staged.txt");
  await writeFile(join(place.path, "untracked.txt"), "mine\n");
  const first = await place.run("echo one > one.txt");
  const { id, branch } = first.attempt;
  const main = (await place.at("main")) ?? "";
  const before = await usersSide(product, { path: place.path, ours: [branch, "main"] });
  const merged = await place.merge(id);
  expect(await parents(place, merged.commit)).toEqual([main, first.run.commit ?? ""]);
  expect(merged).toMatchObject({
    target: "main",
    by: "tazuna",
    remote: { branch: "origin/main", ahead: 2, behind: 0 },
  });
  expect(await place.git("show", "--no-patch", "--format=%an%n%B", merged.commit)).toMatch(
    new RegExp(`^Una User\nMerge branch '${branch}' into main\n\nEcho one[^]*Tazuna-Run: ${first.run.id}`),
  );
  expect(await place.at("main")).toBe(merged.commit);
  expect(await place.at("origin/main")).toBe(main);
  expect((await show(id)).merged).toMatchObject({
    commit: merged.commit,
    tip: first.run.commit,
    before: main,
  });
  // Again is success, and changes nothing.
  expect(await place.merge(id)).toEqual(merged);
  expect(await usersSide(product, { path: place.path, ours: [branch, "main"] })).toEqual(before);

  const idle = await ask(product, ["continue", id, "true"]);
  expect(idle.attempt.state).toBe("merged");
  const second = await ask(product, ["continue", id, "echo two > two.txt"]);
  expect([second.attempt.state, second.attempt.commit]).toEqual(["pushed", second.run.commit]);
  const again = await place.merge(id);
  expect(await parents(place, again.commit)).toEqual([merged.commit, second.run.commit ?? ""]);
  expect((await show(id)).state).toBe("merged");

  const operation = await mergeOperation(id);
  expect(operation.undoable).toBe(true);
  const undone = (await product.tazuna(["undo", operation.id, "--json"])).json<{
    operation: OperationDocument;
  }>();
  expect([await place.at("main"), (await show(id)).state]).toEqual([merged.commit, "pushed"]);
  await product.tazuna(["undo", undone.operation.id]);
  expect([await place.at("main"), (await show(id)).state]).toEqual([again.commit, "merged"]);
  expect(await usersSide(product, { path: place.path, ours: [branch, "main"] })).toEqual(before);

  // Once somebody moved on, or has it, the undo stays away.
  await place.git("push", "--quiet", "origin", "main");
  const { error } = await refused(product, ["undo", operation.id]);
  expect([error.code, error.remedy]).toEqual(["already_pushed", expect.stringContaining("tazuna revert")]);
});

test(deep("a merge while another agent works in the repository is no move of somebody else"), async () => {
  const place = await checkout("while-working");
  const { attempt } = await place.run("echo one > one.txt");
  const going = await place.run("echo x > x.txt; until [ -e go ]; do sleep 0.02; done", "--detach");
  await waitFor("the agent to work", async () => (await show(going.attempt.id)).runs[0]?.phase === "agent");
  await place.merge(attempt.id);
  await writeFile(join(going.attempt.worktree, "go"), "");
  await product.tazuna(["wait", going.attempt.id]);
  expect((await show(going.attempt.id)).runs.map((run) => [run.outcome, noteCodes(run)])).toEqual([
    ["pushed", []],
  ]);
});

test("a target that is checked out stops with the one command, and --here does it in a clean checkout (promise 3.3)", async () => {
  const place = await checkout("here", "main");
  const { attempt } = await place.run("echo one > one.txt; echo x > ignored.txt");
  const before = await usersSide(product, { path: place.path, ours: [attempt.branch] });
  const stopped = await place.refusal(attempt.id);
  expect([stopped.code, stopped.error.code]).toEqual([3, "target_checked_out"]);
  expect(stopped.error.remedy).toContain(`\`tazuna merge ${attempt.id.slice(0, 8)} --here\``);
  expect(stopped.error.remedy).toContain(`merge --no-ff ${attempt.branch}\``);

  const untouched = async (what: string, wanted: string) => {
    const { error } = await place.refusal(attempt.id, "--here");
    expect([what, error.code]).toEqual([what, wanted]);
  };
  await writeFile(join(place.path, "README.md"), "mine\n");
  await untouched("a changed file", "checkout_not_clean");
  await place.git("add", "README.md");
  await untouched("a staged file", "checkout_not_clean");
  await place.git("reset", "--quiet", "--hard");
  await writeFile(join(place.path, "one.txt"), "mine\n");
  await untouched("an untracked file in the way", "checkout_not_clean");
  await rm(join(place.path, "one.txt"));
  await writeFile(join(place.path, ".git/info/exclude"), "ignored.txt\n");
  await writeFile(join(place.path, "ignored.txt"), "mine\n");
  await untouched("an ignored file in the way", "checkout_not_clean");
  expect(await readFile(join(place.path, "ignored.txt"), "utf8")).toBe("mine\n");
  await rm(join(place.path, "ignored.txt"));
  await writeFile(join(place.path, ".git/info/exclude"), "");
  await place.git("bisect", "start");
  await untouched("an operation in progress", "checkout_not_clean");
  await place.git("bisect", "reset");
  const main = await place.at("main");
  const { refs } = await usersSide(product, { path: place.path, ours: [attempt.branch] });
  expect(refs).toEqual(before.refs);

  await writeFile(join(place.path, "elsewhere.txt"), "untracked, not in the way\n");
  await writeFile(join(place.path, ".git/hooks/post-merge"), "#!/bin/sh\ntouch hook-ran\n");
  await chmod(join(place.path, ".git/hooks/post-merge"), 0o755);
  const merged = await place.merge(attempt.id, "--here");
  expect(await parents(place, merged.commit)).toEqual([main ?? "", attempt.commit ?? ""]);
  expect(await place.at("HEAD")).toBe(merged.commit);
  expect(await place.git("status", "--porcelain")).toBe("?? elsewhere.txt");
  const { error } = await refused(product, ["undo", (await mergeOperation(attempt.id)).id]);
  expect([error.code, error.remedy]).toEqual([
    "branch_checked_out",
    expect.stringContaining(`reset --keep ${main}`),
  ]);
});

test(deep("what others merged, squashed or rebased is merged already, and says so"), async () => {
  const place = await checkout("by-others");
  const seen: unknown[] = [];
  const by = async (name: string, how: (branch: string, tip: string) => Promise<unknown>) => {
    const script = `echo a > ${name}-a.txt`;
    const first = await place.run(script);
    const { attempt } = await ask(product, ["continue", first.attempt.id, `echo b > ${name}-b.txt`]);
    const before = await place.at("main");
    await place.git("switch", "--quiet", "main");
    await how(attempt.branch, attempt.commit ?? "");
    const after = (await place.at("main")) ?? "";
    // Others go on, in the same files too.
    await product.sandbox.commit(place.path, { [`${name}-a.txt`]: "a\nand more\n" }, "Go on");
    await place.git("switch", "--quiet", "mine");
    const merged = await place.merge(attempt.id);
    const known = (await show(attempt.id)).merged;
    seen.push([
      name,
      merged.by,
      merged.commit === after,
      known?.before === before,
      (await show(attempt.id)).state,
    ]);
  };
  await by("merged", (branch) => place.git("merge", "--quiet", "--no-ff", "-m", "Theirs", branch));
  await by("squashed", async (branch) => {
    await place.git("merge", "--quiet", "--squash", branch);
    await place.git("commit", "--quiet", "-m", "Squashed");
  });
  await by("rebased", async (branch) => {
    await place.git("cherry-pick", `origin/main..${branch}`);
  });
  expect(seen).toEqual([
    ["merged", "person", true, true, "merged"],
    ["squashed", "person", true, true, "merged"],
    ["rebased", "person", true, true, "merged"],
  ]);
  // A fast-forward, on the remote only: the answer says that the local branch is behind.
  await place.git("push", "--quiet", "origin", "main");
  const { attempt } = await place.run("echo last > last.txt");
  await place.git("push", "--quiet", "origin", `${attempt.branch}:main`);
  expect(await place.merge(attempt.id)).toMatchObject({
    by: "person",
    commit: attempt.commit,
    remote: { ahead: 0, behind: 1 },
  });
  expect((await show(attempt.id)).merged?.before).toBe(attempt.base.sha);
});

test(
  deep("conflicts are refused with the files and a remedy that can be typed, and nothing is half made"),
  async () => {
    const place = await checkout("conflict");
    const first = await place.run("echo theirs > README.md");
    const { id } = first.attempt;
    await place.git("switch", "--quiet", "main");
    const mine = await product.sandbox.commit(place.path, { "README.md": "mine\n" }, "Mine");
    await place.git("switch", "--quiet", "mine");
    const { error } = await place.refusal(id);
    expect([error.code, error.details.files, await place.at("main")]).toEqual([
      "merge_conflict",
      ["README.md"],
      mine,
    ]);
    const [push = "", resolve = ""] = [...error.remedy.matchAll(/`([^`]+)`/g)].map(
      ([, command]) => command ?? "",
    );
    const words = (command: string) => command.split(" ").slice(1);
    await product.sandbox.git(place.path, words(push));
    expect(words(resolve)).toEqual(["continue", id.slice(0, 8), "--merge-base", "--resolve"]);
    await product.agent("doer", "echo both > README.md; echo Done.");
    const resolved = await ask(product, words(resolve), { cwd: place.path });
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    expect([resolved.code, resolved.run.outcome]).toEqual([0, "pushed"]);
    const merged = await place.merge(id);
    expect(await place.git("show", `${merged.commit}:README.md`)).toBe("both");
  },
);

test(
  deep("only what the gate has read is merged: no red check, no secret of a person, no run that goes on"),
  async () => {
    const place = await checkout("gate");
    const main = await place.at("main");
    const nothing = await place.run("true");
    expect((await place.refusal(nothing.attempt.id)).error.code).toBe("nothing_to_merge");
    const { attempt } = await place.run("echo one > one.txt");
    await writeFile(join(attempt.worktree, "key.txt"), `<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n`);
    await product.sandbox.git(attempt.worktree, ["add", "key.txt"]);
    await product.sandbox.git(attempt.worktree, ["commit", "--quiet", "-m", "By hand"]);
    const secret = await place.refusal(attempt.id);
    expect([secret.error.code, secret.error.message]).toEqual([
      "gate_rejected",
      expect.stringContaining("key.txt"),
    ]);
    await product.sandbox.git(attempt.worktree, ["reset", "--quiet", "--hard", "HEAD~1"]);
    await mkdir(join(place.path, ".tazuna"));
    await writeFile(
      join(place.path, ".tazuna/config.json"),
      JSON.stringify({ checks: [{ name: "test", run: "false" }] }),
    );
    const red = await place.run("echo red > red.txt", "--trust");
    expect((await place.refusal(red.attempt.id)).error.code).toBe("check_failed");
    await rm(join(place.path, ".tazuna"), { recursive: true });
    const going = await place.run("echo x > x.txt; until [ -e go ]; do sleep 0.05; done", "--detach");
    expect((await place.refusal(going.attempt.id)).error.code).toBe("run_not_ended");
    await product.tazuna(["cancel", going.attempt.id]);
    expect((await place.refusal(going.attempt.id)).error.code).toMatch(
      /attempt_canceled|nothing_to_merge|run_not_ended/,
    );
    expect(await place.at("main")).toBe(main);
    expect((await place.merge(attempt.id)).by).toBe("tazuna");
  },
);

test("people rename, delete and move the target meanwhile, and nothing of theirs is lost", async () => {
  const place = await checkout("meanwhile");
  const { attempt } = await place.run("echo one > one.txt");
  await place.git("branch", "--move", "main", "trunk");
  const { error } = await place.refusal(attempt.id);
  expect(error.code).toBe("target_missing");
  const [make = ""] = [...error.remedy.matchAll(/`git ([^`]+)`/g)].map(([, command]) => command ?? "");
  await product.sandbox.git(place.path, make.split(" "));
  // The user's own signing program is asked after the merge was computed: by then a colleague has moved the branch.
  const program = join(product.sandbox.root, "sign.sh");
  const flag = join(product.sandbox.root, "moves");
  const commit = `git -C '${place.path}' commit-tree -p main -m Colleague 'main^{tree}'`;
  await writeFile(
    program,
    `#!/bin/sh
read -r text < /dev/null; data=$(cat)
unset GIT_CONFIG_COUNT GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY
case "$data" in *"Merge branch"*) if [ -e '${flag}' ]; then rm '${flag}'
git -C '${place.path}' -c user.name=C -c user.email=c@x update-ref refs/heads/main "$(GIT_AUTHOR_NAME=C GIT_AUTHOR_EMAIL=c@x GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@x ${commit})"; fi;; esac
printf '[GNUPG:] SIG_CREATED \\n' >&2; printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'
`,
  );
  await chmod(program, 0o755);
  await place.git("config", "gpg.program", program);
  await place.git("config", "commit.gpgSign", "true");
  await writeFile(flag, "");
  const merged = await place.merge(attempt.id);
  const [first = ""] = await parents(place, merged.commit);
  expect(await place.git("show", "--no-patch", "--format=%s", first)).toBe("Colleague");
  expect(await place.git("cat-file", "commit", merged.commit)).toContain("gpgsig ");
  expect(await place.at("main")).toBe(merged.commit);
  await place.git("switch", "--quiet", "trunk");
  expect(await place.at("trunk")).toBe(await place.at("origin/main"));
});

test("a squash is one commit with the words of the run, and its branch may go", async () => {
  const place = await checkout("squash");
  await product.configure({ publish: "hold" });
  const { attempt, run } = await place.run("echo one > one.txt");
  await product.configure({ publish: "push" });
  const main = await place.at("main");
  const merged = await place.merge(attempt.id, "--squash");
  expect(await parents(place, merged.commit)).toEqual([main ?? ""]);
  expect(await place.git("show", "--no-patch", "--format=%B", merged.commit)).toMatch(
    new RegExp(`^Echo one > one.txt\n\n[^]*Tazuna-Run: ${run.id}\nCo-authored-by: `),
  );
});
