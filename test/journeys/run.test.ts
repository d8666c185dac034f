/** Tells what `tazuna run` does: one instruction, many agents, pushed branches, the user's checkout untouched. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptDocument } from "../../src/contract/task-document.ts";
import {
  ask,
  branchAt,
  branchesOf,
  changedPaths,
  ending,
  fileAt,
  noteCodes,
  PATIENCE_MS,
  refused,
  subjects,
  usersSide,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const COMMIT = expect.stringMatching(/^[0-9a-f]{40}$/);

/** Keeps all that it was told where the test can read it, beside the worktree's files. */
const LISTENER = `mkdir told
cat > told/stdin
env | grep '^TAZUNA_' | sort > told/env
cp "$TAZUNA_PROMPT_FILE" told/prompt
cp "$TAZUNA_INSTRUCTION_FILE" told/instruction
pwd > told/pwd`;

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent(
    "greeter",
    'echo hello > greeting.txt; echo "Looking around."; echo "Wrote a greeting."',
  );
  await product.agent(
    "editor",
    'echo more >> README.md; printf "Edited.\\n\\nTwo paragraphs." > "$TAZUNA_SUMMARY_FILE"; echo bye',
  );
  await product.agent("listener", LISTENER);
  await product.agent("idler", 'echo "Nothing to do."');
  await product.agent("breaker", "echo half > half.txt; echo 'cannot go on' >&2; exit 7");
});

afterAll(() => product[Symbol.asyncDispose]());

