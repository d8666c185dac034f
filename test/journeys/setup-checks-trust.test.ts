/** Tells what runs beside the agent (setup and checks), and that a repository's scripts run only once they are trusted. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  branchAt,
  changedPaths,
  ending,
  exists,
  fileAt,
  gate,
  PATIENCE_MS,
  processesOf,
  refused,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const NO_SETUP = { setup: [], checks: [], limits: {} };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await product.tazuna(["list"], { env: { GH_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345" } });
});

afterAll(() => product[Symbol.asyncDispose]());

const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);

async function logOf(runId: string): Promise<string> {
  return (await product.tazuna(["logs", runId])).stdout;
}

interface StoredCheck {
  readonly name: string;
  readonly tree: string;
  readonly outcome: string;
  readonly exit_code: number | null;
  readonly output: string;
}

function checksOf(runId: string): readonly StoredCheck[] {
  return storedRows<StoredCheck>(product.home, {
    sql: "select name, tree, outcome, exit_code, output from checks where run_id = $1 order by name",
    values: [runId],
  });
}

/** What the guard tells git: no credentials, and nothing that is pushed to the remote of the attempt. */
function withoutPushes(remote: string): readonly string[] {
  return [
    "GIT_ASKPASS=",
    "GIT_CONFIG_COUNT=2",
    "GIT_CONFIG_KEY_0=credential.helper",
    "GIT_CONFIG_KEY_1=url./dev/null/only-tazuna-pushes/.pushInsteadOf",
    "GIT_CONFIG_VALUE_0=",
    `GIT_CONFIG_VALUE_1=${remote}`,
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_SSH_COMMAND=ssh -F /dev/null -oBatchMode=yes -oIdentitiesOnly=yes -oIdentityFile=/dev/null -oIdentityAgent=none",
    "GIT_TERMINAL_PROMPT=0",
  ];
}

test(
  deep(
    "setup commands run in order in every new worktree, before the agent, without credentials, and not for a follow-up",
  ),
  async () => {
    await product.configure({
      ...NO_SETUP,
      setup: [
        "echo 1 > order.txt; env | sort > env.local; pwd > pwd.local",
        "sleep 0.1; echo 2 >> order.txt; echo set up",
      ],
    });
    const end = await run("cp order.txt seen.txt; rm order.txt");
    const env = await readFile(join(end.attempt.worktree, "env.local"), "utf8");
    expect<unknown>({
      ending: ending(end.run),
      paths: await changedPaths(product, product.origin, end.attempt.branch),
      seen: await fileAt(product, product.origin, end.attempt.branch, "seen.txt"),
      pwd: await readFile(join(end.attempt.worktree, "pwd.local"), "utf8"),
      variables: env.split("\n").filter((line) => /^(CI|TAZUNA_.*|GH_TOKEN|GIT_.*)=/.test(line)),
    }).toEqual({
      ending: PUSHED,
      paths: ["seen.txt"],
      seen: "1\n2",
      pwd: `${end.attempt.worktree}\n`,
      variables: [
        "CI=true",
        ...withoutPushes(product.origin),
        `TAZUNA_ATTEMPT=${end.attempt.id}`,
        `TAZUNA_ISSUE_FILE=${join(product.home, "runs", end.run.id, "agent", "issue.json")}`,
        `TAZUNA_RUN=${end.run.id}`,
        expect.stringMatching(/^TAZUNA_SCRIPT=./),
        `TAZUNA_TASK=${end.document.task.id}`,
        `TAZUNA_WORKSPACE=${end.attempt.worktree}`,
      ],
    });
    expect(await logOf(end.run.id)).toContain("set up");
    const next = await ask(product, ["continue", end.attempt.id, "echo two > two.txt"]);
    expect<unknown>({
      ending: ending(next.run),
      again: await exists(join(end.attempt.worktree, "order.txt")),
    }).toEqual({
      ending: PUSHED,
      again: false,
    });
    await rm(end.attempt.worktree, { recursive: true });
    const restored = await ask(product, [
      "continue",
      end.attempt.id,
      "cat order.txt > again.txt; rm order.txt",
    ]);
    expect<unknown>({
      ending: ending(restored.run),
      again: await fileAt(product, product.origin, end.attempt.branch, "again.txt"),
    }).toEqual({
      ending: PUSHED,
      again: "1\n2",
    });
  },
);

