import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AgentHome, agentHome, type RealAgentId } from "../helpers/agent-home.ts";
import type { Script, Trouble } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { type RealAgentName, realAgent } from "../helpers/real-agents.ts";
import { OUTSIDE_DEV, type TempDir, tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

/** How each CLI is started headlessly, how its session is resumed, and how its stream tells the end. */
interface Headless {
  readonly id: RealAgentId;
  readonly program: RealAgentName;
  start(model: string, session: string): readonly string[];
  resume(model: string, session: string): readonly string[];
  /** The session that the stream names. */
  readonly session: RegExp;
  readonly success: Ending;
  /** Null if its own retries take long: `test/executors` sees those errors once. */
  readonly failures: { readonly unauthorized: Ending; readonly limited: Ending } | null;
}

/** How a run ends: its exit code, and an event that its stream has. */
interface Ending {
  readonly code: number;
  readonly says: Readonly<Record<string, unknown>>;
}

const CLAUDE = ["-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"];
const CODEX = ["--json", "-c", 'approval_policy="never"', "-c", 'sandbox_mode="danger-full-access"'];
const GEMINI = ["-o", "stream-json", "-y"];
const OPENCODE = ["run", "--format", "json"];

const AGENTS: readonly Headless[] = [
  {
    id: "claude-code",
    program: "claude",
    start: (model, session) => [...CLAUDE, "--model", model, "--session-id", session],
    resume: (model, session) => [...CLAUDE, "--model", model, "--resume", session],
    session: /"session_id":"([^"]+)"/,
    success: { code: 0, says: { type: "result", is_error: false, terminal_reason: "completed" } },
    failures: {
      unauthorized: { code: 1, says: { type: "assistant", error: "authentication_failed" } },
      limited: { code: 1, says: { type: "assistant", error: "rate_limit" } },
    },
  },
  {
    id: "codex",
    program: "codex",
    start: (model) => ["exec", ...CODEX, "-m", model, "-"],
    resume: (model, session) => ["exec", "resume", ...CODEX, "-m", model, session, "-"],
    session: /"thread_id":"([^"]+)"/,
    success: { code: 0, says: { type: "turn.completed" } },
    failures: {
      unauthorized: { code: 1, says: { type: "turn.failed" } },
      limited: {
        code: 1,
        says: {
          type: "turn.failed",
          error: { message: "exceeded retry limit, last status: 429 Too Many Requests" },
        },
      },
    },
  },
  {
    id: "gemini",
    program: "gemini",
    start: (model, session) => [...GEMINI, "-m", model, "--session-id", session],
    resume: (model, session) => [...GEMINI, "-m", model, "--resume", session],
    session: /"session_id":"([^"]+)"/,
    success: { code: 0, says: { type: "result", status: "success" } },
    failures: {
      unauthorized: { code: 401 % 256, says: { type: "result", status: "error" } },
      limited: { code: 429 % 256, says: { type: "result", status: "error" } },
    },
  },
  {
    id: "opencode",
    program: "opencode",
    start: (model) => [...OPENCODE, "--model", model],
    resume: (model, session) => [...OPENCODE, "--model", model, "--session", session],
    session: /"sessionID":"([^"]+)"/,
    success: { code: 0, says: { type: "step_finish" } },
    failures: null,
  },
];

/** Start-up alone takes some CLIs many seconds on a busy machine. */
const PATIENCE_MS = 180_000;

