/** Asks for attempts that were put away, and follows what each refusal says. */
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, exists, type TaskEnd } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { typed } from "./follow.ts";
import type { Obey, Scene } from "./obey.ts";

const SCRIPT = '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.';
const change = (product: Product): Promise<TaskEnd> =>
  ask(product, ["run", "echo a > a.txt", "--agent", "doer"]);
const short = (id: string) => id.slice(0, 8);

interface Entry {
  readonly id: string;
  readonly path: string;
}

async function entryOf(product: Product, { attempt }: TaskEnd): Promise<Entry> {
  const list = await product.tazuna(["trash", "list", "--json"]);
  const { entries } = list.json<{ entries: readonly (Entry & { attempt: string })[] }>();
  const found = entries.find((entry) => entry.attempt === attempt.id);
  if (found === undefined) throw new Error(`nothing in the trash: ${list.stdout}`);
  return found;
}

/** The newest attempt, which a remedy made, has the file that was thought lost. */
async function hasFiles(product: Product): Promise<void> {
  const list = await product.tazuna(["list", "--json"]);
  const { tasks } = list.json<{ tasks: readonly { attempts: readonly { worktree: string }[] }[] }>();
  const worktree = tasks[0]?.attempts[0]?.worktree ?? "";
  if (!(await exists(join(worktree, "a.txt")))) throw new Error(`no a.txt in ${worktree}`);
}

export const PUT_AWAY: Scene = {
  title: "attempts that were put away",
  codes: [
    "attempt_canceled",
    "attempt_open",
    "attempt_removed",
    "branch_unknown",
    "entry_replaced",
    "not_cleaned_up",
    "not_in_trash",
    "nothing_to_commit",
    "path_taken",
  ],
  async play(product, obey) {
    await product.agent("doer", SCRIPT);
    await inTheTrash(product, obey);
    await cleaned(product, obey);
  },
};

async function inTheTrash(product: Product, obey: Obey): Promise<void> {
  const end = await change(product);
  const id = short(end.attempt.id);
  await product.tazuna(["cancel", id]);
  await obey({ code: "attempt_canceled", args: ["continue", id, "true"], type: "commands and again" });
  await product.tazuna(["cancel", id]);
  const { worktree } = end.attempt;
  await mkdir(worktree);
  await writeFile(join(worktree, "mine.txt"), "mine\n");
  const restore = ["trash", "restore", id];
  await obey({
    code: "path_taken",
    args: restore,
    person: async (remedy) => void (await typed(product, /`(mv [^`]+)`/.exec(remedy)?.[1] ?? "false")),
    type: "again",
  });
  await cleanUpThatStops(product, obey, id);
  const entry = await entryOf(product, end);
  await rename(entry.path, `${entry.path}.away`);
  await symlink(`${entry.path}.away`, entry.path);
  await obey({
    code: "entry_replaced",
    args: restore,
    person: () => rename(entry.path, `${entry.path}.foreign`),
    type: "commands",
  });
  await hasFiles(product);
  await obey({ code: "not_in_trash", args: restore, type: "commands" });
  await hasFiles(product);
  await obey({ code: "attempt_canceled", args: ["continue", id, "true"], type: "commands" });
}

/** A file lies where the trash was, so that nothing can be put there. */
async function cleanUpThatStops(product: Product, obey: Obey, id: string): Promise<void> {
  const trash = join(product.home, "trash");
  await rename(trash, `${trash}.away`);
  await writeFile(trash, "");
  await product.tazuna(["cancel", id]);
  const person = async () => {
    await rename(trash, `${trash}.file`);
    await rename(`${trash}.away`, trash);
  };
  await obey({ code: "not_cleaned_up", args: ["trash", "restore", id], person, type: "commands and again" });
  await product.tazuna(["cancel", id]);
}

async function cleaned(product: Product, obey: Obey): Promise<void> {
  const end = await change(product);
  const id = short(end.attempt.id);
  const clean = () => product.tazuna(["clean", id, "--yes"]);
  await clean();
  const entry = await entryOf(product, end);
  await obey({ code: "nothing_to_commit", args: ["continue", id], type: "first" });
  await obey({ code: "attempt_open", args: ["trash", "restore", entry.id], type: "commands and again" });
  await clean();
  const away = `${product.origin}.away`;
  await rename(product.origin, away);
  await obey({
    code: "branch_unknown",
    args: ["continue", id, "true"],
    person: () => rename(away, product.origin),
    type: "again",
  });
  await clean();
  await product.sandbox.git(product.repository, ["push", "--quiet", "origin", `:${end.attempt.branch}`]);
  await obey({ code: "attempt_removed", args: ["continue", id, "true"], type: "commands and again" });
}