test("seed 003 Overall architecture, Services, Phase 3, Whole workflow, Pull request, Orchestrator and Related files: one instruction and two agents come to two pushed branches with trailers; the user's checkout stays as it was", async () => {
  await writeFile(join(product.repository, "draft.txt"), "not committed\n");
  await appendFile(join(product.repository, "README.md"), "my own words\n");
  await product.sandbox.git(product.repository, ["stash", "push", "--include-untracked"]);
  await product.sandbox.git(product.repository, ["stash", "apply"]);
  const before = await usersSide(product);
  const main = await product.sandbox.git(product.repository, ["rev-parse", "main"]);

  const end = await ask(product, ["run", "Please say hello.", "--agent", "greeter", "--agent", "editor"]);

  const attemptShape = (agent: string, summary: string): AttemptDocument => ({
    id: ID,
    number: agent === "greeter" ? 1 : 2,
    agent,
    executor: "command",
    model: null,
    branch: expect.stringMatching(/^tazuna\/[0-9a-f]{8}$/),
    worktree: expect.stringContaining(join(product.home, "worktrees", "run_")),
    base: { branch: "main", sha: main },
    started_from: { name: "origin/main", from_worktree: false, ahead: 0, behind: 0 },
    origin: null,
    worker: null,
    depot: null,
    session: null,
    state: "pushed",
    merged: null,
    changes: { files: 1, additions: 1, deletions: 0 },
    commit: COMMIT,
    chosen: false,
    pull_request: null,
    usage: null,
    clean_up: null,
    created_at: TIME,
    ended_at: null,
    runs: [
      {
        id: ID,
        number: 1,
        kind: "agent",
        actor: expect.objectContaining({ kind: "owner", id: null }),
        reviewer: null,
        instruction: "Please say hello.",
        position: null,
        status: "SUCCEEDED",
        phase: null,
        outcome: "pushed",
        failure: null,
        commit: COMMIT,
        summary,
        usage: null,
        patch: {
          files: 1,
          additions: 1,
          deletions: 0,
          path: expect.stringContaining(join(product.home, "runs")),
        },
        checks: [],
        isolation: "guard",
        isolation_reason: null,
        notes: [],
        held: false,
        waits_for: null,
        question: null,
        resume_at: null,
        phase_since: null,
        last_action: { at: TIME, text: expect.any(String) },
        created_at: TIME,
        started_at: TIME,
        ended_at: TIME,
      },
    ],
  });
  expect({ code: end.code, document: end.document }).toEqual({
    code: 0,
    document: {
      task: {
        id: ID,
        title: "Please say hello.",
        issue: "Please say hello.",
        context: null,
        constraints: null,
        base: null,
        on_labels: [],
        publish: "push",
        decision: null,
        repository: { id: ID, name: "project", path: product.repository },
        created_at: TIME,
      },
      attempts: [
        attemptShape("greeter", "Wrote a greeting."),
        attemptShape("editor", "Edited.\n\nTwo paragraphs."),
      ],
    },
  });
  for (const attempt of end.attempts) {
    const [run] = attempt.runs;
    const body = attempt.agent === "greeter" ? "Wrote a greeting." : "Edited.\n\nTwo paragraphs.";
    expect({
      branch: attempt.branch,
      worktree: attempt.worktree,
      arrived: await branchAt(product, product.origin, attempt.branch),
      here: await branchAt(product, product.repository, attempt.branch),
      message: await product.sandbox.git(product.origin, [
        "log",
        "-1",
        "--format=%P%n%an <%ae>%n%B",
        attempt.branch,
      ]),
      paths: await changedPaths(product, product.origin, attempt.branch),
      worktreeIsClean: await product.sandbox.git(attempt.worktree, ["status", "--porcelain"]),
      patch: await readFile(run?.patch?.path ?? "", "utf8"),
    }).toEqual({
      branch: `tazuna/${run?.id.slice(0, 8)}`,
      worktree: join(product.home, "worktrees", `run_${run?.id}`),
      arrived: run?.commit ?? "",
      here: run?.commit ?? "",
      message: [
        main,
        "Una User <una@example.com>",
        "Say hello",
        "",
        body,
        "",
        `Tazuna-Task: ${end.document.task.id}`,
        `Tazuna-Run: ${run?.id}`,
        "Co-authored-by: Agent <agent@localhost>",
        "",
      ].join("\n"),
      paths: [attempt.agent === "greeter" ? "greeting.txt" : "README.md"],
      worktreeIsClean: "",
      patch: expect.stringContaining(attempt.agent === "greeter" ? "+hello\n" : "+more\n"),
    });
  }
  expect(await usersSide(product, { ours: branchesOf(end) })).toEqual(before);
  await product.sandbox.git(product.repository, ["stash", "drop"]);
  await product.sandbox.git(product.repository, ["checkout", "--", "."]);
  await rm(join(product.repository, "draft.txt"));
});

test("without --json a table goes to stdout and the progress, in plain lines, to stderr", async () => {
  const end = await product.tazuna(["run", "Say hello", "--agent", "greeter"]);
  const masked = end.stdout
    .replace(/\b[0-9a-f]{12}\b/g, "=commit=====")
    .replace(/\b[0-9a-f]{8}\b/g, "=id=====")
    .replace(/\b[0-9a-f]{7}\b/g, "=base==");
  expect({ code: end.code, table: masked.split("\n") }).toEqual({
    code: 0,
    table: [
      "=id=====  Say hello",
      "",
      "ATTEMPT   AGENT    STATE   CHANGES       COMMIT        BRANCH",
      "=id=====  greeter  Pushed  1 file +1 -0  =commit=====  tazuna/=id=====",
      "",
      "Base: origin/main =base==; your checkout is at the same commit",
      "Isolation: guard",
      "",
      "Next:",
      "  tazuna diff =id=====            what it changed",
      "  tazuna logs =id=====            what it did",
      '  tazuna continue =id===== "..."  go on with it',
      "",
    ],
  });
  const progress = end.stderr.trimEnd().split("\n");
  const others = progress.filter((line) => !/^greeter [0-9a-f]{8}: /.test(line));
  expect(others).toEqual([expect.stringMatching(/^Base: origin\/main [0-9a-f]{7}; your checkout is at/)]);
  expect(progress.at(-1)).toMatch(/: Pushed$/);
});

