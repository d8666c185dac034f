/** Makes every failure of a run happen for real, and plays the person whom its remedy asks for something. */
import { expect } from "bun:test";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FailureCode } from "../../../src/domain/run/failure.ts";
import { gitHttpServer } from "../../helpers/git-http-server.ts";
import { ask, gate, PAST_THE_GUARD, type TaskEnd } from "../../helpers/journey.ts";
import { ownPath } from "../../helpers/own-path.ts";
import type { Product } from "../../helpers/product.ts";
import { replayedClaude } from "../../helpers/replayed-claude.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { smallDisk, whyNoSmallDisk } from "../crash/small-disk.ts";
import { commandsIn, typed, WRITES_CREDENTIAL } from "./follow.ts";

export interface FailedRun {
  readonly end: TaskEnd;
  /** What the remedy asks of a person before its command. */
  readonly person?: () => Promise<unknown>;
}

export interface FailureCase {
  readonly code: FailureCode;
  readonly what: string;
  /** Which of the commands that go on is typed; the last one unless told. */
  readonly take?: "first";
  /** Commands that the remedy names for git and for settings are typed before it. */
  readonly own?: true;
  /** Why it cannot be played on this machine; null if it can. */
  readonly skipped?: string | null;
  play(product: Product, later: (dispose: () => PromiseLike<unknown>) => void): Promise<FailedRun>;
}

const failureCase = (
  code: FailureCode,
  what: string,
  play: FailureCase["play"],
  how: Pick<FailureCase, "take" | "own" | "skipped"> = {},
): FailureCase => ({ code, what, play, ...how });

/** What the agent does in its first run, and what it does once it is asked again. */
async function doer(product: Product, first: string, later = "echo Done."): Promise<void> {
  const again = join(product.home, "..", "again");
  await product.agent(
    "doer",
    `${PAST_THE_GUARD} echo one > one.txt\nif [ -e '${again}' ]; then ${later}\nelse touch '${again}'; ${first}\nfi`,
  );
}

const run = (product: Product, ...more: string[]) =>
  ask(product, ["run", "Change it", "--agent", "doer", ...more]);

/** The agent works while `meanwhile` is done. */
async function whileItWorks(
  product: Product,
  meanwhile: (end: TaskEnd) => Promise<unknown>,
  options: { readonly then?: string } = {},
): Promise<TaskEnd> {
  const barrier = gate(product, "works");
  await doer(product, `${barrier.wait}; ${options.then ?? "true"}`);
  const started = await run(product, "--detach");
  await barrier.reached();
  await meanwhile(await ask(product, ["show", started.document.task.id]));
  await barrier.open();
  return ask(product, ["wait", started.document.task.id], { cwd: product.home });
}

const git = (product: Product, ...args: string[]) => product.sandbox.git(product.repository, args);

async function hookOf(product: Product, path: string, script: string): Promise<string> {
  await mkdir(join(path, "hooks"), { recursive: true });
  const name = path === product.origin ? "pre-receive" : "pre-commit";
  const hook = join(path, "hooks", name);
  await writeFile(hook, `#!/bin/sh\n${script}\n`);
  await chmod(hook, 0o755);
  return hook;
}

const moved = (product: Product) => ({
  away: () => rename(product.origin, `${product.origin}.away`),
  back: () => rename(`${product.origin}.away`, product.origin),
});

const overHttp = async (product: Product, later: Parameters<FailureCase["play"]>[1]) => {
  const server = await gitHttpServer(join(product.origin, ".."));
  later(() => server[Symbol.asyncDispose]());
  await git(product, "remote", "set-url", "origin", server.url("origin.git"));
  return server;
};

/** The agent is as quick as half of the new limit once that is doubled. */
async function limited(product: Product, key: "timeout_s" | "stall_s"): Promise<FailedRun> {
  await product.configure({ limits: { [key]: 3 } });
  await doer(product, "sleep 60");
  return { end: await run(product) };
}

const NO_DISK = await whyNoSmallDisk();