test("a setup command that fails ends the run before the agent, with its output; mended, a retry goes through", async () => {
  await product.configure({
    ...NO_SETUP,
    setup: ["echo fine", "echo 'no such package' >&2; exit 9", "touch never.local"],
  });
  const end = await run("echo one > one.txt");
  expect({
    code: end.code,
    ending: ending(end.run),
    message: end.run.failure?.message,
    output: end.run.failure?.details.output,
    agent: end.run.isolation,
    never: await exists(join(end.attempt.worktree, "never.local")),
  }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "setup_failed" },
    message: `The setup command "echo 'no such package' >&2; exit 9" ended with exit code 9.`,
    output: "no such package\n",
    agent: null,
    never: false,
  });
  expect(await logOf(end.run.id)).toContain("no such package");
  await product.configure({ ...NO_SETUP, setup: ["echo mended > mended.local"] });
  const again = await ask(product, ["retry", end.run.id]);
  expect<unknown>({
    ending: ending(again.run),
    mended: await exists(join(end.attempt.worktree, "mended.local")),
  }).toEqual({
    ending: PUSHED,
    mended: true,
  });
});

test("a setup command that takes too long is stopped with all that it started", async () => {
  await product.configure({
    ...NO_SETUP,
    setup: ["trap '' TERM; (setsid sleep 900 &) ; sleep 900"],
    limits: { setup_s: 1 },
  });
  const end = await run("echo one > one.txt");
  expect({
    ending: ending(end.run),
    message: end.run.failure?.message,
    processes: await processesOf(end.run.id),
  }).toEqual({
    ending: { status: "FAILED", outcome: null, failure: "setup_failed" },
    message: expect.stringContaining("took longer than 1 s"),
    processes: [],
  });
});

test("a run can be stopped, and an attempt cancelled, while its setup runs", async () => {
  await using barrier = gate(product, "setup");
  await product.configure({ ...NO_SETUP, setup: [barrier.wait] });
  const stopped = await run("echo one > one.txt", "--detach");
  await barrier.reached();
  const end = await ask(product, ["stop", stopped.run.id]);
  const canceled = await run("echo one > one.txt", "--detach");
  const gone = await ask(product, ["cancel", canceled.attempt.id]);
  expect([end, gone].map((one) => [one.code, ending(one.run), one.attempt.state])).toEqual([
    [0, { status: "CANCELED", outcome: null }, "stopped"],
    [0, { status: "CANCELED", outcome: null }, "removed"],
  ]);
  expect([
    await exists(canceled.attempt.worktree),
    await branchAt(product, product.repository, canceled.attempt.branch),
  ]).toEqual([false, null]);
  await barrier.open();
  const again = await ask(product, ["retry", stopped.run.id]);
  expect<unknown>(ending(again.run)).toEqual(PUSHED);
});

test("checks run on the staged tree, and their results are stored with it", async () => {
  await product.configure({
    ...NO_SETUP,
    checks: [
      { name: "lint", run: "echo clean; cat one.txt" },
      { name: "style", run: "echo ugly; exit 3", required: false },
    ],
  });
  const end = await run("echo one > one.txt");
  const tree = await product.sandbox.git(product.origin, ["rev-parse", `${end.attempt.branch}^{tree}`]);
  expect<unknown>({ code: end.code, ending: ending(end.run), checks: checksOf(end.run.id) }).toEqual({
    code: 0,
    ending: PUSHED,
    checks: [
      { name: "lint", tree, outcome: "passed", exit_code: 0, output: "clean\none\n" },
      { name: "style", tree, outcome: "failed", exit_code: 3, output: "ugly\n" },
    ],
  });
});