test("seed 003 RunService: RUNNING goes to FAILED if the agent fails; its edits stay, nothing is committed or pushed", async () => {
  const end = await ask(product, ["run", "Break", "--agent", "breaker", "--agent", "idler"]);
  const { attempt, run } = end;
  expect({
    code: end.code,
    endings: end.attempts.map(({ runs }) => runs.map(ending)),
    message: run.failure?.message,
    remedy: run.failure?.remedy,
    edits: await readFile(join(attempt.worktree, "half.txt"), "utf8"),
    commit: run.commit,
    remote: await branchAt(product, product.origin, attempt.branch),
  }).toEqual({
    code: 1,
    endings: [
      [{ status: "FAILED", outcome: null, failure: "agent_failed" }],
      [{ status: "SUCCEEDED", outcome: "no_changes" }],
    ],
    message: "The command ended with exit code 7: cannot go on",
    remedy: `\`tazuna logs ${run.id.slice(0, 8)}\` shows what the agent said; \`tazuna retry ${run.id.slice(0, 8)}\` tries again.`,
    edits: "half\n",
    commit: null,
    remote: null,
  });
});

test("seed 003 Phase 3 and Whole workflow: an agent that changes nothing makes exit code 0, no commit and no push", async () => {
  const end = await ask(product, ["run", "Look", "--agent", "idler"]);
  expect({
    code: end.code,
    ending: ending(end.run),
    commit: end.run.commit,
    patch: end.run.patch,
    remote: await branchAt(product, product.origin, end.attempt.branch),
  }).toEqual({
    code: 0,
    ending: { status: "SUCCEEDED", outcome: "no_changes" },
    commit: null,
    patch: { files: 0, additions: 0, deletions: 0, path: null },
    remote: null,
  });
});