async function run(argv: readonly string[], at: { cwd: string; env: AgentHome["env"]; stdin: string }) {
  const child = Bun.spawn([...argv], {
    cwd: at.cwd,
    env: { PATH: process.env.PATH ?? "", ...at.env },
    stdin: new Blob([at.stdin]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

/** Fails with the whole run if it ended otherwise. */
function expectEnding(run: { readonly code: number; readonly stdout: string }, ending: Ending): void {
  const events = run.stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = events.some((event) =>
    Object.entries(ending.says).every(([name, value]) => isDeepStrictEqual(event[name], value)),
  );
  expect({ code: run.code, says: told ? ending.says : events }).toEqual(ending);
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const identity = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
  const { code, stdout, stderr } = await run(["git", ...identity, ...args], { cwd, env, stdin: "" });
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** A checkout with one commit, and a linked worktree beside it. */
async function linkedWorktree(
  folder: TempDir,
): Promise<{ readonly checkout: string; readonly worktree: string }> {
  const checkout = join(folder.path, "checkout");
  const worktree = join(folder.path, "work tree");
  await git(folder.path, "init", "--quiet", "--initial-branch=main", checkout);
  await git(checkout, "commit", "--quiet", "--allow-empty", "--message=first");
  await git(checkout, "worktree", "add", "--quiet", "-b", "topic", worktree);
  return { checkout, worktree };
}

const twoEdits: Script = {
  scenarios: [
    {
      when: /TASK-7/,
      turns: [
        {
          thinking: "A file.",
          text: "I write it.",
          tools: [{ op: "write", path: "hello.txt", content: "one\ntwo\n" }],
        },
        { text: "Written.", usage: { input: 900, cached: 600, output: 9 } },
        { tools: [{ op: "read", path: "hello.txt" }] },
        { text: "I change it.", tools: [{ op: "edit", path: "hello.txt", old: "two", new: "three" }] },
        { text: "Changed." },
      ],
    },
  ],
};

const fails = (trouble: Trouble): Script => ({ scenarios: [{ turns: [{ text: "Fine.", trouble }] }] });

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))(deep("the real %s"), (id, agent) => {
  const { binary, skip } = realAgent(agent.program);
  const scene = test.skipIf(skip !== null);
  const named = (sentence: string) => (skip === null ? sentence : `${sentence} (${skip})`);
  const program = binary ?? "";

  scene(
    named("edits a worktree, and edits it again in the session that is resumed"),
    async () => {
      await using fake = await startFakeModel({ script: twoEdits });
      await using home = await agentHome(id, { url: fake.url });
      await using folder = await tempDir(OUTSIDE_DEV);
      const { checkout, worktree } = await linkedWorktree(folder);
      const at = { cwd: worktree, env: home.env };
      const fresh = crypto.randomUUID();

      const first = await run([program, ...agent.start(home.model, fresh)], { ...at, stdin: "Do TASK-7." });
      expectEnding(first, agent.success);
      expect(await readFile(join(worktree, "hello.txt"), "utf8")).toBe("one\ntwo\n");

      const session = agent.session.exec(first.stdout)?.[1] ?? "none";
      const second = await run([program, ...agent.resume(home.model, session)], {
        ...at,
        stdin: "Change it.",
      });
      expectEnding(second, agent.success);
      expect(agent.session.exec(second.stdout)?.[1]).toBe(session);
      expect(await readFile(join(worktree, "hello.txt"), "utf8")).toBe("one\nthree\n");

      expect(await git(worktree, "status", "--porcelain", "-z")).toBe("?? hello.txt\0");
      expect(await git(checkout, "status", "--porcelain", "-z")).toBe("");
      const answered = fake.requests.flatMap(({ turn }) => (turn === null ? [] : [turn.index]));
      expect(answered).toEqual([0, 1, 2, 3, 4]);
    },
    PATIENCE_MS,
  );

  const { failures } = agent;
  if (failures === null) return;

  scene(
    named("says that its key is refused, and that it is limited"),
    async () => {
      await using fake = await startFakeModel({
        script: fails({ kind: "error", status: 401, message: "No." }),
      });
      await using home = await agentHome(id, { url: fake.url });
      await using folder = await tempDir(OUTSIDE_DEV);
      const { worktree } = await linkedWorktree(folder);
      const ask = () =>
        run([program, ...agent.start(home.model, crypto.randomUUID())], {
          cwd: worktree,
          env: home.env,
          stdin: "Do it.",
        });
      const refused = await ask();
      expectEnding(refused, failures.unauthorized);
      expect(refused.stdout).toContain("401");
      fake.setScript(
        fails({ kind: "error", status: 429, message: "Wait.", headers: { "retry-after": "1" } }),
      );
      const limited = await ask();
      expectEnding(limited, failures.limited);
    },
    PATIENCE_MS,
  );

  scene(
    named("gets over a limit that ends"),
    async () => {
      const once: Trouble = { kind: "error", status: 429, headers: { "retry-after": "1" }, times: 1 };
      await using fake = await startFakeModel({
        script: { scenarios: [{ turns: [{ text: "Fine.", trouble: once }] }] },
      });
      await using home = await agentHome(id, { url: fake.url });
      await using folder = await tempDir(OUTSIDE_DEV);
      const { worktree } = await linkedWorktree(folder);
      const done = await run([program, ...agent.start(home.model, crypto.randomUUID())], {
        cwd: worktree,
        env: home.env,
        stdin: "Do it.",
      });
      expectEnding(done, agent.success);
    },
    PATIENCE_MS,
  );
});