test("a required check that fails keeps the commit here: nothing is pushed, and a follow-up that passes publishes both", async () => {
  await product.configure({
    ...NO_SETUP,
    checks: [{ name: "test", run: "echo '1 test failed'; test -e fixed.txt" }],
  });
  const end = await run("echo one > one.txt");
  expect({
    code: end.code,
    ending: ending(end.run),
    message: end.run.failure?.message,
    here: await branchAt(product, product.repository, end.attempt.branch),
    there: await branchAt(product, product.origin, end.attempt.branch),
  }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "check_failed" },
    message: "The check test failed: 1 test failed",
    here: end.run.commit,
    there: null,
  });
  expect(end.run.commit).toMatch(/^[0-9a-f]{40}$/);
  expect(await logOf(end.run.id)).toContain("1 test failed");
  const fixed = await ask(product, ["continue", end.attempt.id, "echo x > fixed.txt"]);
  expect<unknown>({
    ending: ending(fixed.run),
    parent: await product.sandbox.git(product.origin, ["rev-parse", `${end.attempt.branch}^`]),
  }).toEqual({
    ending: PUSHED,
    parent: end.run.commit ?? "",
  });
});

test(
  deep("what a failed check held back is not pushed by any retry, of its run or an earlier one"),
  async () => {
    await product.configure(NO_SETUP);
    const good = await run("echo one > one.txt");
    await product.configure({ ...NO_SETUP, checks: [{ name: "test", run: "exit 1" }] });
    const bad = await ask(product, ["continue", good.attempt.id, "echo two > two.txt"]);
    const answers = [
      await refused(product, ["retry", bad.run.id, "--from", "push"]),
      await refused(product, ["retry", good.run.id, "--from", "push"]),
    ];
    expect(answers.map(({ code, error }) => [code, error.code, error.remedy])).toEqual(
      Array(2).fill([1, "check_failed", bad.run.failure?.remedy]),
    );
    expect(await branchAt(product, product.origin, good.attempt.branch)).toBe(good.run.commit);
  },
);

test(deep("a check that takes too long has failed, and is stopped with all that it started"), async () => {
  await product.configure({
    ...NO_SETUP,
    checks: [{ name: "slow", run: "trap '' TERM; (setsid sleep 900 &); sleep 900", timeout_s: 1 }],
  });
  const end = await run("echo one > one.txt");
  expect({
    ending: ending(end.run),
    outcomes: checksOf(end.run.id).map(({ outcome }) => outcome),
    processes: await processesOf(end.run.id),
  }).toEqual({
    ending: { status: "FAILED", outcome: null, failure: "check_failed" },
    outcomes: ["timed_out"],
    processes: [],
  });
});

test("files that a check leaves behind or changes are reported and not committed", async () => {
  await product.configure({
    ...NO_SETUP,
    checks: [
      { name: "test", run: "mkdir -p coverage; echo 90 > coverage/report.txt; echo changed >> one.txt" },
    ],
  });
  const end = await run("echo one > one.txt");
  expect<unknown>({
    ending: ending(end.run),
    notes: end.run.notes.map(({ code, details }) => [code, details.check, details.paths]),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
    one: await fileAt(product, product.origin, end.attempt.branch, "one.txt"),
  }).toEqual({
    ending: PUSHED,
    notes: [["check_left_files", "test", ["coverage/report.txt", "one.txt"]]],
    paths: ["one.txt"],
    one: "one",
  });
});

test("a run can be stopped while a check runs; the next one begins anew", async () => {
  await using barrier = gate(product, "check");
  await product.configure({ ...NO_SETUP, checks: [{ name: "test", run: barrier.wait }] });
  const started = await run("echo one > one.txt", "--detach");
  await barrier.reached();
  const stopped = await ask(product, ["stop", started.run.id]);
  expect({ ending: ending(stopped.run), commit: stopped.run.commit }).toEqual({
    ending: { status: "CANCELED", outcome: null },
    commit: null,
  });
  await barrier.open();
  const again = await ask(product, ["continue", started.attempt.id]);
  expect<unknown>({
    ending: ending(again.run),
    paths: await changedPaths(product, product.origin, started.attempt.branch),
  }).toEqual({
    ending: PUSHED,
    paths: ["one.txt"],
  });
});

