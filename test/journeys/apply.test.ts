/** Tells how an attempt's patch comes into the user's checkout: as uncommitted changes, all of it or nothing. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, lstat, mkdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApplyDocument } from "../../src/contract/endpoints/landing.ts";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import { ask, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const BEFORE = {
  "gone.txt": "gone\n",
  "old-name.txt": "the same content in a file that is moved\n",
  "script.sh": "#!/bin/sh\necho one\n",
  "folder/inside.txt": "inside\n",
  "points.txt": { content: "gone.txt", kind: "link" },
} as const;

/** Every kind of change at once. */
const CHANGES = [
  "rm gone.txt",
  "mv old-name.txt 'new name.txt'",
  "chmod +x script.sh",
  "rm -r folder; echo file > folder",
  "ln -sfn README.md points.txt",
  "printf '\\000\\001\\377binary' > image.bin",
  "printf 'x\\n' > \"$(printf 'two\\nlines.txt')\"",
  "mkdir -p deep/er; echo new > deep/er/new.txt",
  "echo more >> README.md",
].join("; ");

async function repository(name: string): Promise<string> {
  const path = await product.sandbox.repository(name);
  await product.sandbox.commit(path, BEFORE, "Before");
  return path;
}

const run = (path: string, script: string) => ask(product, ["run", script, "--agent", "doer"], { cwd: path });
const apply = async (path: string, id: string) => {
  const end = await product.tazuna(["apply", id, "--json"], { cwd: path });
  if (end.code !== 0) throw new Error(end.stdout);
  return end.json<ApplyDocument>();
};

test(deep("every kind of change arrives uncommitted and unstaged, as the attempt left it"), async () => {
  const path = await repository("kinds");
  const git = (...args: string[]) => product.sandbox.git(path, args);
  const { attempt } = await run(path, CHANGES);
  // The person went on meanwhile, elsewhere.
  const head = await product.sandbox.commit(path, { "later.txt": "later\n" }, "Later");
  await writeFile(join(path, "untracked.txt"), "mine\n");
  const applied = await apply(path, attempt.id);
  // Again is success, and writes nothing.
  const first = await usersSide(product, { path, ours: [attempt.branch] });
  expect(await apply(path, attempt.id)).toEqual(applied);
  expect(await usersSide(product, { path, ours: [attempt.branch] })).toEqual(first);
  expect([applied.path, applied.files.length]).toEqual([path, attempt.changes?.files ?? 0]);
  expect(await git("diff", "--cached", "--name-only")).toBe("");
  expect([await git("rev-parse", "HEAD"), await git("stash", "list")]).toEqual([head, ""]);
  // Everything together is what a merge would have made.
  await git("add", "--all", "--", ":!untracked.txt");
  const merged = await git("merge-tree", "--write-tree", "HEAD", attempt.branch);
  expect(await git("write-tree")).toBe(merged);
  expect((await lstat(join(path, "script.sh"))).mode & 0o111).not.toBe(0);
  expect(await readlink(join(path, "points.txt"))).toBe("README.md");
  expect(await readFile(join(path, "untracked.txt"), "utf8")).toBe("mine\n");
  await git("commit", "--quiet", "-m", "Taken");
  expect((await apply(path, attempt.id)).files).toEqual([]);
  const { operations } = (await product.tazuna(["activity", attempt.id, "--json"])).json<{
    operations: readonly OperationDocument[];
  }>();
  const made = operations.filter(({ kind }) => kind === "apply");
  expect(made.map(({ status, undoable }) => [status, undoable])).toEqual([["done", false]]);
});

test("nothing is written if anything is in the way, and the answer says what (promise 3.3)", async () => {
  const path = await repository("in-the-way");
  const git = (...args: string[]) => product.sandbox.git(path, args);
  const { attempt } = await run(path, `${CHANGES}; echo x > ignored.log`);
  const refusal = async (what: string) => {
    const before = await usersSide(product, { path, ours: [attempt.branch] });
    const { code, error } = await refused(product, ["apply", attempt.id], { cwd: path });
    expect([what, await usersSide(product, { path, ours: [attempt.branch] })]).toEqual([what, before]);
    return [code, error.code, error.details.files];
  };
  await writeFile(join(path, "README.md"), "mine\n");
  expect(await refusal("a changed file")).toEqual([1, "checkout_not_clean", ["README.md"]]);
  await git("add", "README.md");
  expect(await refusal("a staged file")).toEqual([1, "checkout_not_clean", ["README.md"]]);
  await git("reset", "--quiet", "--hard");
  await mkdir(join(path, "deep/er"), { recursive: true });
  await writeFile(join(path, "deep/er/new.txt"), "mine\n");
  expect(await refusal("an untracked file")).toEqual([1, "checkout_not_clean", ["deep/er/new.txt"]]);
  await rm(join(path, "deep"), { recursive: true });
  await writeFile(join(path, "folder/cache.tmp"), "mine\n");
  await writeFile(join(path, ".git/info/exclude"), "*.tmp\n*.log\n");
  expect(await refusal("an ignored file in a folder that becomes a file")).toEqual([
    1,
    "checkout_not_clean",
    ["folder/cache.tmp"],
  ]);
  await rm(join(path, "folder/cache.tmp"));
  await writeFile(join(path, "ignored.log"), "mine\n");
  expect(await refusal("an ignored file")).toEqual([1, "checkout_not_clean", ["ignored.log"]]);
  await rm(join(path, "ignored.log"));
  await git("bisect", "start");
  expect(await refusal("an operation in progress")).toEqual([1, "checkout_not_clean", []]);
  await git("bisect", "reset");
  await product.sandbox.commit(path, { "README.md": "# Mine\nmore of mine\n" }, "Mine");
  expect(await refusal("a conflict")).toEqual([1, "merge_conflict", ["README.md"]]);
  await git("reset", "--quiet", "--hard", "HEAD~1");
  await git("sparse-checkout", "set", "src");
  expect(await refusal("a sparse checkout")).toEqual([
    1,
    "outside_sparse",
    expect.arrayContaining(["deep/er/new.txt", "folder/inside.txt"]),
  ]);
  await git("sparse-checkout", "disable");
  await chmod(join(path, "deep"), 0o755).catch(() => undefined);
  expect((await apply(path, attempt.id)).files.length).toBe(attempt.changes?.files ?? 0);
});

test("an attempt from another branch brings its own patch alone, and what failed a check can be tried here", async () => {
  const path = await repository("other-branch");
  const git = (...args: string[]) => product.sandbox.git(path, args);
  await git("switch", "--quiet", "--create", "release");
  await git("switch", "--quiet", "main");
  await product.sandbox.commit(path, { "only-main.txt": "main\n" }, "Only on main");
  await mkdir(join(path, ".tazuna"));
  const config = JSON.stringify({ checks: [{ name: "test", run: "false" }] });
  await writeFile(join(path, ".tazuna/config.json"), config);
  const { attempt } = await ask(product, ["run", "echo one > one.txt", "--agent", "doer", "--trust"], {
    cwd: path,
  });
  expect(attempt.state).toBe("failed");
  await git("switch", "--quiet", "release");
  expect((await apply(path, attempt.id)).files.map((file) => file.path)).toEqual(["one.txt"]);
  expect(await git("status", "--porcelain")).toBe("?? .tazuna/\n?? one.txt");
});
