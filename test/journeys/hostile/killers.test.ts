/**
 * Tells that agents which attack engine, keeper and other agents reach nothing (sandbox) or destroy no work (guard).
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMarked } from "../../../src/utils/programs/process-identity.ts";
import { ask, changedPaths, ending, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { sandboxHere, skippedWithout, underEach } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const INTERRUPTED = { status: "FAILED", outcome: null, failure: "interrupted" };
const NO_PERL = Bun.which("perl") === null ? " (skipped: no perl)" : "";

/** An agent that does something to the processes which `pids.local` names, then works on. */
const acting = (act: string) => `echo mine > mine.txt
[ -e mine.local ] && exit 0; : > mine.local
until [ -s pids.local ]; do sleep 0.02; done
${act}
echo more > more.txt; : > acted.local`;

/** Prints what it could do to each process: trace it (`PTRACE_ATTACH`), open its memory for writing, kill it. */
const TRACE = `perl -MPOSIX -e 'my $call = (POSIX::uname())[4] eq "aarch64" ? 117 : 101;
for (@ARGV) { syscall($call, 16, $_ + 0, 0, 0) == 0 and print "traced $_\\n"; open(my $m, "+<", "/proc/$_/mem") and print "wrote $_\\n"; kill(9, $_) and print "killed $_\\n" }'`;

/** Kills every process with the folder in its command line, as keepers have it. */
const KILL_BY_NAME = (folder: string) =>
  `perl -e 'for (glob "/proc/[0-9]*") { my ($pid) = /(\\d+)/; next if $pid == $$; open(my $f, "<", "$_/cmdline") or next; local $/; index(<$f> // "", $ARGV[0]) < 0 or kill 9, $pid }' '${folder}'`;

/** Two attempts whose agents work: one that waits, and one that acts. */
async function atWork(product: Product, act: string) {
  await product.agent("other", "echo theirs > theirs.txt; until [ -e go.local ]; do sleep 0.02; done");
  await product.agent("killer", acting(act));
  const other = await ask(product, ["run", "Wait", "--agent", "other", "--detach"]);
  const killer = await ask(product, ["run", "Kill", "--agent", "killer", "--detach"]);
  const up = (end: TaskEnd, file: string) => existsSync(join(end.attempt.worktree, file));
  await waitFor("both to work", () => up(other, "theirs.txt") && up(killer, "mine.local"));
  const pids = [
    await product.enginePid(),
    ...(await keptBy(product, other)),
    ...(await keptBy(product, killer)),
  ];
  // The killer's own number comes last, and it does nothing to itself.
  await writeFile(join(killer.attempt.worktree, "pids.local"), `${pids.slice(0, -1).join(" ")}\n`);
  await waitFor("the killer to have acted", () => up(killer, "acted.local"));
  return { other, killer, pids };
}

/** The keeper of a run, and its agent. */
function keptBy(product: Product, { run }: TaskEnd): Promise<readonly number[]> {
  return waitFor("the agent in keeper.json", async () => {
    const text = await readFile(join(product.home, "runs", run.id, "keeper.json"), "utf8").catch(() => "{}");
    const { pid, agentPid } = JSON.parse(text) as { pid?: number; agentPid?: number | null };
    return pid !== undefined && agentPid ? [pid, agentPid] : null;
  });
}

test.skipIf(!sandboxHere.available || NO_PERL !== "")(
  underEach("sandbox", `under the sandbox they see none of them${skippedWithout || NO_PERL}`),
  async () => {
    await using product = await startProduct({ isolation: "sandbox" });
    const act = `${TRACE} $(cat pids.local) > reached.txt; ${KILL_BY_NAME(product.home)}`;
    const { other, killer, pids } = await atWork(product, act);
    expect(await readFile(join(killer.attempt.worktree, "reached.txt"), "utf8")).toBe("");
    expect(await product.enginePid()).toBe(pids[0] ?? null);
    await writeFile(join(other.attempt.worktree, "go.local"), "");
    for (const { run } of [killer, other])
      expect<unknown>(ending((await ask(product, ["wait", run.id])).run)).toEqual(PUSHED);
    tally("attack", "kill keepers by their command line", { under: "sandbox" });
    for (const what of ["trace", "write into", "kill"])
      for (const whom of ["the engine", "its keeper", "another attempt's keeper and agent"])
        tally("attack", `${what} ${whom}`, { under: "sandbox" });
  },
);

test(
  underEach(
    "guard",
    "under the guard one kills engine, keepers and another's agent: both runs say so, nothing is lost, the next engine goes on",
  ),
  async () => {
    await using product = await startProduct({ isolation: "guard" });
    const { other, killer } = await atWork(product, "kill -9 $(cat pids.local)");
    await waitFor("the engine to be gone", async () => (await product.enginePid()) === null);
    await writeFile(join(other.attempt.worktree, "go.local"), "");
    for (const [{ run, attempt }, files] of [
      [killer, ["mine.txt", "more.txt"]],
      [other, ["theirs.txt"]],
    ] as const) {
      const end = await ask(product, ["wait", run.id]);
      expect<unknown>(ending(end.run)).toEqual(INTERRUPTED);
      expect(end.run.failure?.message).toContain("was killed");
      expect(await findMarked({ name: "TAZUNA_RUN", value: run.id })).toEqual([]);
      const next = await ask(product, ["continue", attempt.id, "Go on"]);
      expect<unknown>(ending(next.run)).toEqual(PUSHED);
      expect(await changedPaths(product, product.origin, next.run.commit ?? "")).toEqual([...files]);
    }
    for (const whom of ["the engine", "its keeper", "another attempt's keeper and agent"])
      tally("attack", `kill ${whom}`, { under: "guard" });
  },
);