test("untrusted scripts of a repository: exit code 3, and nothing ran or was made", async () => {
  await product.configure(NO_SETUP);
  const trap = join(product.home, "trap");
  await repositoryConfig({
    setup: [`touch '${trap}'`],
    checks: [{ name: "test", run: `touch '${trap}'` }],
    agents: { theirs: { executor: "command", command: ["./agent.sh"] } },
  });
  await writeFile(join(product.repository, ".tazuna", "agent.sh"), `#!/bin/sh\ntouch '${trap}'\n`, {
    mode: 0o755,
  });
  const before = await state();
  const answer = await refused(product, ["run", "Hello", "--agent", "theirs"]);
  const scripts = answer.error.details.scripts as { text: string; trusted: boolean }[];
  expect({
    code: answer.code,
    error: answer.error.code,
    remedy: answer.error.remedy,
    scripts: scripts.map(({ text, trusted }) => [text, trusted]),
    ran: await exists(trap),
    state: await state(),
  }).toEqual({
    code: 3,
    error: "scripts_not_trusted",
    remedy: "Read them with `tazuna trust`, then trust them there or with `--trust`.",
    scripts: [
      [`setup: touch '${trap}'`, false],
      [`check test: touch '${trap}'`, false],
      [`agent theirs: ${join(product.repository, ".tazuna", "agent.sh")}`, false],
    ],
    ran: false,
    state: before,
  });
  const shown = await product.tazuna(["trust", "--json"]);
  expect({
    code: shown.code,
    scripts: shown.json<{ scripts: { trusted: boolean }[] }>().scripts.map(({ trusted }) => trusted),
  }).toEqual({
    code: 3,
    scripts: [false, false, false],
  });
});

