/** Asks to take back what cannot be taken back, and follows what each refusal says. */
import { expect } from "bun:test";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import { ask, type TaskEnd } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { commandsIn } from "./follow.ts";
import type { Obey, Scene } from "./obey.ts";

const GIT = Bun.which("git") ?? "git";
const SCRIPT = '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.';

/** As an agent moves branches that are not its own, past the guard's git. */
const MOVES = ["lower", "higher", "shown"].map((name) => `${GIT} branch -q -f ${name} HEAD~1`).join("; ");

async function operations(product: Product, id: string): Promise<readonly OperationDocument[]> {
  const list = await product.tazuna(["activity", id, "--all", "--json"]);
  return list.json<{ operations: readonly OperationDocument[] }>().operations;
}

export const TAKEN_BACK: Scene = {
  title: "what cannot be taken back",
  codes: [
    "already_pushed",
    "ambiguous_id",
    "branch_checked_out",
    "no_tree",
    "not_contained",
    "not_undoable",
    "ref_moved_on",
    "restore_failed",
    "undo_failed",
  ],
  async play(product, obey) {
    await product.agent("doer", SCRIPT);
    const git = (...args: string[]) => product.sandbox.git(product.repository, args);
    await product.sandbox.commit(product.repository, { "second.txt": "second\n" }, "Second");
    await git("push", "--quiet", "origin", "main");
    for (const name of ["lower", "higher", "shown"]) await git("branch", name);
    const end = await ask(product, [
      "run",
      `unset GIT_CONFIG_COUNT; echo a > a.txt; ${MOVES}; ${GIT} branch new`,
      "--agent",
      "doer",
    ]);
    await movedBack(product, obey, end);
    await putBack(product, obey, end);
    await neverUndone(product, obey, end);
    await sharedBeginning(product, obey, end);
  },
};

async function movedBack(product: Product, obey: Obey, { attempt }: TaskEnd): Promise<void> {
  const { repository, sandbox } = product;
  const git = (...args: string[]) => sandbox.git(repository, args);
  const all = await operations(product, attempt.id);
  const undo = (ref: string) => [
    "undo",
    all.find(({ before }) => before?.ref === `refs/heads/${ref}`)?.id ?? ref,
  ];
  await git("branch", "--force", "lower", "origin/main");
  await git("branch", "--force", "lower", "main");
  await obey({ code: "ref_moved_on", args: undo("lower"), type: "commands" });
  await git("branch", "--force", "new", "main~1");
  await obey({ code: "ref_moved_on", args: undo("new"), type: "commands" });
  const there = join(repository, "..", "their worktree");
  await git("worktree", "add", "--quiet", there, "shown");
  await obey({ code: "branch_checked_out", args: undo("shown"), type: "commands" });
  const away = `${repository}.away`;
  await rename(repository, away);
  const where = { cwd: product.home };
  const back = () => rename(away, repository);
  await obey({ code: "undo_failed", args: undo("higher"), where, person: back, type: "again" });
  const commit = all.find(({ kind }) => kind === "commit")?.id ?? "";
  await obey({ code: "already_pushed", args: ["undo", commit], type: "commands" });
}

async function putBack(product: Product, obey: Obey, { attempt, run }: TaskEnd): Promise<void> {
  const { repository, sandbox } = product;
  const restore = ["restore", run.id];
  const where = { cwd: product.home };
  const back = () => rename(`${repository}.away`, repository);
  await rename(repository, `${repository}.away`);
  await obey({ code: "restore_failed", args: restore, where, person: back, type: "again" });
  await sandbox.git(attempt.worktree, ["init", "--quiet", "nested"]);
  await writeFile(join(attempt.worktree, "nested", "x.txt"), "x");
  const moved = async (remedy: string) => {
    const place = join(attempt.worktree, "nested");
    expect(remedy).toContain(place);
    await rename(place, join(product.home, "nested"));
  };
  await obey({ code: "not_contained", args: restore, person: moved, type: "again" });
  const config = join(product.home, "config.json");
  const whole = await Bun.file(config).text();
  await writeFile(config, JSON.stringify({ ...JSON.parse(whole), agents: {} }));
  const broken = await ask(product, ["retry", run.id]);
  await writeFile(config, whole);
  await obey({ code: "no_tree", args: ["restore", broken.run.id], type: "commands" });
}

/** Every kind that the journal has by now: what its refusal names is typed, the ending of the attempt last. */
async function neverUndone(product: Product, obey: Obey, { attempt }: TaskEnd): Promise<void> {
  const all = (await operations(product, attempt.id)).filter(({ undoable }) => !undoable);
  const kinds = new Map(all.map((each) => [each.kind, each]));
  const known = ["push", "fetch", "snapshot", "worktree_repair", "worktree_add"].flatMap(
    (kind) => kinds.get(kind) ?? [],
  );
  expect(known.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["push", "snapshot", "worktree_add"]));
  for (const { id } of known) {
    const { remedy } = (await product.tazuna(["undo", id, "--json"])).json<{ error: { remedy: string } }>()
      .error;
    await obey({
      code: "not_undoable",
      args: ["undo", id],
      type: commandsIn(remedy).length > 0 ? "commands" : "again",
      again: ["activity"],
    });
  }
}

/** So many ids that two of them begin with the same letter. */
async function sharedBeginning(product: Product, obey: Obey, { attempt }: TaskEnd): Promise<void> {
  const first = (await operations(product, attempt.id)).map(({ id }) => id[0] ?? "");
  const shared = first.find((letter, index) => first.indexOf(letter) !== index) ?? "";
  await obey({ code: "ambiguous_id", args: ["undo", shared], type: "commands" });
}
