/** Makes a scratch repository with a bare remote of its own and starts two demo agents on it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "../../git/process/git-error.ts";
import { addEverything, cloneBare, initRepository } from "../../git/repository/scratch-repository.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import { type Refusal, refused } from "../core/refusal.ts";
import type { CreateTask } from "../core/request-shapes.ts";
import { createTask } from "../requests/create-task.ts";
import { CHECKOUT, REMOTE } from "./demo-place.ts";

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Greeter\n\nSays hello.\n\n    node src/main.js\n",
  "src/greet.js": '/** A greeting. */\nexport function greet(name) {\n  return "Hello";\n}\n',
  "src/main.js": 'import { greet } from "./greet.js";\n\nconsole.log(greet(process.argv[2]));\n',
  "package.json": `${JSON.stringify({ name: "greeter", private: true, type: "module" }, null, 2)}\n`,
};

/** The id of the demo's task; every demo is a repository of its own. With `ask` one of the agents asks a question. */
export async function makeDemo(
  context: RequestContext & Uses<"git" | "executors" | "paths" | "locks" | "ownDepot">,
  { ask }: { readonly ask: boolean },
  key: string | null,
): Promise<Result<string, Refusal>> {
  const dir = join(context.paths.demos, context.newId().slice(0, 8));
  const repository = join(dir, CHECKOUT);
  const made = await makeRepository(context, { repository, remote: join(dir, REMOTE) });
  if (made.isErr())
    return refused(
      "failed",
      "demo_failed",
      `The demo's repository could not be made: ${made.error.message}`,
      {
        remedy: `See that ${context.paths.demos} is a folder with room, in which you may write; then ask again.`,
      },
    );
  const input: CreateTask = {
    repository,
    title: "Greet people by name",
    issue: "Greet people by name",
    context: "src/greet.js says hello and names no person.",
    constraints: "Keep the function's name. Say in the README how to call it.",
    base: null,
    agents: [
      { id: "demo", model: "plain" },
      { id: "demo", model: ask ? "asking" : "friendly" },
    ],
    publish: "push",
    branch: null,
    fromWorktree: false,
    offline: false,
    budgetUsd: null,
    settings: {},
    worker: null,
    onLabels: [],
  };
  return createTask(context, input, key);
}

async function writeFiles(repository: string): Promise<undefined> {
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(join(repository, path, ".."), { recursive: true });
    await writeFile(join(repository, path), content);
  }
}

async function makeRepository(
  context: Uses<"git">,
  places: { readonly repository: string; readonly remote: string },
): Promise<Result<void, Pick<GitError, "message">>> {
  const written = await writeFiles(places.repository).catch((error: NodeJS.ErrnoException) => error);
  if (written !== undefined) return err({ message: written.message });
  const inited = await initRepository(context.git, places.repository);
  if (inited.isErr()) return err(inited.error);
  const committed = await addEverything(context.git, places.repository, "Say hello");
  if (committed.isErr()) return err(committed.error);
  const cloned = await cloneBare(context.git, { from: places.repository, to: places.remote });
  return cloned.isErr() ? err(cloned.error) : ok(undefined);
}
