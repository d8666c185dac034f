/** Tells stories in which a person, a hook or a check acts, and a crash may prevent the record. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import { ask } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { readDataFolder } from "./data-folder.ts";
import { ownHooks } from "./own-hooks.ts";
import { around, asked, countedAgent, creating, moves, type Story } from "./scenarios.ts";

const PUSHED = "SUCCEEDED pushed";
/** Each run writes a file of its own name. */
const EDIT = 'echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"; echo Done.;';

async function expectThat(what: string, is: boolean | Promise<boolean>): Promise<void> {
  if (!(await is)) throw new Error(`not so: ${what}`);
}

function operationOf(stdout: string): OperationDocument {
  const { operation } = JSON.parse(stdout) as { operation?: OperationDocument };
  if (operation === undefined) throw new Error(`no operation: ${stdout}`);
  return operation;
}

/** Two runs, and the files put back to what the first one left. */
const putBack: Story = {
  ends: [PUSHED, PUSHED],
  failpoints: around("run_restore", "snapshot"),
  play: async (product, env) => {
    const { first, second } = await twoRuns(product);
    const end = await product.tazuna(["restore", first, "--json"], { env });
    await expectRestored(product, { operation: operationOf(end.stdout), there: first, gone: second });
  },
};

/** The same, taken back by an undo that is the one which is killed. */
const putBackUndone: Story = {
  ends: [PUSHED, PUSHED],
  failpoints: around("run_restore", "snapshot"),
  play: async (product, env) => {
    const { first, second } = await twoRuns(product);
    const done = operationOf((await product.tazuna(["restore", first, "--json"])).stdout);
    await product.killEngine();
    const end = await product.tazuna(["undo", done.id, "--json"], { env });
    await expectRestored(product, { operation: operationOf(end.stdout), there: second, gone: null });
  },
};

async function twoRuns(product: Product): Promise<{ readonly first: string; readonly second: string }> {
  await countedAgent(product, "agent", EDIT);
  const { run, attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
  const next = await ask(product, ["continue", attempt.id, "Once more"]);
  await product.killEngine();
  return { first: run.id, second: next.run.id };
}

async function expectRestored(
  product: Product,
  of: { readonly operation: OperationDocument; readonly there: string; readonly gone: string | null },
): Promise<void> {
  const { attempts, operations } = readDataFolder(product.home);
  const read = (run: string) =>
    readFile(join(attempts[0]?.worktree ?? "", `${run}.txt`), "utf8").catch(() => null);
  await expectThat("the files are those of the run", (await read(of.there)) === `${of.there}\n`);
  if (of.gone !== null) await expectThat("later files are gone", (await read(of.gone)) === null);
  const same = operations.filter(({ id, status }) => id === of.operation.id && status === "done");
  await expectThat("the answer is an operation that was done", same.length === 1);
}

/** The gate keeps a run's work back; a person allows it. */
const allowed: Story = {
  ends: ["FAILED gate_rejected", PUSHED],
  failpoints: [...creating("run"), ...moves("stage_edits")],
  play: async (product, env) => {
    await countedAgent(product, "agent", `${EDIT} printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' > marked.txt`);
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await product.killEngine();
    await asked(
      product,
      ["publish", first.attempt.id, "--allow", "conflict_marker", "--reason", "Meant"],
      env,
    );
  },
};

/** What a check left is in the way of what others pushed: it is cleared, and the merge tried again. */
const leftFilesCleared: Story = {
  ends: [PUSHED, PUSHED],
  failpoints: around("left_files_cleared"),
  play: async (product, env) => {
    await product.configure({ checks: [{ name: "report", run: "echo '90 %' > report.txt" }] });
    await countedAgent(product, "agent", EDIT);
    const { attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await product.sandbox.commitTo(product.origin, attempt.branch, { "report.txt": "theirs\n" });
    await product.configure({ checks: [] });
    await product.killEngine();
    await asked(product, ["continue", attempt.id, "Once more"], env);
    await expectThat(
      "their file is there",
      (await readFile(join(attempt.worktree, "report.txt"), "utf8")) === "theirs\n",
    );
  },
};

/** The agent moves a reference that is not its own: it is told once, however often the run is proved. */
const movesElsewhere: Story = {
  ends: [PUSHED],
  failpoints: moves("proved"),
  notes: ["foreign_ref_moved"],
  play: async (product, env) => {
    const git = `unset GIT_CONFIG_COUNT; '${Bun.which("git")}'`;
    const tag = "refs/tags/planted";
    await countedAgent(product, "agent", `${EDIT} ${git} update-ref ${tag} HEAD`);
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
    const told = readDataFolder(product.home).operations.filter(({ kind }) => kind === "foreign_ref_moved");
    await expectThat("it is an operation, once", told.length === 1);
    await product.sandbox.git(product.repository, ["update-ref", "-d", tag]);
  },
};

/** The repository's own hooks run on the staged tree; what they change is staged again. */
const hooked: Story = {
  ends: [PUSHED],
  failpoints: [...moves("staged", "commit"), ...around("commit")],
  play: async (product, env) => {
    const hooks = await ownHooks(product);
    await countedAgent(product, "agent", EDIT);
    const { run } = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    const shown = await product.sandbox.git(product.origin, ["show", "--format=%B", run.commit ?? "none"]);
    await expectThat("both hooks had their say", /Reviewed-by: Hook[\s\S]*\+once/.test(shown));
    await Promise.all(hooks.map((path) => rm(path)));
  },
};

export const STORIES_OF_PEOPLE: Readonly<Record<string, Story>> = {
  "files that are put back to what a run left": putBack,
  "files that are put back, which is undone": putBackUndone,
  "findings that a person allows": allowed,
  "a merge past what a check left": leftFilesCleared,
  "an agent that moves a reference elsewhere": movesElsewhere,
  "a run whose hooks run": hooked,
};
