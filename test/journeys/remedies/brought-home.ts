/** Asks to merge and to apply what cannot be merged or applied as it is, and follows what each refusal says. */
import { expect } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { commandsIn } from "./follow.ts";
import type { Obey, Scene } from "./obey.ts";

const SCRIPT = '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.';

const run = (product: Product, script: string, ...more: string[]) =>
  ask(product, ["run", script, "--agent", "doer", ...more]);

export const BROUGHT_HOME: Scene = {
  title: "what cannot be merged or applied",
  codes: [
    "checkout_not_clean",
    "gate_rejected",
    "merge_conflict",
    "no_checkout",
    "nothing_to_apply",
    "not_merged",
    "nothing_to_merge",
    "outside_sparse",
    "revert_conflict",
    "target_checked_out",
    "target_missing",
  ],
  async play(product, obey) {
    await product.agent("doer", SCRIPT);
    await product.sandbox.commit(product.repository, { "in/a.txt": "a\n", "out/b.txt": "b\n" }, "Folders");
    await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
    await inTheCheckout(product, obey);
    await besideIt(product, obey);
    await takenBack(product, obey);
    await withoutCheckout(product, obey);
  },
};

async function inTheCheckout(product: Product, obey: Obey): Promise<void> {
  const { repository, sandbox } = product;
  const nothing = await run(product, "true");
  await obey({ code: "nothing_to_apply", args: ["apply", nothing.attempt.id], type: "commands" });
  const { id } = (await run(product, "echo one > one.txt; echo more >> out/b.txt")).attempt;
  await sandbox.git(repository, ["sparse-checkout", "set", "in"]);
  await obey({ code: "outside_sparse", args: ["apply", id], type: "commands and again" });
  await obey({ code: "checkout_not_clean", args: ["merge", id, "--here"], type: "first" });
  await sandbox.git(repository, ["stash", "drop", "--quiet"]);
  await sandbox.git(repository, ["clean", "--quiet", "--force"]);
  await obey({ code: "target_checked_out", args: ["merge", id], type: "first" });
  await obey({ code: "nothing_to_merge", args: ["merge", nothing.attempt.id], type: "first" });
}

async function besideIt(product: Product, obey: Obey): Promise<void> {
  const { repository, sandbox } = product;
  const git = (...args: string[]) => sandbox.git(repository, args);
  await git("push", "--quiet", "origin", "main");
  const { attempt } = await run(product, "echo theirs > README.md");
  await sandbox.commit(repository, { "README.md": "mine\n" }, "Mine");
  await git("switch", "--quiet", "--create", "mine");
  const resolves = () => product.agent("doer", "echo both > README.md; echo Done.");
  const args = ["merge", attempt.id];
  await obey({ code: "merge_conflict", args, person: resolves, type: "commands and again" });
  await product.agent("doer", SCRIPT);
  const { attempt: other } = await run(product, "echo two > two.txt");
  const markers = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n";
  await writeFile(join(other.worktree, "marked.txt"), markers);
  await sandbox.git(other.worktree, ["add", "marked.txt"]);
  await sandbox.git(other.worktree, ["commit", "--quiet", "-m", "By hand"]);
  const removes = () => product.agent("doer", "rm marked.txt; echo Done.");
  await obey({
    code: "gate_rejected",
    args: ["merge", other.id],
    person: removes,
    type: "commands and again",
  });
  await product.agent("doer", SCRIPT);
  const { attempt: last } = await run(product, "echo three > three.txt");
  await git("branch", "--move", "main", "trunk");
  await obey({ code: "target_missing", args: ["merge", last.id], type: "first" });
  expect((await product.tazuna(["merge", last.id])).code).toBe(0);
}

async function takenBack(product: Product, obey: Obey): Promise<void> {
  const { attempt } = await run(product, "echo agent > README.md");
  const args = ["revert", attempt.id];
  await obey({ code: "not_merged", args, type: "commands" });
  expect((await product.tazuna(["merge", attempt.id])).code).toBe(0);
  await product.sandbox.git(product.repository, ["switch", "--quiet", "main"]);
  await product.sandbox.commit(product.repository, { "README.md": "mine since\n" }, "Since");
  const resolves = () => product.agent("doer", "echo resolved > README.md; echo Done.");
  await obey({ code: "revert_conflict", args, person: resolves, type: "commands" });
  await product.agent("doer", SCRIPT);
}

async function withoutCheckout(product: Product, obey: Obey): Promise<void> {
  const end = await run(product, "echo bare > bare.txt", "--repo", product.origin);
  const remedy = await obey({ code: "no_checkout", args: ["apply", end.attempt.id], type: "commands" });
  expect(commandsIn(remedy)).toHaveLength(1);
}
