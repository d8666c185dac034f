import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { acp } from "../../src/executors/acp/index.ts";
import { claudeCode } from "../../src/executors/claude-code/index.ts";
import { codex } from "../../src/executors/codex/index.ts";
import { gemini } from "../../src/executors/gemini/index.ts";
import { opencode } from "../../src/executors/opencode/index.ts";
import type { Executor, LaunchRequest } from "../../src/executors/shared/executor.ts";
import { agentHome, type RealAgentId } from "../helpers/agent-home.ts";
import { launchRequest } from "../helpers/agent-streams.ts";
import type { Script } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { type RealAgentName, realAgent } from "../helpers/real-agents.ts";
import { OUTSIDE_DEV, tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { git, linkedWorktree, PATIENCE_MS, realRun } from "./real-run.ts";

const AGENTS: readonly {
  readonly id: RealAgentId;
  readonly program: RealAgentName;
  readonly executor: Executor;
}[] = [
  { id: "claude-code", program: "claude", executor: claudeCode },
  { id: "codex", program: "codex", executor: codex },
  { id: "gemini", program: "gemini", executor: gemini },
  { id: "opencode", program: "opencode", executor: opencode },
];

const MARKING_SERVER = join(import.meta.dir, "marking-mcp-server.ts");

/** The first one that is found answers, so the follow-up stands before what it follows. */
const SCRIPT: Script = {
  scenarios: [
    { when: /TASK-2/, turns: [{ text: "Nothing more to do." }] },
    {
      when: /TASK-3/,
      turns: [
        { tools: [{ op: "shell", command: "git commit --allow-empty -m sneaky" }] },
        { tools: [{ op: "shell", command: "cd . && git stash" }] },
        { text: "I was not allowed to." },
      ],
    },
    {
      when: /TASK-1/,
      turns: [
        { text: "I write it.", tools: [{ op: "write", path: "hello.txt", content: "hello\n" }] },
        { tools: [{ op: "shell", command: "echo from the shell > shell.txt" }] },
        { text: "Both files are there.", usage: { input: 900, cached: 600, output: 9 } },
      ],
    },
    { when: /TASK-4/, turns: [{ trouble: { kind: "error", status: 401 } }] },
    { when: /TASK-5/, turns: [{ trouble: { kind: "error", status: 429, headers: { "retry-after": "1" } } }] },
  ],
};

for (const { id, program, executor } of AGENTS) {
  const real = realAgent(program);
  const skipped = real.skip === null ? "" : ` [skipped: ${real.skip}]`;

  /** A worktree, a HOME of its own and a model, and the request that starts the agent there. */
  async function stage() {
    const stack = new AsyncDisposableStack();
    const model = stack.use(await startFakeModel({ script: SCRIPT }));
    const home = stack.use(await agentHome(id, { url: model.url }));
    const folder = stack.use(await tempDir(OUTSIDE_DEV));
    const worktree = await linkedWorktree(folder.path);
    const request = (task: string, more: Partial<LaunchRequest> = {}): LaunchRequest =>
      launchRequest({
        worktree,
        agentDir: join(folder.path, "run", task, "agent"),
        summaryFile: join(folder.path, "run", task, "summary.txt"),
        prompt: `${task}\n日本語も、そのまま。\n`,
        session: { resume: null, fresh: crypto.randomUUID() },
        ...more,
        profile: {
          ...home.profile,
          id,
          executor: id,
          command: real.binary === null ? null : [real.binary],
        },
      });
    return { model, worktree, request, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  describe.skipIf(real.skip !== null)(deep(`the real ${id}, launched by its plan${skipped}`), () => {
    test(
      "seed 003 Phase 2, Phase 4 and Whole workflow: an agent reads and edits files, answers success, summary and session, and resumes it",
      async () => {
        await using at = await stage();
        const first = await realRun(executor, at.request("TASK-1"));
        expect(first.result).toMatchObject({ ok: true, summary: "Both files are there." });
        expect(first.result.usage?.inputTokens).toBeGreaterThan(0);
        expect(await readFile(join(at.worktree, "hello.txt"), "utf8")).toBe("hello\n");
        expect(await readFile(join(at.worktree, "shell.txt"), "utf8")).toBe("from the shell\n");
        expect(at.model.requests.some(({ userText }) => userText.includes("日本語も、そのまま。"))).toBe(
          true,
        );
        const calls = first.events.filter((event) => event.kind === "tool_call");
        expect(calls.map(({ title }) => title)).toEqual([
          "Write hello.txt",
          "echo from the shell > shell.txt",
        ]);

        const second = await realRun(
          executor,
          at.request("TASK-2", { session: { resume: first.sessionId, fresh: crypto.randomUUID() } }),
          { previous: first.result.totals },
        );
        expect(second.result).toMatchObject({ ok: true, summary: "Nothing more to do." });
        expect(second.sessionId).toBe(first.sessionId);
        expect(second.result.usage?.inputTokens).toBeGreaterThan(0);
      },
      PATIENCE_MS,
    );

    test(
      "seed 003 Phase 2: an agent is kept from writing git by its own rules",
      async () => {
        await using at = await stage();
        await writeFile(join(at.worktree, "README.md"), "changed\n");
        const head = await git(at.worktree, "rev-parse", "HEAD");
        const run = await realRun(executor, at.request("TASK-3"));
        expect(run.result).toMatchObject({ ok: true, summary: "I was not allowed to." });
        expect(await git(at.worktree, "rev-parse", "HEAD")).toBe(head);
        expect(await git(at.worktree, "stash", "list")).toBe("");
        expect(await readFile(join(at.worktree, "README.md"), "utf8")).toBe("changed\n");
      },
      PATIENCE_MS,
    );

    // The Gemini CLI takes servers only from the user's files, or from root's in folders that only root can write.
    const attachable = id === "gemini" ? test.skip : test;
    attachable(
      `starts the MCP servers of the request${id === "gemini" ? " [skipped: it takes no servers by flag]" : ""}`,
      async () => {
        await using at = await stage();
        await using folder = await tempDir(OUTSIDE_DEV);
        const marker = join(folder.path, "mark er");
        const args = [MARKING_SERVER, marker];
        const server = {
          name: "marking",
          command: process.execPath,
          args,
          env: { MARK: "a=b" },
          inherit: [],
        };
        const run = await realRun(executor, at.request("TASK-1", { mcp: [server] }));
        expect(run.result).toMatchObject({ ok: true, summary: "Both files are there." });
        expect(await readFile(marker, "utf8")).toBe("a=b");
      },
      PATIENCE_MS,
    );

    test(
      "says when it is not logged in, when it is limited, and when its session is gone",
      async () => {
        await using at = await stage();
        const unknown = await realRun(executor, at.request("TASK-4"));
        const limited = await realRun(executor, at.request("TASK-5"));
        const gone = crypto.randomUUID();
        const lost = await realRun(executor, at.request("TASK-2", { session: { resume: gone, fresh: "" } }));
        const codes = [unknown, limited, lost].map(({ result }) => (result.ok ? "ok" : result.failure.code));
        expect(codes).toEqual(["auth_required", "rate_limited", "session_lost"]);
      },
      PATIENCE_MS,
    );
  });
}

/** Agents that speak the Agent Client Protocol. */
const ACP_AGENTS: readonly {
  readonly id: RealAgentId;
  readonly program: RealAgentName;
  readonly flag: string;
  /** What makes it ask before it acts. */
  readonly asks: Readonly<Record<string, string>>;
  readonly resumes: boolean;
}[] = [
  // In the minute in which a session was begun, the Gemini CLI overwrites its file before it loads it.
  { id: "gemini", program: "gemini", flag: "--acp", asks: {}, resumes: false },
  {
    id: "opencode",
    program: "opencode",
    flag: "acp",
    asks: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { bash: "ask", edit: "ask" } }) },
    resumes: true,
  },
];

