/** Makes a data folder in which a day's work goes on: something in every column, by real runs of real programs. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptDocument, RunDocument } from "../../src/contract/task-document.ts";
import { ask } from "../../test/helpers/journey.ts";
import { type Product, startProduct } from "../../test/helpers/product.ts";
import { waitFor } from "../../test/helpers/wait-for.ts";
import { AGENT, type BusyTask, SOURCE_FILES, TASKS } from "./busy-tasks.ts";

/** The task of each title, once everything that ends has ended. */
export interface BusyWorld extends AsyncDisposable {
  readonly product: Product;
  /** Ids of the attempts of a task, by its title. */
  attempts(title: string): readonly string[];
  taskOf(title: string): string;
}

export async function busyWorld(): Promise<BusyWorld> {
  const product = await startProduct({ env: { TAZUNA_IDLE_EXIT: "7200" } });
  await fillRepository(product);
  await configure(product);
  const tasks = new Map<string, { readonly id: string; readonly attempts: readonly string[] }>();
  const begin = async ({ title, issue, agents, waits, args = [] }: BusyTask) => {
    const named = agents.flatMap((agent) => ["--agent", agent]);
    const how = waits === "detached" ? ["--detach"] : [];
    const { document } = await ask(product, [
      "run",
      issue,
      "--title",
      title,
      "--trust",
      ...named,
      ...how,
      ...args,
    ]);
    tasks.set(title, { id: document.task.id, attempts: document.attempts.map(({ id }) => id) });
  };
  const attempts = (title: string) => tasks.get(title)?.attempts ?? [];
  for (const task of TASKS.filter(({ waits }) => waits === "ended")) await begin(task);
  await settle(product, attempts);
  // These fill the slots for good, so that the last of them wait.
  for (const task of TASKS.filter(({ waits }) => waits === "detached")) await begin(task);
  return {
    product,
    attempts,
    taskOf: (title) => tasks.get(title)?.id ?? "",
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

async function fillRepository({ repository, sandbox }: Product): Promise<void> {
  for (const [path, text] of Object.entries(SOURCE_FILES)) {
    await mkdir(join(repository, path, ".."), { recursive: true });
    await writeFile(join(repository, path), text);
  }
  await sandbox.git(repository, ["add", "-A"]);
  await sandbox.git(repository, ["commit", "--quiet", "-m", "Add the shop"]);
  await sandbox.git(repository, ["push", "--quiet", "origin", "main"]);
}

async function configure(product: Product): Promise<void> {
  await mkdir(product.home, { recursive: true });
  const program = join(product.home, "agent.sh");
  await writeFile(program, AGENT);
  await chmod(program, 0o755);
  const agent = (name: string) => ({ executor: "command", command: ["sh", program, name] });
  await product.configure({
    agents: { claude: agent("claude"), codex: agent("codex"), gemini: agent("gemini") },
    limits: { parallel: 5 },
  });
}

/** What a person did since: a decision, a merge, a commit by somebody else on an attempt's branch. */
async function settle(product: Product, attempts: (title: string) => readonly string[]): Promise<void> {
  const [merged = ""] = attempts("Keyboard shortcuts in tables");
  await product.tazuna(["merge", merged, "--here"]);
  const [chosen = ""] = attempts("Round prices the way the tax office does");
  await product.tazuna(["choose", chosen, "--reason", "smallest change that passes"]);
  const [stopped = ""] = attempts("Try Redis for sessions");
  await product.tazuna(["cancel", stopped]);
  await conflict(product, attempts("One address form for every country")[0] ?? "");
  await askQuestion(product);
}

/** The demo as the browser begins it: one of its agents asks. */
async function askQuestion(product: Product): Promise<void> {
  const { url, token } = await Bun.file(join(product.home, "server.json")).json();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  await fetch(`${url}/api/v1/demo`, { method: "POST", headers, body: JSON.stringify({ ask: true }) });
  await waitFor("its question", async () => {
    const page = await fetch(`${url}/api/v1/runs`, { headers });
    const { items } = (await page.json()) as { readonly items: readonly RunDocument[] };
    return items.some(({ question }) => question !== null);
  });
}

/** Somebody pushes to the attempt's branch what its next run changes too. */
async function conflict(product: Product, attempt: string): Promise<void> {
  const shown = (await product.tazuna(["show", attempt, "--json"])).json<AttemptDocument>();
  const again = product.start(["continue", attempt, "address: Rewrite the form once more."]);
  await waitFor("its agent to work", async () => {
    const { runs } = (await product.tazuna(["show", attempt, "--json"])).json<AttemptDocument>();
    return runs.at(-1)?.phase === "agent";
  });
  const clone = join(product.home, "..", "colleague");
  const { git } = product.sandbox;
  await git(product.repository, ["clone", "--quiet", "--branch", shown.branch, product.origin, clone]);
  await writeFile(join(clone, "src/address/form.ts"), "export const address = 'theirs';\n");
  await git(clone, ["commit", "--quiet", "--all", "-m", "Change the form by hand"]);
  await git(clone, ["push", "--quiet"]);
  await again.end;
}