test("`tazuna trust` lets them run, until one of them changes", async () => {
  await repositoryConfig({
    setup: ["echo 1 > setup.local"],
    agents: { theirs: { executor: "command", command: ["./agent.sh"] } },
  });
  const agent = join(product.repository, ".tazuna", "agent.sh");
  await writeFile(agent, "#!/bin/sh\necho 1 > one.txt\n", { mode: 0o755 });
  const trusted = await product.tazuna(["trust", "--yes", "--json"]);
  expect({
    code: trusted.code,
    scripts: trusted.json<{ scripts: { trusted: boolean }[] }>().scripts.map((one) => one.trusted),
  }).toEqual({
    code: 0,
    scripts: [true, true],
  });
  const first = await ask(product, ["run", "Hello", "--agent", "theirs"]);
  expect<unknown>(ending(first.run)).toEqual(PUSHED);

  await writeFile(agent, "#!/bin/sh\necho 2 > two.txt\n");
  const changedProgram = [
    await refused(product, ["run", "Hello", "--agent", "theirs"]),
    await refused(product, ["continue", first.attempt.id, "Go on"]),
    await refused(product, ["retry", first.run.id]),
  ];
  expect(changedProgram.map(({ code, error }) => [code, error.code])).toEqual(
    Array(3).fill([3, "scripts_not_trusted"]),
  );
  // An agent that is not chosen does not run: its change needs no trust.
  expect<unknown>(ending((await run("echo one > one.txt")).run)).toEqual(PUSHED);

  await repositoryConfig({ setup: ["echo 2 > setup.local"] });
  const changedSetup = await refused(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  expect([changedSetup.code, changedSetup.error.code]).toEqual([3, "scripts_not_trusted"]);
  const now = await run("echo one > one.txt", "--trust");
  expect<unknown>({
    ending: ending(now.run),
    setup: await readFile(join(now.attempt.worktree, "setup.local"), "utf8"),
  }).toEqual({
    ending: PUSHED,
    setup: "2\n",
  });
  const later = await run("echo one > one.txt");
  expect<unknown>(ending(later.run)).toEqual(PUSHED);
});

test("a script that changes while its run waits in the queue is not run", async () => {
  await using barrier = gate(product, "slot");
  await repositoryConfig({ setup: ["echo 1 > setup.local"], limits: { per_repository: 1 } });
  const first = await run(`${barrier.wait}; echo one > one.txt`, "--trust", "--detach");
  await barrier.reached();
  const queued = await run("echo two > two.txt", "--detach");
  const trap = join(product.home, "queue-trap");
  await repositoryConfig({ setup: [`touch '${trap}'`], limits: { per_repository: 1 } });
  await barrier.open();
  const end = await ask(product, ["wait", queued.run.id]);
  await ask(product, ["wait", first.run.id]);
  expect({ ending: ending(end.run), message: end.run.failure?.message, ran: await exists(trap) }).toEqual({
    ending: { status: "FAILED", outcome: null, failure: "setup_failed" },
    message: expect.stringContaining("changed since you trusted it"),
    ran: false,
  });
});

test("a repository that loosens the reins is asked about like its scripts; what keeps them is not", async () => {
  await repositoryConfig({ sandbox: { write: ["~/.bashrc", "/etc"], network: "off" } });
  const asked = await refused(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  const scripts = asked.error.details.scripts as { text: string }[];
  expect([asked.code, asked.error.code, ...scripts.map(({ text }) => text)]).toEqual([
    3,
    "scripts_not_trusted",
    "sandbox.write: ~/.bashrc",
    "sandbox.write: /etc",
  ]);
  const env = { TAZUNA_ISOLATION: "" };
  await repositoryConfig({ isolation: "guard" });
  const unheld = await refused(product, ["run", "echo one > one.txt", "--agent", "doer"], { env });
  expect((unheld.error.details.scripts as { text: string }[]).map(({ text }) => text)).toEqual([
    "isolation: guard (instead of auto)",
  ]);
  // A list takes hosts away if all are reached without it, and adds some if none is.
  await repositoryConfig({ sandbox: { network: ["example.com"] } });
  expect<unknown>(ending((await run("echo one > one.txt")).run)).toMatchObject({
    failure: "sandbox_unavailable",
  });
  await product.configure({ sandbox: { network: "off" } });
  const reaching = await refused(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  expect((reaching.error.details.scripts as { text: string }[]).map(({ text }) => text)).toEqual([
    "sandbox.network: example.com",
  ]);
  await product.configure({ sandbox: {} });
  await repositoryConfig({ sandbox: { network: "off" } });
  // Not asked about; and not promised if only the guard holds.
  expect<unknown>(ending((await run("echo one > one.txt")).run)).toEqual({
    status: "FAILED",
    outcome: null,
    failure: "sandbox_unavailable",
  });
  await repositoryConfig({});
  expect<unknown>(ending((await run("echo one > one.txt")).run)).toEqual(PUSHED);
});

test("what a repository loosens of the gate needs trust, also if it comes while the run works", async () => {
  const rules = { gate: { rules: { conflict_marker: "off", binary_file: "reject" } }, deny: ["*.key"] };
  const loose = ["gate.rules.conflict_marker: off (instead of reject)"];
  const denied = [".env", ".env.*", "*.pem"].map((pattern) => `deny: no longer holds ${pattern}`);
  await repositoryConfig(rules);
  const asked = await refused(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  expect([
    asked.code,
    asked.error.message,
    (asked.error.details.scripts as { text: string }[]).map(({ text }) => text),
  ]).toEqual([
    3,
    "This repository loosens 4 settings and you have not trusted that yet.",
    [...loose, ...denied],
  ]);
  expect((await product.tazuna(["trust"])).stdout).toContain(loose[0] ?? "");
  const marker = "printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' > marked.txt";
  expect<unknown>(ending((await run(marker, "--trust")).run)).toEqual(PUSHED);
  // Another value is another request.
  await repositoryConfig({ ...rules, gate: { rules: { conflict_marker: "report" } } });
  expect((await refused(product, ["run", marker, "--agent", "doer"])).code).toBe(3);
  await repositoryConfig({});
  await using barrier = gate(product, "loosened");
  const started = await run(`${barrier.wait}; ${marker}`, "--detach");
  await barrier.reached();
  await repositoryConfig({ gate: { rules: { credential: "off", conflict_marker: "report" } } });
  await barrier.open();
  const end = await ask(product, ["wait", started.run.id]);
  expect<unknown>([ending(end.run), end.run.failure?.message]).toEqual([
    { status: "FAILED", outcome: null, failure: "setup_failed" },
    "What this repository brings along changed since you trusted it: This repository loosens 2 settings and you have not trusted that yet.",
  ]);
  await repositoryConfig({});
});

test("a repository's agent without a program needs no trust; one that replaces the user's own does", async () => {
  await repositoryConfig({ agents: { theirs: { executor: "demo", model: "small" } } });
  expect<unknown>(ending((await ask(product, ["run", "Say hello", "--agent", "theirs"])).run)).toEqual(
    PUSHED,
  );
  await repositoryConfig({ agents: { doer: { executor: "demo" } } });
  expect((await refused(product, ["run", "Hello", "--agent", "doer"])).error.code).toBe(
    "scripts_not_trusted",
  );
  await repositoryConfig({ agents: { theirs: { executor: "demo", env: { PATH: "/tmp" } } } });
  expect((await refused(product, ["run", "Hello", "--agent", "theirs"])).code).toBe(3);
  await repositoryConfig({});
});

test("the same script in another repository is asked about again; scripts of the user's own configuration need no trust", async () => {
  await repositoryConfig({ setup: ["true"] });
  await run("echo one > one.txt", "--trust");
  const other = await product.sandbox.clone(product.origin, "other");
  await mkdir(join(other, ".tazuna"));
  await writeFile(join(other, ".tazuna", "config.json"), JSON.stringify({ setup: ["true"] }));
  const asked = await refused(product, ["run", "Hello", "--agent", "doer", "--repo", other]);
  expect([asked.code, asked.error.code]).toEqual([3, "scripts_not_trusted"]);
  await rm(join(other, ".tazuna"), { recursive: true });
  await product.configure({ ...NO_SETUP, setup: ["echo mine > mine.local"] });
  const own = await ask(product, ["run", "echo one > one.txt", "--agent", "doer", "--repo", other]);
  expect<unknown>({
    ending: ending(own.run),
    ran: await exists(join(own.attempt.worktree, "mine.local")),
  }).toEqual({
    ending: PUSHED,
    ran: true,
  });
});

test("the keeper that was called ahead outlives what a setup command leaves behind, and keeps the agent", async () => {
  const keepers = 'ps -eo pid,args | grep "[_]_keep $TAZUNA_RUN" > keepers.local';
  await repositoryConfig({ setup: [`${keepers}; sleep 600 > left.local 2>&1 &`] });
  const { run: ended, attempt } = await run("echo kept > kept.txt", "--trust");
  expect<unknown>(ending(ended)).toEqual(PUSHED);
  const called = await readFile(join(attempt.worktree, "keepers.local"), "utf8");
  const kept = await readFile(join(product.home, "runs", ended.id, "keeper.json"), "utf8");
  expect((JSON.parse(kept) as { pid: number }).pid).toBe(Number.parseInt(called, 10));
});

async function repositoryConfig(values: object): Promise<void> {
  await mkdir(join(product.repository, ".tazuna"), { recursive: true });
  await writeFile(join(product.repository, ".tazuna", "config.json"), JSON.stringify(values));
  await chmod(join(product.repository, ".tazuna", "config.json"), 0o644);
}

/** What a run would leave. */
async function state() {
  const { tasks } = (await product.tazuna(["list", "--all", "--json"])).json<{ tasks: { id: string }[] }>();
  return {
    tasks: tasks.map(({ id }) => id),
    worktrees: await readdir(join(product.home, "worktrees")),
    branches: await product.sandbox.git(product.repository, ["for-each-ref", "refs/heads"]),
  };
}
