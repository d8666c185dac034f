/**
 * Tells the main job of real Claude Code, Codex, Gemini and opencode with a scripted model: edits, follow-ups, lost
 * engines.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RealAgentId } from "../helpers/agent-home.ts";
import type { Script } from "../helpers/fake-model/script.ts";
import {
  ask,
  branchesOf,
  changedPaths,
  ending,
  fileAt,
  noteCodes,
  PATIENCE_MS,
  subjects,
  type TaskEnd,
  usersSide,
} from "../helpers/journey.ts";
import { isRunning } from "../helpers/product.ts";
import {
  byAgent,
  byAgentSoon,
  describeReal,
  expected,
  INSTALLED,
  type RealProduct,
  startRealProduct,
} from "../helpers/real-product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const CLOSING = "I edited README.md and wrote hello.txt.";

/** Turns at which an agent stops until a test lets it continue, without its engine and with the next one. */
const gates = { orphaned: Promise.withResolvers<void>(), adopted: Promise.withResolvers<void>() };

const said = { usage: { input: 1000, output: 10 } };
const SCRIPT: Script = {
  scenarios: [
    {
      when: /JOB-REBUILT/,
      turns: [
        { tools: [{ op: "write", path: "third.txt", content: "third\n" }] },
        { text: "I added third.txt." },
      ],
    },
    {
      when: /JOB-EDIT-AGAIN/,
      turns: [
        { tools: [{ op: "write", path: "second.txt", content: "second\n" }], ...said },
        { text: "I added second.txt.", ...said },
      ],
    },
    {
      when: /JOB-EDIT/,
      turns: [
        { text: "I look first.", tools: [{ op: "read", path: "README.md" }], ...said },
        {
          tools: [{ op: "edit", path: "README.md", old: "# Project", new: "# Project with a greeting" }],
          ...said,
        },
        { tools: [{ op: "write", path: "hello.txt", content: "hello\n" }], ...said },
        { text: CLOSING, ...said },
      ],
    },
    {
      when: /JOB-ORPHAN/,
      turns: [
        { tools: [{ op: "write", path: "before.txt", content: "before\n" }] },
        { hold: gates.orphaned.promise, tools: [{ op: "write", path: "alone.txt", content: "alone\n" }] },
        { text: "I ended on my own." },
      ],
    },
    {
      when: /JOB-ADOPTED/,
      turns: [
        { tools: [{ op: "write", path: "before.txt", content: "before\n" }] },
        { hold: gates.orphaned.promise, tools: [{ op: "write", path: "alone.txt", content: "alone\n" }] },
        { hold: gates.adopted.promise, tools: [{ op: "write", path: "after.txt", content: "after\n" }] },
        { text: "I ended with the next one." },
      ],
    },
  ],
};

const TRAILER: Readonly<Record<RealAgentId, string>> = {
  "claude-code": "Claude <noreply@anthropic.com>",
  codex: "Codex <noreply@openai.com>",
  gemini: "Gemini <noreply@google.com>",
  opencode: "opencode <noreply@opencode.ai>",
};

/** Their streams say what a run cost. */
const NAMES_ITS_COST: readonly string[] = ["claude-code", "opencode"] satisfies RealAgentId[];

/** By the CLI's own prices (Claude, opencode), else by ours, for the tokens of four and of two steps. */
const COST: Readonly<Record<RealAgentId, { readonly first: number; readonly second: number }>> = {
  "claude-code": { first: 0.0126, second: 0.0063 },
  codex: { first: 0.0212, second: 0.0106 },
  gemini: { first: 0.0054, second: 0.0027 },
  opencode: { first: 0.0042, second: 0.0021 },
};

