/** Runs an executor's plan as a real process and reads its stream, as the keeper and the engine do. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { UsageTotals } from "../../src/domain/agent/counters.ts";
import { agentEnvironment } from "../../src/domain/agent/environment.ts";
import type { AgentEvent, AgentResult } from "../../src/domain/agent/events.ts";
import type { Executor, LaunchRequest } from "../../src/executors/shared/executor.ts";

export interface RealRun {
  readonly events: readonly AgentEvent[];
  readonly result: AgentResult;
  readonly sessionId: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** Start-up alone takes some agents many seconds on a busy machine. */
export const PATIENCE_MS = 180_000;

export async function realRun(
  executor: Executor,
  request: LaunchRequest,
  options: { readonly previous?: UsageTotals | null } = {},
): Promise<RealRun> {
  const plan = executor.plan(request);
  for (const file of plan.files) {
    await mkdir(dirname(file.path), { recursive: true });
    await writeFile(file.path, file.content, { mode: 0o600 });
  }
  const user = { PATH: process.env.PATH, PWD: dirname(request.worktree) };
  const { env } = agentEnvironment({ user, deny: [], cwd: request.worktree, added: plan.env });
  const child = Bun.spawn([...plan.argv], {
    cwd: request.worktree,
    env,
    stdin: plan.stdin === "lines" ? "pipe" : new Blob([plan.stdin === "prompt" ? request.prompt : ""]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  const parser = executor.parser({ request, previous: options.previous ?? null });
  const events: AgentEvent[] = [];
  let written = 0;
  const answer = () => {
    const replies = parser.replies?.() ?? [];
    if (typeof child.stdin !== "object") return;
    for (const line of replies.slice(written)) child.stdin.write(`${line}\n`);
    written = replies.length;
    child.stdin.flush();
    // Agents file their session while they shut down, so they are not killed.
    if (parser.turnEnded?.() === true) child.stdin.end();
  };
  answer();
  const stderr = new Response(child.stderr).text();
  for await (const line of linesOf(child.stdout)) {
    events.push(...parser.feed(line));
    answer();
  }
  await child.exited;
  const summaryFile = Bun.file(request.summaryFile);
  const result = parser.finish({
    code: child.exitCode,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stderr: (await stderr).slice(-8192),
    summaryFile: (await summaryFile.exists()) ? await summaryFile.text() : null,
    endedAt: new Date().toISOString(),
  });
  const session = events.find((event) => event.kind === "session");
  return {
    events,
    result,
    sessionId: session?.kind === "session" ? session.sessionId : "",
    stderr: await stderr,
    exitCode: child.exitCode,
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

/** A repository with one commit and a linked worktree in it, `path` being the worktree. */
export async function linkedWorktree(folder: string): Promise<string> {
  const checkout = join(folder, "checkout");
  const worktree = join(folder, "work tree");
  await git(folder, "init", "--quiet", "--initial-branch=main", checkout);
  await writeFile(join(checkout, "README.md"), "hello\n");
  await git(checkout, "add", "--all");
  await git(checkout, "commit", "--quiet", "--message=first");
  await git(checkout, "worktree", "add", "--quiet", "-b", "topic", worktree);
  return worktree;
}

export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
  const child = Bun.spawn(["git", ...identity, ...args], {
    cwd,
    env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}