test("an id may be repeated: each time is an attempt of its own", async () => {
  const end = await ask(product, [
    "run",
    "Say it",
    "--agent",
    "greeter",
    "--agent",
    "greeter",
    "--agent",
    "greeter",
  ]);
  expect(end.attempts.map(({ runs }) => runs.map(ending))).toEqual(
    Array(3).fill([{ status: "SUCCEEDED", outcome: "pushed" }]),
  );
  expect(new Set(branchesOf(end)).size).toBe(3);
  expect(new Set(end.attempts.map(({ worktree }) => worktree)).size).toBe(3);
  expect(end.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test("--detach returns at once, the background engine goes on, and `wait` tells the end", async () => {
  const gate = join(product.home, "gate-detach");
  await product.agent("gated", `until [ -e '${gate}' ]; do sleep 0.05; done; echo x > x.txt`);
  const started = await ask(product, ["run", "Wait", "--agent", "gated", "--detach"]);
  expect({ code: started.code, commit: started.run.commit, ended: started.run.ended_at }).toEqual({
    code: 0,
    commit: null,
    ended: null,
  });
  await writeFile(gate, "");
  const end = await ask(product, ["wait", started.document.task.id.slice(0, 8)]);
  expect({ code: end.code, ending: ending(end.run) }).toEqual({
    code: 0,
    ending: { status: "SUCCEEDED", outcome: "pushed" },
  });
  const again = await ask(product, ["wait", end.run.id]);
  expect(again.document).toEqual(end.document);
});

test("`wait` answers with the exit code that `run` would have", async () => {
  const started = await ask(product, ["run", "Break", "--agent", "breaker", "--detach"]);
  const end = await ask(product, ["wait", started.attempt.id]);
  expect({ code: end.code, ending: ending(end.run) }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "agent_failed" },
  });
});

test("seed 003 Phase 2: instruction, context and constraints reach the agent, on stdin and in its files", async () => {
  const end = await ask(product, [
    "run",
    "Count the words.\nAll of them.",
    "--title",
    "Word counter",
    "--context",
    "Somebody asked.",
    "--constraints",
    "No new files.",
    "--agent",
    "listener",
  ]);
  const told = (name: string) => readFile(join(end.attempt.worktree, "told", name), "utf8");
  const prompt = await told("prompt");
  expect(end.document.task).toMatchObject({
    title: "Word counter",
    issue: "Count the words.\nAll of them.",
    context: "Somebody asked.",
    constraints: "No new files.",
  });
  expect(await told("stdin")).toBe(prompt);
  expect(prompt).toContain("# Issue\n\nCount the words.\nAll of them.\n");
  expect(prompt).toContain("# Context\n\nSomebody asked.\n");
  expect(prompt).toContain("# Constraints\n\nNo new files.\n");
  expect(prompt).toContain(
    "Never run these commands, in any form:\n- git commit\n- git push\n- git checkout\n- git reset --hard\n- git rebase\n- git merge\n",
  );
  expect(await told("instruction")).toBe("Count the words.\nAll of them.");
  const dir = join(product.home, "runs", end.run.id, "agent");
  expect((await told("env")).trimEnd()).toEqual(
    [
      `TAZUNA_ATTEMPT=${end.attempt.id}`,
      "TAZUNA_INSTRUCTION=Count the words.",
      `TAZUNA_INSTRUCTION_FILE=${dir}/instruction.txt`,
      `TAZUNA_ISSUE_FILE=${dir}/issue.json`,
      `TAZUNA_PROMPT_FILE=${dir}/prompt.txt`,
      `TAZUNA_QUESTIONS=${join(dir, "../questions")}`,
      `TAZUNA_RUN=${end.run.id}`,
      `TAZUNA_SUMMARY_FILE=${join(dir, "../summary/summary.txt")}`,
      `TAZUNA_TASK=${end.document.task.id}`,
      `TAZUNA_WORKSPACE=${end.attempt.worktree}`,
    ].join("\n"),
  );
  expect(await told("pwd")).toBe(`${end.attempt.worktree}\n`);
});

test("an instruction of more than 100 KiB is in the file and on stdin, not in the variable", async () => {
  const file = join(product.home, "long.md");
  const long = `Long words.\n${"0123456789abcdef\n".repeat(8000)}`;
  await writeFile(file, long);
  const end = await ask(product, ["run", "--file", file, "--agent", "listener"]);
  const told = (name: string) => readFile(join(end.attempt.worktree, "told", name), "utf8");
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(await told("instruction")).toBe(long.trimEnd());
  expect(await told("stdin")).toContain(long.trimEnd());
  expect(await told("env")).not.toContain("TAZUNA_INSTRUCTION=");
  expect(await subjects(product, product.origin, end.attempt.branch)).toEqual(["Long words"]);
});

test("secrets of the user's environment do not reach the agent; the rest does", async () => {
  await product.agent("spy", "env | sort > env.txt");
  const end = await ask(product, ["run", "Look around", "--agent", "spy"]);
  const env = await readFile(join(end.attempt.worktree, "env.txt"), "utf8");
  expect(env).not.toContain("GIT_CONFIG_GLOBAL");
  expect(env).not.toContain("TAZUNA_HOME");
  expect(env).toContain(`HOME=${product.sandbox.home}\n`);
});

test("a relative command resolves against the file that configures it, the data folder's or the repository's", async () => {
  const script = (word: string) => `#!/bin/sh\necho ${word} > word.txt\n`;
  await writeFile(join(product.home, "mine.sh"), script("home"), { mode: 0o755 });
  await mkdir(join(product.repository, ".tazuna", "agents"), { recursive: true });
  await writeFile(join(product.repository, ".tazuna", "agents", "theirs.sh"), script("repository"), {
    mode: 0o755,
  });
  await writeFile(
    join(product.repository, ".tazuna", "config.json"),
    JSON.stringify({ agents: { theirs: { executor: "command", command: ["./agents/theirs.sh"] } } }),
  );
  await product.configure({
    agents: { ...(await agents()), mine: { executor: "command", command: ["./mine.sh"] } },
  });
  const sub = join(product.repository, "sub");
  await mkdir(sub);
  const end = await ask(product, ["run", "Say a word", "--agent", "mine", "--agent", "theirs", "--trust"], {
    cwd: sub,
  });
  expect(end.attempts.map(({ runs }) => runs.map(ending))).toEqual(
    Array(2).fill([{ status: "SUCCEEDED", outcome: "pushed" }]),
  );
  const words = end.attempts.map(({ branch }) => fileAt(product, product.origin, branch, "word.txt"));
  expect(await Promise.all(words)).toEqual(["home", "repository"]);
  await rm(join(product.repository, ".tazuna"), { recursive: true });
  await rm(sub, { recursive: true });
});

test("--base starts from another branch, as the remote has it now", async () => {
  const tip = await product.sandbox.commitTo(product.origin, "release", { "release.txt": "1\n" });
  const end = await ask(product, ["run", "Say hello", "--agent", "greeter", "--base", "release"]);
  expect({ ending: ending(end.run), base: end.attempt.base }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    base: { branch: "release", sha: tip },
  });
  expect(await product.sandbox.git(product.origin, ["rev-parse", `${end.attempt.branch}^`])).toBe(tip);
});