export const FAILURES: readonly FailureCase[] = [
  failureCase("setup_failed", "a setup command fails", async (product) => {
    const flag = join(product.home, "installed");
    await product.configure({ setup: [`test -e '${flag}'`] });
    await doer(product, "true");
    return { end: await run(product), person: () => writeFile(flag, "") };
  }),
  failureCase("setup_failed", "the configuration breaks while the run waits", async (product) => {
    const file = join(product.home, "config.json");
    let before = "";
    const end = await whileItWorks(product, async () => {
      before = await readFile(file, "utf8");
      await writeFile(file, "{ not json");
    });
    return { end, person: () => writeFile(file, before) };
  }),
  failureCase(
    "setup_failed",
    "the scripts of the repository change while the run waits for a slot",
    async (product) => {
      const file = join(product.repository, ".tazuna", "config.json");
      const setup = (command: string) => writeFile(file, JSON.stringify({ setup: [command] }));
      await mkdir(join(file, ".."), { recursive: true });
      await setup("true");
      await product.configure({ limits: { parallel: 1 } });
      const barrier = gate(product, "slot");
      await product.agent("doer", `${barrier.wait}; echo one > one.txt`);
      const first = await run(product, "--trust", "--detach");
      await barrier.reached();
      const queued = await run(product, "--detach");
      await setup("echo changed");
      await barrier.open();
      await ask(product, ["wait", first.document.task.id]);
      return { end: await ask(product, ["wait", queued.document.task.id]) };
    },
  ),
  failureCase(
    "commit_failed",
    "settings of git that run programs appear while the agent works",
    async (product) => {
      const config = join(product.repository, ".git", "config");
      const plant = `printf '[filter "upper"]\\n\\tclean = tr a-z A-Z\\n' >> '${config}'`;
      await doer(product, `${plant}; echo '*.x filter=upper' > .gitattributes; echo work > a.x`);
      const end = await run(product);
      return { end, person: () => product.tazuna(["trust", "--yes"]) };
    },
  ),
  failureCase("agent_failed", "the agent ends with an error", async (product) => {
    await doer(product, "exit 3");
    return { end: await run(product) };
  }),
  failureCase("agent_not_found", "the agent's program is missing", async (product) => {
    const program = join(product.home, "..", "missing-agent");
    await product.configure({ agents: { doer: { executor: "command", command: [program] } } });
    const end = await run(product);
    const person = async () => {
      await writeFile(program, "#!/bin/sh\necho one > one.txt\n");
      await chmod(program, 0o755);
    };
    return { end, person };
  }),
  failureCase("agent_not_found", "the agent left the configuration", async (product) => {
    await doer(product, "exit 3");
    const first = await run(product);
    await product.configure({ agents: {} });
    const end = await ask(product, ["retry", first.run.id]);
    return { end, person: () => doer(product, "true") };
  }),
  failureCase("auth_required", "the agent is not logged in", async (product) => {
    await replayedClaude(product, "doer", [
      { stream: "error-401.jsonl", code: 1 },
      { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
    ]);
    return { end: await run(product) };
  }),
  failureCase("rate_limited", "the limit comes again and again", async (product) => {
    const limited = { before: "echo begun > begun.txt", stream: "error-429.jsonl", code: 1 };
    await replayedClaude(product, "doer", [
      ...[limited, limited, limited],
      { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
    ]);
    return { end: await run(product) };
  }),
  failureCase("timed_out", "the agent takes longer than it may", (product) => limited(product, "timeout_s"), {
    own: true,
  }),
  failureCase("stalled", "nothing is heard of the agent", (product) => limited(product, "stall_s"), {
    own: true,
  }),
  failureCase(
    "gate_rejected",
    "a credential, which the agent takes out",
    async (product) => {
      await doer(product, WRITES_CREDENTIAL, "rm -f config.js");
      return { end: await run(product) };
    },
    { take: "first" },
  ),
  failureCase("gate_rejected", "a credential, which a person allows", async (product) => {
    await doer(product, WRITES_CREDENTIAL);
    return { end: await run(product) };
  }),
  failureCase(
    "gate_rejected",
    "what cannot be allowed, which the agent takes out",
    async (product) => {
      await doer(product, "mkdir git~1; echo x > git~1/config", "rm -rf git~1");
      return { end: await run(product) };
    },
    { take: "first" },
  ),
  failureCase("gate_rejected", "what cannot be allowed, which a person takes out", async (product) => {
    await doer(product, "mkdir git~1; echo x > git~1/config");
    const end = await run(product);
    return { end, person: () => rm(join(end.attempt.worktree, "git~1"), { recursive: true }) };
  }),
  failureCase("gate_rejected", "conflict markers that the agent left in a merge", async (product) => {
    const end = await conflicting(product, "printf both > same.txt");
    return {
      end: await ask(product, ["continue", end.attempt.id, "--resolve"]),
      person: () => touchAgain(product),
    };
  }),
  failureCase(
    "check_failed",
    "a required check fails, and the agent mends it",
    async (product) => {
      await product.configure({ checks: [{ name: "has good", run: "test -e good.txt", required: true }] });
      await doer(product, "true", "echo good > good.txt");
      return { end: await run(product) };
    },
    { take: "first" },
  ),
  failureCase("check_failed", "two required checks fail, and a person allows both", async (product) => {
    const red = (name: string) => ({ name, run: "false", required: true });
    await product.configure({ checks: [red("lint"), red("unit tests")] });
    await doer(product, "true");
    return { end: await run(product) };
  }),
  failureCase(
    "hook_failed",
    "a hook refuses, and the agent does what it asks for",
    async (product) => {
      await product.configure({ hooks: "run" });
      await hookOf(product, join(product.repository, ".git"), "test -e good.txt");
      await doer(product, "true", "echo good > good.txt");
      return { end: await run(product) };
    },
    { take: "first" },
  ),
  failureCase("hook_failed", "a hook refuses, and a person does what it asks for", async (product) => {
    await product.configure({ hooks: "run" });
    await hookOf(product, join(product.repository, ".git"), "test -e good.txt");
    await doer(product, "true");
    const end = await run(product);
    return { end, person: () => writeFile(join(end.attempt.worktree, "good.txt"), "good\n") };
  }),
  failureCase(
    "hook_failed",
    "a hook refuses, and a person wants none to run",
    async (product) => {
      await product.configure({ hooks: "run" });
      await hookOf(product, join(product.repository, ".git"), "exit 1");
      await doer(product, "true");
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase(
    "commit_failed",
    "the key for signing is locked",
    async (product) => {
      const key = join(product.sandbox.home, "key");
      await Bun.$`ssh-keygen -q -t ed25519 -N "secret words" -f ${key}`.quiet();
      for (const [name, value] of [
        ["gpg.format", "ssh"],
        ["user.signingkey", `${key}.pub`],
        ["commit.gpgsign", "true"],
      ] as const)
        await git(product, "config", "--global", name, value);
      await doer(product, "true");
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase("lfs_missing", "git-lfs is not set up", async (product) => {
    await doer(product, "echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes; echo x > a.bin");
    const end = await run(product);
    const { env } = product;
    return { end, person: () => Bun.$`git lfs install`.env({ ...env }).quiet() };
  }),
  failureCase("fetch_failed", "there is no repository at the remote's address", async (product) => {
    await doer(product, "true");
    await moved(product).away();
    return { end: await run(product), person: moved(product).back };
  }),
  failureCase("fetch_failed", "the host's name is unknown", async (product) => {
    await doer(product, "true");
    await git(product, "remote", "set-url", "origin", "http://no-such-host.invalid/x.git");
    const end = await run(product);
    return { end, person: () => git(product, "remote", "set-url", "origin", product.origin) };
  }),
  failureCase("fetch_failed", "nothing listens at the address", async (product, later) => {
    await doer(product, "true");
    const server = await gitHttpServer(join(product.origin, ".."));
    const url = server.url("origin.git");
    await server[Symbol.asyncDispose]();
    await git(product, "remote", "set-url", "origin", url);
    const end = await run(product);
    return { end, person: async () => void (await overHttp(product, later)) };
  }),
  failureCase("fetch_failed", "the remote wants a login", async (product, later) => {
    const server = await overHttp(product, later);
    await doer(product, "true");
    server.behave({ password: { user: "una", password: "secret" } });
    const end = await run(product);
    return { end, person: async () => server.behave({ password: null }) };
  }),
  failureCase("fetch_failed", "a submodule cannot be cloned, until a person sees to it", async (product) => {
    const inner = await unreachableSubmodule(product, "test -e lib/README.md || exit 3");
    return { end: await run(product), person: () => rename(`${inner}.away`, inner) };
  }),
  failureCase(
    "fetch_failed",
    "a submodule cannot be cloned, and a person goes on without it",
    async (product) => {
      await unreachableSubmodule(product, "test ! -e lib/README.md || exit 3");
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase("fetch_failed", "the configured remote is not there", async (product) => {
    await doer(product, "true");
    await product.configure({ remote: "upstream" });
    const end = await run(product);
    return { end, person: () => product.configure({ remote: "origin" }) };
  }),
  failureCase(
    "base_missing",
    "the base is on no remote",
    async (product) => {
      await doer(product, "true");
      return { end: await run(product, "--base", "release/2") };
    },
    { own: true },
  ),
  failureCase(
    "empty_repository",
    "there is no commit",
    async (product) => {
      await doer(product, "true");
      const { repository, sandbox } = product;
      await rm(repository, { recursive: true });
      await sandbox.git(join(repository, ".."), ["init", "--quiet", "--initial-branch=main", repository]);
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase(
    "empty_repository",
    "there is no commit, here and on the remote",
    async (product) => {
      await doer(product, "true");
      const { repository, origin, sandbox } = product;
      await rm(repository, { recursive: true });
      await rm(origin, { recursive: true });
      const above = join(repository, "..");
      await sandbox.git(above, ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
      await sandbox.git(above, ["init", "--quiet", "--initial-branch=main", repository]);
      await git(product, "remote", "add", "origin", origin);
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase(
    "branch_name_blocked",
    "a branch is called tazuna",
    async (product) => {
      await doer(product, "true");
      await git(product, "branch", "tazuna");
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase(
    "branch_name_blocked",
    "a branch of the remote is called tazuna",
    async (product) => {
      await doer(product, "true");
      await git(product, "push", "--quiet", "origin", "main:refs/heads/tazuna");
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase("push_rejected", "a hook of the remote refuses", async (product) => {
    await doer(product, "true");
    const hook = await hookOf(product, product.origin, "echo not today; exit 1");
    return { end: await run(product), person: () => rm(hook) };
  }),
  failureCase(
    "push_rejected",
    "a hook of the remote wants a file, which the agent adds",
    async (product) => {
      await doer(product, "true", "echo good > good.txt");
      await hookOf(product, product.origin, "read old new ref; git cat-file -e $new:good.txt");
      return { end: await run(product) };
    },
    { take: "first" },
  ),
  failureCase("push_auth", "the remote does not let this user push", async (product, later) => {
    const server = await overHttp(product, later);
    await doer(product, "true");
    server.behave({ refusePushes: 403 });
    const end = await run(product);
    return { end, person: async () => server.behave({ refusePushes: null }) };
  }),
  failureCase("remote_unreachable", "the remote goes away while the agent works", async (product) => {
    const end = await whileItWorks(product, () => moved(product).away());
    return { end, person: moved(product).back };
  }),
  failureCase("conflict", "somebody pushed the same lines", async (product) => ({
    end: await conflicting(product, "printf both > same.txt", { resolves: true }),
  })),
  failureCase(
    "worktree_lost",
    "a rebase of a person goes on in the worktree",
    async (product) => {
      const end = await conflicting(product, "printf both > same.txt", { resolves: true });
      const at = end.attempt.worktree;
      await product.sandbox.git(at, ["rebase", `origin/${end.attempt.branch}`]).catch(() => "");
      return { end: await ask(product, ["continue", end.attempt.id, "--resolve"]) };
    },
    { own: true },
  ),
  failureCase(
    "worktree_lost",
    "a bisect of a person goes on in the worktree",
    async (product) => {
      await doer(product, "true", "echo more > more.txt");
      for (const name of ["a", "b", "c"])
        await product.sandbox.commitTo(product.origin, "main", { [name]: name });
      const first = await run(product);
      await product.sandbox.git(first.attempt.worktree, ["bisect", "start", "HEAD", "HEAD~4"]);
      return { end: await ask(product, ["continue", first.attempt.id, "Once more"]) };
    },
    { own: true },
  ),
  failureCase("session_lost", "the agent refuses its session, and a new one", async (product) => {
    const lost = { before: "echo 'No conversation found with session ID: x' >&2", code: 1 };
    const good = { before: "date +%N > hello.txt", stream: "success-edit.jsonl" };
    await replayedClaude(product, "doer", [good, lost, lost, good]);
    const first = await run(product);
    return { end: await ask(product, ["continue", first.attempt.id, "Once more"]) };
  }),
  failureCase("worktree_lost", "the worktree is deleted while the agent works", async (product) => ({
    end: await whileItWorks(product, ({ attempt }) => rm(attempt.worktree, { recursive: true, force: true })),
  })),
  failureCase(
    "worktree_lost",
    "the worktree is on another branch",
    async (product) => {
      await doer(product, "true", "echo more > more.txt");
      const first = await run(product);
      await product.sandbox.git(first.attempt.worktree, ["switch", "--quiet", "-c", "mine"]);
      return { end: await ask(product, ["continue", first.attempt.id, "Once more"]) };
    },
    { own: true },
  ),
  ...(["", "~1"] as const).map((back) =>
    failureCase(
      "worktree_lost",
      `HEAD is detached at the branch${back}, and the branch is deleted here and on the remote`,
      async (product) => {
        await doer(product, "true", "git diff --quiet HEAD && test -e one.txt && echo more > more.txt");
        const { attempt } = await run(product);
        const { branch, worktree } = attempt;
        await product.sandbox.git(worktree, ["switch", "--quiet", "--detach", `${branch}${back}`]);
        await git(product, "branch", "--quiet", "-D", branch);
        await git(product, "push", "--quiet", "origin", `:${branch}`);
        return { end: await ask(product, ["continue", attempt.id, "Once more"]) };
      },
      { own: true },
    ),
  ),
  failureCase("worktree_lost", "the repository is moved away", async (product) => {
    const away = `${product.repository}.away`;
    const end = await whileItWorks(product, () => rename(product.repository, away));
    return { end, person: () => rename(away, product.repository) };
  }),
  failureCase("worktree_lost", "the repository is moved to another place", async (product) => {
    const { repository } = product;
    const end = await whileItWorks(product, () => rename(repository, `${repository}.new`));
    const [move = "false"] = commandsIn(end.run.failure?.remedy ?? "");
    const person = async () => {
      expect(await typed(product, move, `${repository}.new`)).toMatchObject({ code: 0 });
      await mkdir(repository);
    };
    return { end, person };
  }),
  failureCase(
    "sandbox_unavailable",
    "no network is wanted without a sandbox",
    async (product) => {
      await doer(product, "true");
      await product.configure({ sandbox: { network: "off" } });
      return { end: await run(product) };
    },
    { own: true },
  ),
  failureCase(
    "disk_full",
    "the disk of the repository is full when the work is staged",
    async (product, later) => {
      const disk = await smallDisk(join(product.repository, ".git"), "8m");
      later(() => disk[Symbol.asyncDispose]());
      const end = await whileItWorks(product, async ({ attempt }) => {
        await writeFile(join(attempt.worktree, "noise.bin"), randomBytes(500_000));
        await disk.fill(100_000);
      });
      return { end, person: () => disk.free() };
    },
    { skipped: NO_DISK },
  ),
  failureCase("interrupted", "the agent's keeper is killed", async (product) => ({
    end: await whileItWorks(product, async ({ run: { id } }) => {
      const file = join(product.home, "runs", id, "keeper.json");
      const { pid } = JSON.parse(await readFile(file, "utf8")) as { pid: number };
      process.kill(pid, "SIGKILL");
      await waitFor("the run to end", async () => {
        const now = await ask(product, ["show", id.slice(0, 8)]).catch(() => null);
        return now === null ? true : now.run.status === "FAILED";
      });
    }),
  })),
  failureCase("internal", "git is gone when the agent is done", async (product) => {
    const env = { PATH: await ownPath(join(product.home, "..", "path")) };
    const barrier = gate(product, "path");
    await doer(product, barrier.wait);
    const started = await ask(product, ["run", "Change it", "--agent", "doer", "--detach"], { env });
    await barrier.reached();
    await rm(join(env.PATH, "git"));
    await barrier.open();
    return { end: await ask(product, ["wait", started.document.task.id], { env }) };
  }),
  failureCase("internal", "what Tazuna had written of the run is unreadable", async (product) => ({
    end: await whileItWorks(product, ({ run: { id } }) =>
      writeFile(join(product.home, "runs", id, "start.json"), "{"),
    ),
  })),
];

/** Codes that no case can make happen here, each with the reason. */
export const NOT_PROVOKED: Readonly<Partial<Record<FailureCode, string>>> = {};

/** The repository of a submodule, which lies at `.away` now. */
async function unreachableSubmodule(product: Product, then: string): Promise<string> {
  await doer(product, then);
  await product.configure({ submodules: "init" });
  await git(product, "config", "--global", "protocol.file.allow", "always");
  const inner = await product.sandbox.origin("inner.git");
  await git(product, "submodule", "--quiet", "add", inner, "lib");
  await git(product, "commit", "--quiet", "-m", "With a submodule");
  await git(product, "push", "--quiet", "origin", "main");
  await rename(inner, `${inner}.away`);
  return inner;
}

/** An agent that is asked again resolves the merge. */
async function touchAgain(product: Product): Promise<void> {
  await product.agent("doer", "printf both > same.txt; echo Done.");
}

/** An attempt whose push met a commit of someone else that changes the same line. */
async function conflicting(
  product: Product,
  resolve: string,
  { resolves = false }: { readonly resolves?: boolean } = {},
): Promise<TaskEnd> {
  const barrier = gate(product, "conflict");
  await product.agent("doer", "echo base > same.txt");
  const first = await run(product);
  await product.agent("doer", `${barrier.wait}; echo ours > same.txt`);
  const second = await ask(product, ["continue", first.attempt.id, "Change it again", "--detach"]);
  await barrier.reached();
  await product.sandbox.commitTo(product.origin, first.attempt.branch, { "same.txt": "theirs\n" });
  await barrier.open();
  const end = await ask(product, ["wait", second.run.id]);
  await product.agent("doer", resolves ? `${resolve}; echo Done.` : "echo Nothing.");
  return end;
}