for (const { id, program, flag, asks, resumes } of ACP_AGENTS) {
  const real = realAgent(program);
  const skipped = real.skip === null ? "" : ` [skipped: ${real.skip}]`;

  describe.skipIf(real.skip !== null)(deep(`the real ${id}, over ACP${skipped}`), () => {
    test(
      `edits, asks before it acts${resumes ? ", goes on in its session" : ""}, and is refused to write git`,
      async () => {
        await using model = await startFakeModel({ script: SCRIPT });
        await using home = await agentHome(id, { url: model.url });
        await using folder = await tempDir(OUTSIDE_DEV);
        const worktree = await linkedWorktree(folder.path);
        await writeFile(join(worktree, "README.md"), "changed\n");
        const env = { ...home.profile.env, ...asks };
        const request = (prompt: string, resume: string | null) =>
          launchRequest({
            worktree,
            prompt,
            session: { resume, fresh: crypto.randomUUID() },
            agentDir: join(folder.path, "agent"),
            summaryFile: join(folder.path, "summary.txt"),
            profile: { ...home.profile, env, executor: "acp", command: [real.binary ?? "", flag] },
          });
        const edit = await realRun(acp, request("TASK-1", null));
        expect(edit.result).toMatchObject({ ok: true, summary: "Both files are there." });
        expect(edit.result.usage?.inputTokens).toBeGreaterThan(0);
        expect(await readFile(join(worktree, "hello.txt"), "utf8")).toBe("hello\n");
        expect(await readFile(join(worktree, "shell.txt"), "utf8")).toBe("from the shell\n");
        const allowed = edit.events.filter((event) => event.kind === "permission");
        expect(allowed.length).toBeGreaterThan(0);
        const head = await git(worktree, "rev-parse", "HEAD");
        const sneak = await realRun(acp, request("TASK-3", resumes ? edit.sessionId : null));
        expect(sneak.sessionId === edit.sessionId).toBe(resumes);
        const told = model.requests.filter(({ userText }) => userText.includes("TASK-3"));
        const remembered = told.some(({ body }) => JSON.stringify(body).includes("Both files are there."));
        expect(remembered).toBe(resumes);
        const refused = sneak.events.filter((event) => event.kind === "permission");
        expect(
          refused.map(({ chosen, options }) => options.find((option) => option.id === chosen)?.kind),
        ).toContain("reject_once");
        expect(await git(worktree, "rev-parse", "HEAD")).toBe(head);
        expect(await git(worktree, "stash", "list")).toBe("");
      },
      PATIENCE_MS,
    );
  });
}