test("seed 003 Phase 1 and Whole workflow: the newest commit of the remote is the base, though the user has not fetched it", async () => {
  const before = await usersSide(product);
  const tip = await product.sandbox.commitTo(product.origin, "main", { "news.txt": "new\n" });
  const end = await ask(product, ["run", "Say hello", "--agent", "greeter"]);
  expect(end.attempt.base).toEqual({ branch: "main", sha: tip });
  expect(await usersSide(product, { ours: branchesOf(end) })).toEqual(before);
});

test("--from-worktree brings uncommitted and untracked files along, and keeps the denied ones out of the commit", async () => {
  await writeFile(join(product.repository, "started.txt"), "begun by me\n");
  await appendFile(join(product.repository, "README.md"), "my line\n");
  await writeFile(join(product.repository, ".env"), "SECRET=1\n");
  await writeFile(join(product.repository, "notes.local"), "ignored\n");
  const before = await usersSide(product);
  await product.agent("looker", "cat started.txt README.md > seen.txt; ls -a > list.txt");
  const end = await ask(product, ["run", "Go on", "--agent", "looker", "--from-worktree"]);
  expect({
    ending: ending(end.run),
    notes: end.run.notes.map(({ code, details }) => [code, details.path]),
  }).toEqual({
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    notes: [["left_out", ".env"]],
  });
  expect(await changedPaths(product, product.origin, end.attempt.branch)).toEqual([
    "README.md",
    "list.txt",
    "seen.txt",
    "started.txt",
  ]);
  expect(await fileAt(product, product.origin, end.attempt.branch, "seen.txt")).toBe(
    "begun by me\n# Project\nmy line",
  );
  const list = (await fileAt(product, product.origin, end.attempt.branch, "list.txt")).split("\n");
  expect(list).toContain(".env");
  expect(list).not.toContain("notes.local");
  expect(await usersSide(product, { ours: branchesOf(end) })).toEqual(before);
  await product.sandbox.git(product.repository, ["checkout", "--", "."]);
  for (const name of ["started.txt", ".env", "notes.local"]) await rm(join(product.repository, name));
});

test("--branch works on a branch that exists and adds to it", async () => {
  await product.sandbox.git(product.repository, ["branch", "topic", "main"]);
  const end = await ask(product, ["run", "Say hello", "--agent", "greeter", "--branch", "topic"]);
  expect({ code: end.code, ending: ending(end.run), branch: end.attempt.branch }).toEqual({
    code: 0,
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    branch: "topic",
  });
  expect(await product.sandbox.git(product.origin, ["log", "-1", "--format=%P %s", "topic"])).toBe(
    `${await product.sandbox.git(product.repository, ["rev-parse", "main"])} Say hello`,
  );
});

