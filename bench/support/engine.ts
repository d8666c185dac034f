/** Starts a real engine on a scratch data folder and answers a client of it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../../src/contract/client/client.ts";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import type { TaskSettings } from "../../src/domain/task/task-settings.ts";
import { PROGRAM } from "./program.ts";
import type { Scratch } from "./scratch.ts";
import { until } from "./until.ts";

type Client = ReturnType<typeof createClient>;

export interface BenchEngine extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  /** POST of one task with these agents; throws where it is refused. */
  createTask(agents: readonly string[], settings?: TaskSettings): Promise<TaskDocument>;
  /** The task once all its runs have ended. */
  ended(task: string): Promise<TaskDocument>;
  /** Cancels the whole task and waits until no worktree of it is left at its path. */
  remove(task: TaskDocument): Promise<void>;
}

/** Starts `tazuna serve` on a free port; it is stopped with TERM at the end of the scope. */
export async function startEngine(
  scratch: Scratch,
  options: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<BenchEngine> {
  const child = Bun.spawn([...PROGRAM, "serve", "--json", "--port", "0"], {
    cwd: scratch.root,
    env: { ...scratch.env, ...options.env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const { url, token } = await until("the engine to listen", async () => {
    if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}`);
    const text = await readFile(join(scratch.home, "server.json"), "utf8").catch(() => null);
    const file = text === null ? null : (JSON.parse(text) as { pid: number; url: string; token: string });
    return file?.pid === child.pid ? file : null;
  });
  const client = createClient({ url, token, fetch: (to, init) => fetch(to, init) });
  return {
    pid: child.pid,
    url,
    token,
    client,
    createTask: async (agents, settings = {}) => {
      const made = await client.createTask({
        repository: scratch.clone,
        issue: "Make the edits of the benchmark",
        agents: [...agents],
        settings,
      });
      if (made.isErr()) throw new Error(`the task was refused: ${JSON.stringify(made.error)}`);
      return made.value;
    },
    ended: (task) => until("the task to end", () => endedTask(client, task), { everyMs: 100 }),
    remove: async (task) => {
      await client.cancel({ type: "task", id: task.task.id });
      await until("the attempts to be removed", async () => {
        const now = await client.task(task.task.id);
        return now.isOk() && now.value.attempts.every(({ state }) => state === "removed");
      });
      for (const { worktree } of task.attempts)
        if (existsSync(worktree)) throw new Error(`${worktree} is still there`);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function endedTask(client: Client, id: string): Promise<TaskDocument | null> {
  const task = await client.task(id);
  if (task.isErr()) throw new Error(`the task cannot be read: ${JSON.stringify(task.error)}`);
  const over = task.value.attempts.every(({ runs }) => runs.every(({ ended_at }) => ended_at !== null));
  return over ? task.value : null;
}
