/** Loses a worker in the middle of a run: another one goes on with the files that the depot has (ADR 0096). */
import { expect, setDefaultTimeout } from "bun:test";
import { cp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { askingAgent, asks } from "../helpers/asking-agent.ts";
import {
  ask,
  ending,
  exists,
  gate,
  noteCodes,
  PATIENCE_MS,
  processesOf,
  taskEnd,
} from "../helpers/journey.ts";
import { killAll, movingWorld } from "../helpers/moving-world.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

journey("a lost run goes on elsewhere with what its agent had edited, and once", async () => {
  await using team = await movingWorld((product) => {
    const first = gate(product, "first");
    return `if [ -e one.txt ]; then rm gone.txt; echo two > two.txt; echo "Went on."; else echo one > one.txt; echo x > README.md; echo stays > gone.txt; echo secret > one.local; ${first.wait}; echo late > late.txt; fi`;
  });
  const { product, there } = team;
  const first = gate(product, "first");
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await first.reached();
  await team.holds(begun.attempt.id, { "one.txt": "one", "README.md": "x", "gone.txt": "stays" });
  await team.lose(begun.run.id);
  const run = await team.ended(begun);
  expect<unknown>({ ending: ending(run), notes: noteCodes(run) }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    // The shell that asked is on the lost machine, too.
    notes: ["moved", "environment_lost"],
  });
  const { attempt } = begun;
  const pushed = ["diff", "--name-status", `main..${attempt.branch}`];
  expect(await product.sandbox.git(product.origin, pushed)).toBe("M\tREADME.md\nA\tone.txt\nA\ttwo.txt");
  const [note] = run.notes;
  expect(note?.message).toMatch(
    /^Moved from .+; edits after \d\d:\d\d:\d\d UTC, session and ignored files stayed there\.$/,
  );
  const now = await team.show(begun);
  expect(now.worktree).toBe(join(there.env.TAZUNA_HOME, "worktrees", basename(now.worktree)));
  expect(await exists(join(now.worktree, "one.local"))).toBe(false);

  // The worker that was lost comes back: what lay there is kept, and it writes nothing of the run.
  await first.open();
  await product.tazuna(["list"]);
  await waitFor("it to be there", async () => (await product.enginePid()) !== null);
  // Nothing is deleted there, and who looks is told what it is.
  expect((await product.tazuna(["clean", "--yes"])).code).toBe(0);
  expect(await exists(join(attempt.worktree, "one.local"))).toBe(true);
  const told = (await product.tazuna(["doctor"])).stdout.replaceAll(/\s+/g, " ");
  expect(told).toContain(`Attempt ${attempt.id.slice(0, 8)} was here, and goes on in another data folder`);
  expect(told).not.toContain("the database does not know it");
  expect(ending(await team.runOf(begun))).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const continued = await product.tazuna(["continue", attempt.id, "Write more", "--json"], there);
  expect(continued.code).toBe(0);
});

journey("a worker that was stopped beyond its lease writes nothing when it wakes", async () => {
  await using team = await movingWorld(
    (product) => `[ -e one.txt ] && exit 0; echo one > one.txt; ${gate(product, "held").wait}; exit 3`,
  );
  const { product } = team;
  await using door = gate(product, "held");
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await door.reached();
  await team.holds(begun.attempt.id, { "one.txt": "one" });
  const pid = (await product.enginePid()) ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    await team.ended(begun);
    // Its keeper has stopped the agent before anybody could take the run.
    expect(await processesOf(begun.run.id)).toEqual([]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  const awake = await product.tazuna(["show", begun.document.task.id, "--json"]);
  expect(awake.code).toBe(0);
  const run = await team.runOf(begun);
  expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const commits = ["rev-list", `main..${begun.attempt.branch}`];
  expect(await product.sandbox.git(product.origin, commits)).toBe(run.commit ?? "");
});

journey("a commit that was being pushed is pushed elsewhere, without its agent", async () => {
  await using team = await movingWorld(() => "echo one > one.txt");
  const { product } = team;
  await using door = gate(product, "pushed");
  const hook = join(product.origin, "hooks", "pre-receive");
  await writeFile(hook, `#!/bin/sh\n${door.wait}\n`, { mode: 0o755 });
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await door.reached();
  await team.lose(begun.run.id);
  await door.open();
  const run = await team.ended(begun);
  expect<unknown>({ ending: ending(run), notes: noteCodes(run) }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    notes: ["moved", "environment_lost"],
  });
  const tip = await product.sandbox.git(product.origin, ["rev-parse", begun.attempt.branch]);
  expect(tip).toBe(run.commit ?? "");
  const { stdout } = await product.tazuna(["logs", run.id], team.there);
  expect(stdout).not.toContain("Went on");
});

journey("what the agent of a lost run had asked is asked again elsewhere, and answered there", async () => {
  await using team = await movingWorld(() => "exit 0");
  const { product, there } = team;
  const agent = await askingAgent(product);
  await cp(join(product.home, "config.json"), join(there.env.TAZUNA_HOME, "config.json"));
  const begun = await agent.begin("ask npm install left-pad");
  await team.lose(begun.run.id);
  const again = await asks(product, begun.run.id, begun.question.id, there);
  expect(again.question.words).toBe(begun.question.words);
  await ask(product, ["answer", begun.run.id, "--allow"], there);
  expect(ending(await team.ended(begun))).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(await agent.answers()).toEqual(["npm install left-pad: yes"]);
});

journey("a run that is lost twice ends, and a person decides", async () => {
  await using team = await movingWorld(
    (product) =>
      `[ -e one.txt ] && { ${gate(product, "second").wait}; exit 0; }; echo one > one.txt; ${gate(product, "first").wait}`,
  );
  const { product } = team;
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await gate(product, "first").reached();
  await team.holds(begun.attempt.id, { "one.txt": "one" });
  await team.lose(begun.run.id);
  await gate(product, "second").reached();
  team.server.kill("SIGKILL");
  await team.server.end;
  await killAll(begun.run.id);
  const end = taskEnd(await product.tazuna(["wait", begun.document.task.id, "--json"]));
  expect(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "interrupted" });
  expect(end.run.failure?.details).toEqual({ cause: "worker_lost" });
});
