/** Copies unfinished work into a depot: what an agent edits is there before it ends, whatever happens to its machine. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { depotWorld } from "../helpers/depot-world.ts";
import { ask, ending, gate, PATIENCE_MS, refused, taskEnd } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);
const WITHIN = { withinMs: 120_000 };

journey("what an agent edits is in the depot before it ends, also after its engine was killed", async () => {
  await using world = await depotWorld();
  const { product } = world;
  await using first = gate(product, "first");
  await using second = gate(product, "second");
  await product.agent(
    "writer",
    `echo one > one.txt; echo secret > one.local; ${first.wait}; echo two > two.txt; ${second.wait}; echo Done.`,
  );
  const server = await world.serve(["--depot", world.folder]);
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await first.reached();
  const one = await world.holds(begun.attempt.id, { "one.txt": "one" });
  expect(one).toMatchObject({ run_id: begun.run.id, unprotected_since: null });
  expect(one.ref).toStartWith(`refs/tazuna/live/${begun.attempt.id}/${begun.run.id}/1/`);
  // Its parent is the commit that the agent began with, and ignored files stay where they are.
  expect(await world.git(["rev-parse", `${one.sha}^@`])).toBe(one.base ?? "");
  expect(await world.git(["ls-tree", "--name-only", one.sha ?? ""])).toBe(".gitignore\nREADME.md\none.txt");

  server.kill("SIGKILL");
  await server.end;
  await first.open();
  await second.reached();
  await world.serve(["--depot", world.folder]);
  const two = await world.holds(begun.attempt.id, { "one.txt": "one", "two.txt": "two" });
  expect(two.ref).toStartWith(`refs/tazuna/live/${begun.attempt.id}/${begun.run.id}/`);
  // Under the lease of the next engine.
  expect(two.ref).not.toStartWith(`refs/tazuna/live/${begun.attempt.id}/${begun.run.id}/1/`);
  await second.open();
  const end = taskEnd(await product.tazuna(["wait", begun.document.task.id, "--json"]));
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  await waitFor(
    "the commit of the run to be the newest copy",
    async () => {
      const { ref = "", sha, base } = (await world.protection(begun.attempt.id)) ?? {};
      return ref?.startsWith("refs/tazuna/runs/") && sha === end.run.commit && base === sha;
    },
    WITHIN,
  );
});

journey("a depot that is away stops nothing: it says since when, and copies once it is back", async () => {
  await using world = await depotWorld();
  const { product } = world;
  await using first = gate(product, "first");
  await using second = gate(product, "second");
  await product.agent(
    "writer",
    `echo one > one.txt; ${first.wait}; echo two > two.txt; ${second.wait}; echo Done.`,
  );
  await world.serve(["--depot", world.folder]);
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await first.reached();
  const { attempt } = begun;
  const one = await world.holds(attempt.id, { "one.txt": "one" });
  // As a disk that is not mounted.
  await rename(world.folder, `${world.folder} away`);
  await first.open();
  await second.reached();
  await waitFor(
    "the attempt to be unprotected",
    async () => (await world.protection(attempt.id))?.unprotected_since != null,
    WITHIN,
  );
  const away = await world.protection(attempt.id);
  expect(away).toMatchObject({ sha: one.sha, protected_at: one.protected_at });
  expect((await product.tazuna(["list"])).stdout).toContain(", unprotected");
  const shown = (await product.tazuna(["show", attempt.id])).stdout;
  expect(shown).toContain(`since ${away?.unprotected_since}: `);
  expect((await product.tazuna(["doctor"])).stdout).toContain("1 attempt of this worker is unprotected");
  const facts = async () =>
    (
      await world.db.query(
        "select seq from facts where attempt_id = $1 and kind = 'attempt.changed' and data like '%unprotected%'",
        [attempt.id],
      )
    ).rows.length;
  expect(await facts()).toBe(1);

  await rename(`${world.folder} away`, world.folder);
  const two = await world.holds(attempt.id, { "one.txt": "one", "two.txt": "two" });
  expect(two).toMatchObject({ unprotected_since: null, trouble: null });
  expect((await product.tazuna(["list"])).stdout).not.toContain("unprotected");
  expect(await facts()).toBe(2);
  await second.open();
  const end = taskEnd(await product.tazuna(["wait", begun.document.task.id, "--json"]));
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
});

journey(
  "what a stopped run left, and each snapshot, are in a folder that all workers have mounted",
  async () => {
    await using world = await depotWorld();
    const { product } = world;
    await mkdir(world.folder);
    await product.agent("failing", "echo late > late.txt; exit 3");
    await world.serve(["--depot", pathToFileURL(world.folder).href]);
    const { attempt } = await ask(product, ["run", "Write", "--agent", "failing"]);
    const left = await world.holds(attempt.id, { "late.txt": "late" });
    expect(left.unprotected_since).toBeNull();
    await product.tazuna(["cancel", attempt.id, "--json"]);
    await waitFor(
      "the snapshot of the cancel to be there",
      async () => {
        const { rows } = await world.db.query("select ref, commit_sha from snapshots where attempt_id = $1", [
          attempt.id,
        ]);
        const there = await world.git(["for-each-ref", "--format=%(refname) %(objectname)"]);
        return rows.length > 0 && rows.every(({ ref, commit_sha }) => there.includes(`${ref} ${commit_sha}`));
      },
      WITHIN,
    );
  },
);

journey("while a clean-up waits, an older snapshot never takes the place of a newer copy", async () => {
  await using world = await depotWorld();
  const { product } = world;
  await product.agent("writer", "[ -e one.txt ] && echo two > two.txt || { echo one > one.txt; exit 3; }");
  await world.serve(["--depot", world.folder]);
  const { attempt } = await ask(product, ["run", "Write", "--agent", "writer"]);
  await world.holds(attempt.id, { "one.txt": "one" });
  const { run } = await ask(product, ["continue", attempt.id, "Go on"]);
  expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const copy = await world.holds(attempt.id, { "two.txt": "two" });
  const row = async () =>
    (await world.db.query("select state, clean_up from attempts where id = $1", [attempt.id])).rows[0];
  await product.sandbox.git(product.repository, ["worktree", "lock", attempt.worktree]);
  await product.tazuna(["cancel", attempt.id]);
  await waitFor("the clean-up to wait for a person", async () => (await row()).clean_up, WITHIN);
  // Many looks at the depot are over by then.
  expect((await product.tazuna(["doctor"])).stdout).toContain("Copies of unfinished work go to");
  expect(await world.protection(attempt.id)).toMatchObject({ ref: copy.ref, sha: copy.sha });
  await product.sandbox.git(product.repository, ["worktree", "unlock", attempt.worktree]);
  await product.tazuna(["cancel", attempt.id]);
  const snapshots = `refs/tazuna/snapshots/${attempt.id}/`;
  const isSnapshot = async () => (await world.protection(attempt.id))?.ref?.startsWith(snapshots);
  await waitFor("the snapshot of the clean-up to be there", isSnapshot, WITHIN);
  await world.holds(attempt.id, { "two.txt": "two" });
});

journey("a push that hangs never keeps another attempt from its copy", async () => {
  await using world = await depotWorld();
  const { product } = world;
  await using hung = gate(product, "hung");
  await using working = gate(product, "working");
  await mkdir(world.folder);
  await product.agent("failing", "echo one > one.txt; exit 3");
  await product.agent("working", `echo two > two.txt; ${working.wait}`);
  await world.serve(["--depot", pathToFileURL(world.folder).href]);
  const first = await ask(product, ["run", "Write", "--agent", "failing"]);
  await world.holds(first.attempt.id, { "one.txt": "one" });
  // The depot refuses once what comes of that attempt, and then hangs.
  const once = join(product.home, "refused");
  const hook = `#!/bin/sh
grep -q ${first.attempt.id} || exit 0
[ -e '${once}' ] || { touch '${once}'; exit 1; }
${hung.wait}`;
  const file = join(await world.git(["rev-parse", "--absolute-git-dir"]), "hooks", "pre-receive");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, hook, { mode: 0o755 });
  await product.tazuna(["cancel", first.attempt.id]);
  await hung.reached();
  const second = await ask(product, ["run", "Write", "--agent", "working", "--detach"]);
  await world.holds(second.attempt.id, { "two.txt": "two" });
  const isAway = async () => (await world.protection(first.attempt.id))?.unprotected_since != null;
  expect(await isAway()).toBe(true);
  await Promise.all([hung.open(), working.open()]);
  await waitFor("the other one to be there, too", async () => !(await isAway()), WITHIN);
});

journey(
  "another worker copies what its own agents edit, and says what has no place in the depot",
  async () => {
    await using world = await depotWorld();
    const { product } = world;
    await product.agent("writer", "echo one > one.txt; exit 3");
    await world.serve(["--depot", world.folder]);
    const place = dirname(product.home);
    const home = join(place, "other home");
    const there = { env: { TAZUNA_HOME: home }, cwd: join(place, "other clone") };
    const url = await product.sandbox.git(product.repository, ["remote", "get-url", "origin"]);
    await product.sandbox.git(place, ["clone", "--quiet", url, there.cwd]);
    await mkdir(home, { mode: 0o700 });
    await cp(join(product.home, "config.json"), join(home, "config.json"));
    const first = await ask(product, ["run", "Write", "--agent", "writer"], there);
    await world.holds(first.attempt.id, { "one.txt": "one" });
    expect((await product.tazuna(["doctor"], there)).stdout).toContain("do not reach the depot");
    // Each has a key of its own.
    const { rows } = await world.db.query("select depot_key from workers");
    expect(new Set(rows.map(({ depot_key }) => depot_key)).size).toBe(2);

    await product.sandbox.git(there.cwd, ["remote", "set-url", "origin", product.origin]);
    const second = await ask(product, ["run", "Write", "--agent", "writer"], there);
    expect(await world.protection(second.attempt.id)).toBeNull();
    const shown = (await product.tazuna(["show", second.attempt.id], there)).stdout;
    expect(shown).toContain("never: its repository has no address");
    expect((await product.tazuna(["doctor"], there)).stdout).toContain("has no place in the depot");
    await product.tazuna(["engine", "stop"], there);
  },
);

test("without a Postgres there is no depot, and what is no place for one is refused", async () => {
  await using product = await startProduct();
  const refusal = async (args: readonly string[]) => (await refused(product, ["serve", ...args])).error;
  const folder = join(product.home, "depot");
  expect((await refusal(["--depot", folder])).message).toContain("--depot needs a Postgres");
  const on = ["--database", "postgres://nobody@127.0.0.1:1/none"];
  for (const [place, words] of [
    ["http://elsewhere.example/depots", "plain http"],
    ["https://me:secret-of-mine@elsewhere.example", "has a password or a token"],
    ["ext::sh", "makes git run a program"],
    [join(product.repository, "README.md"), "is no folder"],
  ] as const) {
    const { message, remedy } = await refusal(["--depot", place, ...on]);
    expect(`${message} ${remedy}`).toContain(words);
    expect(`${message} ${remedy}`).not.toContain("secret-of-mine");
  }
});