describeReal("the main job with real agents", () => {
  let real: RealProduct;
  /** The attempts that the tests after the first look at and go on with. */
  let first: TaskEnd;

  beforeAll(async () => {
    real = await startRealProduct({ script: SCRIPT });
  });
  afterAll(() => real?.[Symbol.asyncDispose]());

  const git = (cwd: string, ...args: string[]) => real.product.sandbox.git(cwd, args);
  /** opencode keeps its own name for a repository, the first commit's, in a file of the git directory. */
  const untouched = (ours: readonly string[]) => usersSide(real.product, { ours, byAgents: ["opencode"] });

  test("`tazuna agents` knows their versions and that they are ready; without a login it says what to do", async () => {
    const { product } = real;
    type Answer = { readonly agents: readonly { readonly id: string }[] };
    const listed = async () => {
      const { agents } = (await product.tazuna(["agents", "--json"])).json<Answer>();
      return Object.fromEntries(INSTALLED.map((id) => [id, agents.find((agent) => agent.id === id)]));
    };
    expect<unknown>(await listed()).toEqual(
      expected((id) => ({
        id,
        executor: id,
        version: real.versions[id],
        ready: true,
        // Their providers are in their configuration files, with keys that only they know.
        reason: id === "codex" || id === "opencode" ? "login could not be checked" : null,
      })),
    );
    const home = join(product.home, "nobody");
    await product.configure({ agents: real.profiles(() => ({ env: {}, home })) });
    const without = await listed();
    await product.configure({ agents: real.profiles() });
    expect<unknown>(without).toEqual(
      expected((id) => ({
        id,
        executor: id,
        version: real.versions[id],
        // opencode has models that want no login at all.
        ready: id === "opencode",
        reason:
          id === "opencode"
            ? "login could not be checked"
            : expect.stringMatching(/^Not logged in\. Run `\w+.*`.*, or set [A-Z_]+_KEY\.$/),
      })),
    );
  });

  test("seed 003 Overall architecture, Whole workflow and Orchestrator: real agents edit files, and one instruction ends in a pushed branch for each", async () => {
    const { product } = real;
    const before = await untouched([]);
    first = await real.run("JOB-EDIT: greet the reader");
    expect(first.code).toBe(0);
    expect<unknown>(
      await byAgentSoon(first.attempts, async (run, attempt) => ({
        ending: ending(run),
        notes: run.notes,
        summary: run.summary,
        lastAction: run.last_action?.text,
        usage: run.usage,
        commit: await git(product.origin, "rev-parse", attempt.branch),
        parent: await git(product.origin, "rev-parse", `${attempt.branch}^`),
        trailers: await git(product.origin, "log", "-1", "--format=%(trailers:only)", attempt.branch),
        author: await git(product.origin, "log", "-1", "--format=%an <%ae>", attempt.branch),
        paths: await changedPaths(product, product.origin, attempt.branch),
        readme: await fileAt(product, product.origin, attempt.branch, "README.md"),
        hello: await fileAt(product, product.origin, attempt.branch, "hello.txt"),
      })),
    ).toEqual(
      expected((agent) => {
        const attempt = first.attempts.find((one) => one.agent === agent);
        const run = attempt?.runs[0];
        return {
          ending: PUSHED,
          notes: [],
          summary: CLOSING,
          lastAction: CLOSING,
          usage: {
            input_tokens: 4000,
            cached_input_tokens: 0,
            output_tokens: 40,
            cost_usd: expect.closeTo(COST[agent].first, 6),
            cost_estimated: !NAMES_ITS_COST.includes(agent),
          },
          commit: run?.commit,
          parent: attempt?.base.sha,
          trailers: `Tazuna-Task: ${first.document.task.id}\nTazuna-Run: ${run?.id}\nCo-authored-by: ${TRAILER[agent]}\n`,
          author: "Una User <una@example.com>",
          paths: ["README.md", "hello.txt"],
          readme: "# Project with a greeting",
          hello: "hello",
        };
      }),
    );
    expect(await untouched(branchesOf(first))).toEqual(before);
  });

  test("`tazuna logs` shows what they said and did", async () => {
    const seen = await byAgentSoon(first.attempts, async (run) =>
      (await real.log(run.id)).flatMap(({ event }) => {
        if (event.kind === "tool_call") return [event.title];
        return event.kind === "tool_call_update" && event.status !== "in_progress" ? [event.status] : [];
      }),
    );
    const done = (...titles: string[]) => titles.flatMap((title) => [title, "completed"]);
    expect<unknown>(seen).toEqual(
      expected((agent) =>
        done(
          agent === "codex" ? "cat -- 'README.md'" : "Read README.md",
          "Edit README.md",
          "Write hello.txt",
        ),
      ),
    );
    const text = await Promise.all(
      first.attempts.map(({ runs }) => real.product.tazuna(["logs", runs[0]?.id ?? ""])),
    );
    for (const { stdout } of text) expect(stdout).toContain(`\n> Write hello.txt\n`);
    for (const { stdout } of text) expect(stdout).toContain(`\n${CLOSING}\n`);
  });

  test("seed 003 Phase 4: `tazuna continue` goes on in the same session and worktree, and adds a second commit", async () => {
    const { product, model } = real;
    const ends = await real.continueEach(first.attempts, "JOB-EDIT-AGAIN: add a second file");
    const attempts = ends.map(({ attempt }) => attempt);
    expect<unknown>(
      await byAgentSoon(attempts, async (run, attempt) => ({
        ending: ending(run),
        notes: run.notes,
        summary: run.summary,
        usage: run.usage,
        id: attempt.id,
        worktree: attempt.worktree,
        sessions: await real.sessions(run.id),
        subjects: await subjects(product, product.origin, attempt.branch),
        head: await git(product.origin, "rev-parse", attempt.branch),
        parent: await git(product.origin, "rev-parse", `${attempt.branch}^`),
        paths: await changedPaths(product, product.origin, attempt.branch),
      })),
    ).toEqual(
      await byAgentSoon(first.attempts, async (run, attempt) => ({
        ending: PUSHED,
        notes: [],
        summary: "I added second.txt.",
        usage: {
          input_tokens: 2000,
          cached_input_tokens: 0,
          output_tokens: 20,
          cost_usd: expect.closeTo(COST[attempt.agent as RealAgentId].second, 6),
          cost_estimated: !NAMES_ITS_COST.includes(attempt.agent),
        },
        id: attempt.id,
        worktree: attempt.worktree,
        sessions: await real.sessions(run.id),
        subjects: ["JOB-EDIT-AGAIN: add a second file", "JOB-EDIT: greet the reader"],
        head: ends.find((end) => end.attempt.id === attempt.id)?.run.commit,
        parent: run.commit,
        paths: ["second.txt"],
      })),
    );
    // The model is told the whole earlier conversation: what was asked, and what it answered itself.
    const asked = model.requests.filter(({ userText }) => userText.includes("JOB-EDIT-AGAIN"));
    expect(asked.map(({ turn }) => turn?.index).sort()).toEqual(INSTALLED.flatMap(() => [0, 1]).sort());
    for (const { userText, body } of asked) {
      expect(userText).toContain("JOB-EDIT: greet the reader");
      expect(userText).not.toContain("is lost");
      expect(JSON.stringify(body)).toContain(CLOSING);
    }
  });

  test("seed 003 Phase 4: a follow-up finds its session in a lost worktree, made again at its place and synced", async () => {
    const { product, model } = real;
    for (const { branch, worktree } of first.attempts) {
      await product.sandbox.commitTo(product.origin, branch, { "theirs.txt": "theirs\n" });
      await rm(worktree, { recursive: true });
    }
    const ends = await real.continueEach(first.attempts, "JOB-REBUILT: add a third file");
    const attempts = ends.map(({ attempt }) => attempt);
    expect<unknown>(
      await byAgentSoon(attempts, async (run, { worktree, branch }) => ({
        ending: ending(run),
        notes: noteCodes(run).filter((code) => code !== "agent_settings_changed"),
        worktree,
        sessions: await real.sessions(run.id),
        paths: await changedPaths(product, product.origin, branch),
        theirs: await fileAt(product, product.origin, branch, "theirs.txt"),
        branch,
      })),
    ).toEqual(
      await byAgentSoon(first.attempts, async (run, { worktree, branch }) => ({
        ending: PUSHED,
        notes: ["worktree_restored", "synced"],
        worktree,
        sessions: await real.sessions(run.id),
        paths: ["third.txt"],
        theirs: "theirs",
        branch,
      })),
    );
    for (const { userText } of model.requests.filter((each) => each.userText.includes("JOB-REBUILT"))) {
      expect(userText).toContain("JOB-EDIT: greet the reader");
      expect(userText).not.toContain("is lost");
    }
  });

  const unattended = INSTALLED.filter((agent) => agent !== "gemini");

  test.skipIf(unattended.length === 0)(
    "they work on when the engine is killed; the next one publishes what ended meanwhile and follows what goes on",
    async () => {
      const { product } = real;
      const before = await untouched(branchesOf(first));
      const begun = await Promise.all(
        ["JOB-ORPHAN", "JOB-ADOPTED"].map((job) => real.begin(job, unattended)),
      );
      const [orphans, adopted] = begun as [TaskEnd, TaskEnd];
      const runs = begun.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.runs));
      const held = (index: number) =>
        asked(real).filter(({ turn, status }) => turn.index === index && status === null).length;
      const instead = () => whatTheyDo(real, begun);
      await waitFor("all to be in the middle of their work", () => held(1) === runs.length, {
        withinMs: 120_000,
        instead,
      });
      const keepers = await Promise.all(runs.map(({ id }) => real.keeper(id)));
      await product.killEngine();
      gates.orphaned.resolve();
      await waitFor(
        "what they do without an engine",
        async () => {
          const ended = orphans.attempts.map(({ runs: [run] }) =>
            Bun.file(join(product.home, "runs", run?.id ?? "", "exit.json")).exists(),
          );
          return !(await Promise.all(ended)).includes(false) && held(2) === adopted.attempts.length;
        },
        { withinMs: 120_000, instead },
      );
      expect(await product.enginePid()).toBeNull();
      const waiting = begun.map(({ document }) => ask(product, ["wait", document.task.id]));
      await waitFor("the next engine", () => product.enginePid(), { withinMs: 120_000 });
      const done = await waiting[0];
      const alive = keepers.map((keeper) => keeper?.agentPid ?? 0).filter(isRunning);
      gates.adopted.resolve();
      const ends = await Promise.all(waiting);
      expect(alive).toHaveLength(adopted.attempts.length);
      expect(done?.code).toBe(0);
      for (const [end, files] of [
        [ends[0], ["alone.txt", "before.txt"]],
        [ends[1], ["after.txt", "alone.txt", "before.txt"]],
      ] as const)
        expect<unknown>(
          await byAgentSoon(end?.attempts ?? [], async (run, attempt) => ({
            ending: ending(run),
            notes: noteCodes(run),
            paths: await changedPaths(product, product.origin, attempt.branch),
            subjects: (await subjects(product, product.origin, attempt.branch)).length,
            sessions: (await real.sessions(run.id)).length,
          })),
        ).toEqual(
          byAgent(end?.attempts ?? [], () => ({
            ending: PUSHED,
            notes: ["environment_lost"],
            paths: files,
            subjects: 1,
            sessions: 1,
          })),
        );
      // No model was asked twice for the same step.
      const steps = asked(real).map(({ wire, turn }) => `${wire} ${turn.scenario}/${turn.index}`);
      expect(steps.length).toBe(new Set(steps).size);
      expect(await untouched([first, ...begun].flatMap(branchesOf))).toEqual(before);
    },
  );
});

/** What the agents that outlive an engine asked the model for. */
const asked = ({ model }: RealProduct) =>
  model.requests.flatMap(({ wire, turn, status, userText }) =>
    turn !== null && /JOB-(ORPHAN|ADOPTED)/.test(userText) ? [{ wire, turn, status }] : [],
  );

/** Who asked the model for what, and what each run's program and the engine say of it. */
async function whatTheyDo(real: RealProduct, begun: readonly TaskEnd[]): Promise<unknown> {
  const { product } = real;
  const of = async (id: string, agent: string) => {
    const shown = (await product.tazuna(["show", id])).stdout;
    const said = (await product.tazuna(["logs", id])).stdout.slice(-1000);
    const stderr = await Bun.file(join(product.home, "runs", id, "err.log"))
      .text()
      .catch(() => "");
    return { agent, shown, said, stderr: stderr.slice(-1000) };
  };
  const runs = begun.flatMap(({ attempts }) =>
    attempts.flatMap((attempt) => attempt.runs.map(({ id }) => of(id, attempt.agent))),
  );
  return { asked: asked(real), runs: await Promise.all(runs) };
}
