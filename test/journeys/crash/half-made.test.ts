/** Kills the engine during a slow act, or leaves things as such a kill would leave them, and goes on. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, changedPaths, ending, PATIENCE_MS, usersSide } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { usersGit } from "../../helpers/users-git.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { processesOf } from "./processes.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const EDIT = "echo new > new.txt; echo Done.";

const beside = (product: Product, name: string) => join(dirname(product.home), name);

/** The environment in which the engine is killed at `failpoint`, once. */
function killedAt(product: Product, failpoint: string): Record<string, string> {
  return { TAZUNA_FAILPOINT: `${failpoint}@${beside(product, "reached")}` };
}

/** Starts a run in the background and waits until its engine was killed. */
async function killedRun(product: Product, failpoint: string): Promise<string> {
  const env = killedAt(product, failpoint);
  await product.tazuna(["run", "Change it", "--agent", "agent", "--detach", "--json"], { env });
  await eventually("the engine to be killed", async () => (await product.enginePid()) === null);
  const [attempt] = readDataFolder(product.home).attempts;
  return attempt?.id ?? "none";
}

async function wrong(product: Product): Promise<readonly string[]> {
  return whatIsWrong(product, { starts: startsFile(product) });
}

test(
  deep("a lost worktree that was being made again is filled and set up before an agent begins in it"),
  async () => {
    await using product = await startProduct();
    await product.configure({
      setup: [`echo made > made.local; echo setup >> '${beside(product, "setups")}'`],
    });
    await countedAgent(
      product,
      "agent",
      'cat made.local || exit 9; echo "$TAZUNA_RUN" > new.txt; echo Done.',
    );
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await product.killEngine();
    await rm(first.attempt.worktree, { recursive: true });

    const env = killedAt(product, "after:worktree_add");
    const second = await ask(product, ["continue", first.attempt.id, "Once more"], { env });

    expect(await readFile(beside(product, "reached"), "utf8")).toBe("after:worktree_add");
    expect(ending(second.run)).toEqual(PUSHED);
    expect(await changedPaths(product, product.origin, second.run.commit ?? "")).toEqual(["new.txt"]);
    expect(await readFile(beside(product, "setups"), "utf8")).toBe("setup\nsetup\n");
    expect(await wrong(product)).toEqual([]);
    tally(
      "fault",
      "a lost worktree that was being made again is filled and set up before an agent begins in it",
      { under: "guard" },
    );
  },
);

test(deep("a setup command that failed is run again by a retry, before the agent begins"), async () => {
  await using product = await startProduct();
  await product.configure({ setup: [`test -e '${beside(product, "mended")}'`, "echo ready > ready.local"] });
  await countedAgent(product, "agent", `cat ready.local || exit 9; ${EDIT}`);
  const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await writeFile(beside(product, "mended"), "");
  const second = await ask(product, ["retry", first.run.id]);
  expect([ending(first.run), ending(second.run)]).toEqual([
    { status: "FAILED", outcome: null, failure: "setup_failed" },
    PUSHED,
  ]);
  expect(second.attempt.branch).toBe(first.attempt.branch);
  tally("fault", "a setup command that failed is run again by a retry, before the agent begins", {
    under: "guard",
  });
});

test("a branch that a crash left without its worktree keeps the base that it was made at", async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", EDIT);
  const attempt = await killedRun(product, "before:worktree_add");
  const { branch, baseSha } = readDataFolder(product.home).attempts[0] ?? {};
  await product.sandbox.git(product.repository, ["branch", branch ?? "", baseSha ?? ""]);
  await product.sandbox.commitTo(product.origin, "main", { "later.txt": "later\n" });
  const end = await ask(product, ["wait", attempt]);
  expect(ending(end.run)).toEqual(PUSHED);
  expect(end.attempt.base.sha).toBe(baseSha ?? "");
  expect(await product.sandbox.git(product.origin, ["rev-parse", `${end.run.commit}^`])).toBe(baseSha ?? "");
  tally("kill", "a branch that a crash left without its worktree keeps the base that it was made at", {
    under: "guard",
  });
});

test("seed 003 Whole workflow: a worktree made just before the engine was killed is the attempt's, also if its run fails first (promise 4.5)", async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", EDIT);
  const attempt = await killedRun(product, "after:worktree_add");
  const away = `${product.origin}.away`;
  await rename(product.origin, away);
  const failed = await ask(product, ["wait", attempt]);
  await rename(away, product.origin);
  const starts = startsFile(product);
  const left = await whatIsWrong(product, { starts, expectedStarts: () => 0 });
  const again = await ask(product, ["retry", failed.run.id]);
  expect({ failed: failed.run.failure?.code, left, again: ending(again.run) }).toEqual({
    failed: "fetch_failed",
    left: [],
    again: PUSHED,
  });
  tally(
    "kill",
    "a worktree made just before the engine was killed is the attempt's, also if its run fails first",
    { under: "guard" },
  );
});

