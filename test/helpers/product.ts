/** Runs the whole product as users do: the command line, an engine, a repository with a bare origin. */
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AttemptDocument, TaskDocument } from "../../src/contract/task-document.ts";
import { copiedFolder } from "./copied-folder.ts";
import { type GitSandbox, gitSandbox } from "./git-repo.ts";
import { http } from "./http.ts";
import { isRunning } from "./is-running.ts";
import { IN_TEAM, ownSchema } from "./own-schema.ts";
import { kill, stopEverythingOf } from "./stop-everything.ts";
import { tempDir } from "./temp-dir.ts";
import { waitFor } from "./wait-for.ts";

/** The checkout, or what `scripts/build-test-product.mjs` made of it for a whole run of the tests. */
const BIN = join(process.env.TAZUNA_TEST_PRODUCT ?? join(import.meta.dir, "../.."), "bin/tazuna");

const REPOSITORY = "project";
const ORIGIN = "origin.git";

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON document on stdout; throws if there is none. */
  json<T = RunDocument>(): T;
}

/** What `run --json` and its relatives print. */
export type RunDocument = TaskDocument;
export type { AttemptDocument };
export { isRunning };

export interface Product extends AsyncDisposable {
  /** The data folder. */
  readonly home: string;
  readonly sandbox: GitSandbox;
  /** The user's checkout, on `main`, with `origin` as its remote. */
  readonly repository: string;
  /** The bare remote. */
  readonly origin: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs one command in the repository and waits for its end. */
  tazuna(args: readonly string[], options?: RunOptions): Promise<CommandEnd>;
  /** Starts one command without waiting. */
  start(args: readonly string[], options?: RunOptions): StartedCommand;
  /** Writes an agent's program (a shell script) and configures it under its name, as a `command` agent unless told. */
  agent(name: string, script: string, profile?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Replaces keys of the data folder's `config.json`. */
  configure(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** The engine's process id; null if none is running. */
  enginePid(): Promise<number | null>;
  /** `kill -9` of the engine; resolves when the process is gone. */
  killEngine(): Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command of another version; the one under test unless told. */
  readonly bin?: string;
  /** In front of the command instead of the product's own words. */
  readonly behind?: readonly string[];
  /** What standard input holds; nothing unless told. */
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
}

export interface StartedCommand {
  readonly pid: number;
  readonly end: Promise<CommandEnd>;
  /** What it has written to stdout so far. */
  printed(): string;
  /** The same of stderr. */
  said(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface ProductOptions {
  /** Whether there is an `origin`; true unless told. */
  readonly remote?: boolean;
  /** Where its folders lie; the temporary folder of the run unless told. */
  readonly place?: string;
  /** Over the environment of every command, and with it of the engine. */
  readonly env?: Readonly<Record<string, string>>;
  /** What holds agents; `guard` unless told, so that their programs may leave what a test looks for anywhere. */
  readonly isolation?: "auto" | "sandbox" | "guard";
  /** In front of every command, and so of the engine: the words of another program that becomes it. */
  readonly behind?: readonly string[];
  /** Times of the engine, in milliseconds, over the short ones of tests. */
  readonly timing?: Readonly<Record<string, number | readonly number[]>>;
}

/** A data folder, a repository with one commit on `main`, and its bare `origin`. */
export function startProduct(options: ProductOptions = {}): Promise<Product> {
  const hasDatabase = options.env?.TAZUNA_DATABASE !== undefined;
  return IN_TEAM && !hasDatabase ? startInTeam(options) : startAlone(options);
}

/**
 * On a Postgres that a second worker shares. It has a clone of the same origin and is asked for nothing. It looks at the
 * queue all the time, so that it would take at once what is not its own.
 */
async function startInTeam(options: ProductOptions): Promise<Product> {
  const schema = await ownSchema();
  const env = { TAZUNA_DATABASE: schema.url };
  const product = await startAlone({ ...options, env: { ...env, ...options.env } });
  schema.usedBy(product.home);
  const second = await startAlone({ env: { ...env, TAZUNA_IDLE_EXIT: "900" } });
  await second.sandbox.git(second.repository, ["remote", "set-url", "origin", product.origin]);
  const added = await second.tazuna(["repo", "add", "."]);
  if (added.code !== 0) throw new Error(added.stderr);
  const engine = await second.enginePid();
  const looking = lookAtQueue(second);
  return {
    ...product,
    [Symbol.asyncDispose]: async () => {
      const log = await readFile(join(second.home, "server.log"), "utf8").catch(() => "");
      await looking.stop();
      const isThere = (await second.enginePid()) === engine;
      await product[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
      await schema[Symbol.asyncDispose]();
      if (!isThere) throw new Error(`the second worker ended:\n${log}`);
    },
  };
}

const LOOK_EVERY_MS = 100;

/** By a request that is refused: nothing is stored, but the engine looks at its queue all the same. */
function lookAtQueue(second: Product): { stop(): Promise<void> } {
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await http(second, "POST /workers/nobody/resume").catch(() => undefined);
      await delay(LOOK_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await looking;
    },
  };
}

async function startAlone(options: ProductOptions): Promise<Product> {
  const sandbox = await gitSandbox();
  const folder = await tempDir(options.place);
  const home = join(folder.path, "tazuna home");
  const repository = join(folder.path, REPOSITORY);
  const origin = join(folder.path, ORIGIN);
  await makeRepository(sandbox, { repository, origin, remote: options.remote ?? true });
  const env = {
    ...sandbox.env,
    TAZUNA_HOME: home,
    TAZUNA_IDLE_EXIT: "60",
    TAZUNA_TIMING: JSON.stringify({ graceMs: 500, backoffMs: [300, 300], ...options.timing }),
    TAZUNA_ISOLATION: options.isolation ?? "guard",
    NO_COLOR: "1",
    ...options.env,
  };
  const configuration: Record<string, unknown> = {};
  const start = (args: readonly string[], how: RunOptions = {}): StartedCommand =>
    startCommand([...(how.behind ?? options.behind ?? []), how.bin ?? BIN, ...args], {
      cwd: how.cwd ?? repository,
      env: { ...env, ...how.env },
      stdin: how.stdin ?? "",
    });
  const configure = async (values: Readonly<Record<string, unknown>>) => {
    Object.assign(configuration, values);
    await mkdir(home, { recursive: true });
    const file = join(home, "config.json");
    // The engine may be reading it: never half a file.
    await writeFile(`${file}.new`, JSON.stringify(configuration));
    await rename(`${file}.new`, file);
  };
  const enginePid = async () => {
    const text = await readFile(join(home, "server.json"), "utf8").catch(() => null);
    const pid = text === null ? null : (JSON.parse(text) as { pid: number }).pid;
    return pid !== null && isRunning(pid) ? pid : null;
  };
  const killEngine = async () => {
    const pid = await enginePid();
    if (pid === null) return;
    kill(pid);
    await waitFor("the engine to be gone", () => !isRunning(pid));
  };
  return {
    home,
    sandbox,
    repository,
    origin,
    env,
    start,
    tazuna: (args, how) => start(args, how).end,
    configure,
    agent: async (name, script, profile = {}) => {
      const path = join(folder.path, "agents", name);
      await mkdir(join(folder.path, "agents"), { recursive: true });
      await writeFile(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
      const agents = (configuration.agents ?? {}) as Record<string, unknown>;
      await configure({
        agents: { ...agents, [name]: { executor: "command", command: [path], ...profile } },
      });
    },
    enginePid,
    killEngine,
    [Symbol.asyncDispose]: async () => {
      await killEngine();
      await stopEverythingOf(home);
      await folder[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** A repository with one commit and, unless told, the bare `origin` that it was pushed to. */
async function makeRepository(
  sandbox: GitSandbox,
  places: { readonly repository: string; readonly origin: string; readonly remote: boolean },
): Promise<void> {
  const kind = `product ${places.remote ? "with" : "without"} a remote`;
  const both = dirname(places.repository);
  const first = await copiedFolder(kind, both, (template) => makeFirst(sandbox, template, places));
  const config = join(places.repository, ".git", "config");
  await writeFile(config, (await readFile(config, "utf8")).replaceAll(first, both));
  // The index knows files by their inode, too.
  await sandbox.git(places.repository, ["update-index", "-q", "--refresh"]);
}

async function makeFirst(
  { git }: GitSandbox,
  folder: string,
  { remote }: { readonly remote: boolean },
): Promise<void> {
  const [repository, origin] = [join(folder, REPOSITORY), join(folder, ORIGIN)];
  await mkdir(repository, { recursive: true });
  await writeFile(join(repository, "README.md"), "# Project\n");
  await writeFile(join(repository, ".gitignore"), "*.local\nnode_modules/\n");
  await git(repository, ["init", "--quiet", "--initial-branch=main"]);
  await git(repository, ["add", "-A"]);
  await git(repository, ["commit", "--quiet", "-m", "First"]);
  if (!remote) return;
  await git(repository, ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
  await git(repository, ["remote", "add", "origin", origin]);
  await git(repository, ["push", "--quiet", "-u", "origin", "main"]);
}

function startCommand(
  argv: readonly string[],
  how: Required<Omit<RunOptions, "bin" | "behind">>,
): StartedCommand {
  const child = Bun.spawn([...argv], {
    cwd: how.cwd,
    env: { ...how.env },
    stdin: new Blob([how.stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  let stdout = "";
  let stderr = "";
  const read = async (stream: ReadableStream<Uint8Array>, take: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const piece of stream) take(decoder.decode(piece, { stream: true }));
    take(decoder.decode());
  };
  const end = (async (): Promise<CommandEnd> => {
    await Promise.all([
      read(child.stdout, (text) => {
        stdout += text;
      }),
      read(child.stderr, (text) => {
        stderr += text;
      }),
    ]);
    await child.exited;
    return {
      code: child.exitCode,
      stdout,
      stderr,
      json: <T>() => {
        try {
          return JSON.parse(stdout) as T;
        } catch {
          throw new Error(`no JSON document (exit ${child.exitCode}):\n${stdout}\n${stderr}`);
        }
      },
    };
  })();
  return {
    pid: child.pid,
    end,
    printed: () => stdout,
    said: () => stderr,
    kill: (signal) => child.kill(signal),
  };
}