test("--branch refuses a branch that is checked out, naming where, and more than one agent", async () => {
  const held = join(product.repository, "..", "elsewhere");
  await product.sandbox.git(product.repository, ["worktree", "add", "-q", "-b", "held", held, "main"]);
  const before = await readdir(join(product.home, "worktrees"));
  const [checkedOut, inMain, twice, missing] = [
    await refused(product, ["run", "Hello", "--agent", "greeter", "--branch", "held"]),
    await refused(product, ["run", "Hello", "--agent", "greeter", "--branch", "main"]),
    await refused(product, ["run", "Hello", "--agent", "greeter", "--agent", "greeter", "--branch", "held"]),
    await refused(product, ["run", "Hello", "--agent", "greeter", "--branch", "nowhere"]),
  ];
  expect([checkedOut, inMain].map(({ code, error }) => [code, error.code, error.message])).toEqual([
    [1, "branch_checked_out", `The branch "held" is checked out in ${held.replace("/project/..", "")}.`],
    [1, "branch_checked_out", `The branch "main" is checked out in ${product.repository}.`],
  ]);
  expect([twice, missing].map(({ code, error }) => [code, error.code])).toEqual([
    [2, "branch_for_one_agent"],
    [2, "branch_missing"],
  ]);
  expect(await readdir(join(product.home, "worktrees"))).toEqual(before);
});

test("seed 003 Phase 1: a fetch that fails ends the run before the agent starts (departs: --offline takes the last base)", async () => {
  const away = `${product.origin}.away`;
  await rename(product.origin, away);
  const failed = await ask(product, ["run", "Say hello", "--agent", "greeter"]);
  expect({ code: failed.code, ending: ending(failed.run), started: failed.run.last_action }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "fetch_failed" },
    started: null,
  });
  expect(failed.run.failure?.remedy).toContain("--offline");
  const known = await product.sandbox.git(product.repository, ["rev-parse", "origin/main"]);
  const offline = await ask(product, ["run", "Say hello", "--agent", "greeter", "--offline"]);
  expect({ code: offline.code, ending: ending(offline.run), base: offline.attempt.base }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "remote_unreachable" },
    base: { branch: "main", sha: known },
  });
  expect(await branchAt(product, product.repository, offline.attempt.branch)).toBe(offline.run.commit);
  await rename(away, product.origin);
  const again = await ask(product, ["retry", offline.run.id, "--from", "push"]);
  expect({ code: again.code, ending: ending(again.run), commit: again.run.commit }).toEqual({
    code: 0,
    ending: { status: "SUCCEEDED", outcome: "pushed" },
    commit: offline.run.commit,
  });
  expect(await branchAt(product, product.origin, offline.attempt.branch)).toBe(offline.run.commit);
});

test(
  deep("--foreground keeps the engine in the process: when it is done nothing is left running"),
  async () => {
    await using own = await startProduct();
    await own.agent("greeter", "echo hello > greeting.txt");
    const end = await ask(own, ["run", "Say hello", "--agent", "greeter", "--foreground"]);
    expect({
      code: end.code,
      ending: ending(end.run),
      arrived: await branchAt(own, own.origin, end.attempt.branch),
    }).toEqual({
      code: 0,
      ending: { status: "SUCCEEDED", outcome: "pushed" },
      arrived: end.run.commit,
    });
    expect(await own.enginePid()).toBeNull();
    expect(await readdir(own.home)).not.toContain("server.json");
    expect(noteCodes(end.run)).toEqual([]);
  },
);

async function agents(): Promise<Record<string, unknown>> {
  const text = await readFile(join(product.home, "config.json"), "utf8");
  return (JSON.parse(text) as { agents: Record<string, unknown> }).agents;
}