test("a branch whose worktree was never recorded goes with its cancelled attempt (promise 4.5)", async () => {
  await using product = await startProduct();
  const before = await usersSide(product);
  await countedAgent(product, "agent", EDIT);
  const attempt = await killedRun(product, "after:worktree_add");
  // The next engine waits in its fetch, so that the request comes while nothing is known of the worktree.
  await rm(beside(product, "reached"));
  const slow = beside(product, "slow-ssh");
  await writeFile(
    slow,
    `#!/bin/sh\nuntil [ -e '${beside(product, "gate")}' ]; do sleep 0.1; done\nexit 1\n`,
    {
      mode: 0o755,
    },
  );
  const address = ["config", "remote.origin.url"];
  const origin = await product.sandbox.git(product.repository, address);
  await product.sandbox.git(product.repository, ["config", "core.sshCommand", slow]);
  await product.sandbox.git(product.repository, [...address, "ssh://nowhere.invalid/origin.git"]);
  const canceling = product.tazuna(["cancel", attempt, "--json"], {
    env: killedAt(product, "request:cancel"),
  });
  await eventually("the request", () => existsSync(beside(product, "reached")));
  await writeFile(beside(product, "gate"), "");
  await canceling;
  // The clean-up of the attempt, which goes on in the background, writes the configuration too.
  const users = usersGit(product.sandbox, product.repository);
  await users("config", "--unset", "core.sshCommand");
  await users(...address, origin.trim());
  expect(await readFile(beside(product, "reached"), "utf8")).toBe("request:cancel");
  expect(
    await whatIsWrong(product, {
      starts: startsFile(product),
      expectedStarts: () => 0,
    }),
  ).toEqual([]);
  expect((await usersSide(product)).refs).toEqual(before.refs);
  tally("fault", "a branch whose worktree was never recorded goes with its cancelled attempt", {
    under: "guard",
  });
});

test("commits of an attempt whose worktree the user deleted are kept when it is cancelled", async () => {
  await using product = await startProduct({ remote: false });
  await countedAgent(product, "agent", EDIT);
  const { attempt, run } = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await rm(attempt.worktree, { recursive: true });
  await ask(product, ["cancel", attempt.id]);
  const kept = await product.sandbox.git(product.repository, [
    "for-each-ref",
    `--contains=${run.commit}`,
    "--format=%(refname)",
  ]);
  expect(kept).toBe(`refs/tazuna/snapshots/${attempt.id}/1`);
  tally("fault", "commits of an attempt whose worktree the user deleted are kept when it is cancelled", {
    under: "guard",
  });
});

test(deep("a setup command of an engine that was killed is stopped before it is run again"), async () => {
  await using product = await startProduct();
  const gate = beside(product, "gate");
  await product.configure({
    setup: [`echo $$ >> '${beside(product, "setups")}'; [ -e '${gate}' ] || sleep 300`],
  });
  await countedAgent(product, "agent", EDIT);
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
  await eventually("the setup", () => existsSync(beside(product, "setups")));
  await writeFile(gate, "");
  await product.killEngine();
  const end = (await running.end).json();
  expect(end.attempts[0]?.runs[0]?.outcome).toBe("pushed");
  expect(await wrong(product)).toEqual([]);
  tally("kill", "a setup command of an engine that was killed is stopped before it is run again", {
    under: "guard",
  });
});

test(deep("a check of an engine that was killed is stopped before it is run again"), async () => {
  await using product = await startProduct();
  const gate = beside(product, "gate");
  const run = `echo $$ >> '${beside(product, "checks")}'; [ -e '${gate}' ] || setsid sleep 300; touch left.txt`;
  await product.configure({ checks: [{ name: "slow", run }] });
  await countedAgent(product, "agent", EDIT);
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
  await eventually("the check", () => existsSync(beside(product, "checks")));
  await writeFile(gate, "");
  await product.killEngine();
  const last = (await running.end).json().attempts[0]?.runs[0];
  expect({ outcome: last?.outcome, notes: last?.notes.map(({ code }) => code) }).toEqual({
    outcome: "pushed",
    notes: ["environment_lost", "check_left_files"],
  });
  expect(await wrong(product)).toEqual([]);
  tally("kill", "a check of an engine that was killed is stopped before it is run again", { under: "guard" });
});

