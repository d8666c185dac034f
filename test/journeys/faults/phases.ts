/** Holds a run at each of its phases, so that a test can break something there and mend it again. */
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptDocument, RunDocument } from "../../../src/contract/task-document.ts";
import { ask, exists, type TaskEnd, taskEnd } from "../../helpers/journey.ts";
import type { Product, RunOptions } from "../../helpers/product.ts";
import { eventually } from "../crash/eventually.ts";

/** The phases in which a run can be held: setup, agent, check, and the remote's judgement of the push. */
export type Phase = "preparing" | "agent" | "checking" | "pushing";

/** A run that stands still at a phase. */
export interface Held {
  readonly attempt: AttemptDocument;
  readonly run: RunDocument;
}

export const EDIT = 'echo "$TAZUNA_RUN" >> made.txt; echo Done.';

/** Configures an agent called `agent`, a setup command, a check and a remote hook that wait if told to. */
export async function holdable(product: Product): Promise<void> {
  await product.agent("agent", `${EDIT.replace("; echo Done.", "")}; ${waits(product, "agent")}; echo Done.`);
  const check = { name: "test", run: waits(product, "checking"), required: true };
  await product.configure({ setup: [waits(product, "preparing")], checks: [check] });
  const hook = join(product.origin, "hooks", "pre-receive");
  await mkdir(join(hook, ".."), { recursive: true });
  await writeFile(hook, `#!/bin/sh\ncat > /dev/null\n${waits(product, "pushing")}\n`);
  await chmod(hook, 0o755);
}

/** Beside the data folder: neither the user's nor Tazuna's. */
const place = (product: Product, phase: Phase) => join(product.home, "..", `hold-${phase}`);

/** Waits while a test holds this phase, at most a minute. */
function waits(product: Product, phase: Phase): string {
  const path = place(product, phase);
  return `i=0; while [ -e '${path}' ] && [ $i -lt 1200 ]; do touch '${path}.reached'; sleep 0.05; i=$((i+1)); done`;
}

/**
 * Asks for a run, does `act` while it stands at `phase`, and lets it go on to its end. `args` are those of a command that
 * makes one run; a new task unless told.
 */
export async function whileAt(
  product: Product,
  phase: Phase,
  act: (held: Held) => unknown,
  how: { readonly args?: readonly string[]; readonly options?: RunOptions } = {},
): Promise<TaskEnd> {
  const path = place(product, phase);
  const args = how.args ?? ["run", "Change it", "--agent", "agent"];
  await writeFile(path, "");
  const asked = product.start([...args, "--json"], how.options);
  try {
    await eventually(`a run at ${phase}`, () => exists(`${path}.reached`));
    await act(await newest(product));
  } finally {
    await rm(path, { force: true });
    await rm(`${path}.reached`, { force: true });
  }
  const end = taskEnd(await asked.end);
  // A script that was just about to look may have said once more that it is there.
  await rm(`${path}.reached`, { force: true });
  return end;
}

/** The run that was moved last. */
async function newest(product: Product): Promise<Held> {
  const list = await product.tazuna(["list", "--all", "--json"]);
  const { tasks } = list.json<{ readonly tasks: readonly { readonly id: string }[] }>();
  const ends = await Promise.all(tasks.map(({ id }) => ask(product, ["show", id])));
  const going = ends.find(({ run }) => !["SUCCEEDED", "FAILED", "CANCELED"].includes(run.status));
  if (going === undefined) throw new Error("no run goes on");
  return going;
}