test("a push that outlives its engine is waited for: it arrives once (promise 4.3)", async () => {
  await using product = await startProduct();
  const hook = join(product.origin, "hooks", "pre-receive");
  const [begun, gate] = [beside(product, "pushes"), beside(product, "gate")];
  await writeFile(
    hook,
    `#!/bin/sh\necho push >> '${begun}'\ni=0; until [ -e '${gate}' ] || [ $i -gt 300 ]; do sleep 0.1; i=$((i+1)); done\n`,
    { mode: 0o755 },
  );
  await countedAgent(product, "agent", EDIT);
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
  await eventually("the push", () => existsSync(begun));
  await product.killEngine();
  await eventually("the next engine to begin", () =>
    processesOf(product.home, []).some(({ command }) => command.includes(" serve ")),
  );
  await writeFile(gate, "");
  expect((await running.end).json().attempts[0]?.runs[0]?.outcome).toBe("pushed");
  expect(await readFile(begun, "utf8")).toBe("push\n");
  expect(await wrong(product)).toEqual([]);
  tally("kill", "a push that outlives its engine is waited for", { under: "guard" });
});

test("a staging that outlives its engine does not prevent the next staging", async () => {
  await using product = await startProduct();
  const { git } = product.sandbox;
  const [begun, gate] = [beside(product, "filtered"), beside(product, "gate")];
  const filter = `echo clean >> '${begun}'; i=0; until [ -e '${gate}' ] || [ $i -gt 300 ]; do sleep 0.1; i=$((i+1)); done; cat`;
  await git(product.repository, ["config", "--global", "filter.slow.clean", filter]);
  await countedAgent(
    product,
    "agent",
    `echo '*.slow filter=slow' > .gitattributes; echo x > a.slow; ${EDIT}`,
  );
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
  await eventually("the staging", () => existsSync(begun));
  await product.killEngine();
  await eventually("the next engine to begin", () =>
    processesOf(product.home, []).some(({ command }) => command.includes(" serve ")),
  );
  await writeFile(gate, "");
  expect((await running.end).json().attempts[0]?.runs[0]?.outcome).toBe("pushed");
  expect(await wrong(product)).toEqual([]);
  tally("kill", "a staging that outlives its engine does not prevent the next staging", { under: "guard" });
});

test(
  deep("the address of an engine that was killed is not believed when another Tazuna has it now"),
  async () => {
    await using one = await startProduct();
    await using other = await startProduct();
    await one.agent("agent", EDIT);
    const { attempt } = await ask(one, ["run", "Change it", "--agent", "agent"]);
    await other.tazuna(["list"]);
    await one.killEngine();
    const file = join(one.home, "server.json");
    const { url } = JSON.parse(await readFile(join(other.home, "server.json"), "utf8"));
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), url }));
    const shown = await one.tazuna(["show", attempt.id, "--json"]);
    expect(shown.json<{ readonly branch: string }>().branch).toBe(attempt.branch);
    tally("kill", "the address of an engine that was killed is not believed when another Tazuna has it now", {
      under: "guard",
    });
  },
);

/** Kills the engine while an agent works, changes something, and tells how the run ends with the next engine. */
async function changedMeanwhile(change: (product: Product, run: string) => Promise<void>) {
  await using product = await startProduct();
  await countedAgent(product, "agent", "echo kept > kept.txt; echo Working.; sleep 300");
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
  const run = await eventually(
    "the agent",
    async () => (await readFile(startsFile(product), "utf8").catch(() => "")).trim() || null,
  );
  await product.killEngine();
  await change(product, run);
  const end = (await running.end).json();
  const { worktree = "", runs: [last] = [] } = end.attempts[0] ?? {};
  return {
    ending: last?.failure?.code,
    kept: await readFile(join(worktree, "kept.txt"), "utf8"),
    wrong: await wrong(product),
  };
}

test("an agent that the configuration does not know any more is stopped with its run", async () => {
  const end = await changedMeanwhile((product) => product.configure({ agents: {} }));
  expect(end).toEqual({ ending: "agent_not_found", kept: "kept\n", wrong: [] });
  tally("fault", "an agent that the configuration does not know any more is stopped with its run", {
    under: "guard",
  });
});

test("an agent whose configuration cannot be read any more is stopped with its run", async () => {
  const end = await changedMeanwhile((product) => writeFile(join(product.home, "config.json"), "{"));
  expect(end).toEqual({ ending: "setup_failed", kept: "kept\n", wrong: [] });
  tally("fault", "an agent whose configuration cannot be read any more is stopped with its run", {
    under: "guard",
  });
});

test("an agent whose run fails by a fault of ours is stopped with it", async () => {
  const end = await changedMeanwhile((product, run) =>
    writeFile(join(product.home, "runs", run, "launch.json"), "no document"),
  );
  expect(end).toEqual({ ending: "internal", kept: "kept\n", wrong: [] });
  tally("fault", "an agent whose run fails by a fault of ours is stopped with it", { under: "guard" });
});
