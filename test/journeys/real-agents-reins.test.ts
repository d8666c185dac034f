/** Tells what happens if the real agents are told to write git, read secrets or leave their worktree. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import type { RealAgentId } from "../helpers/agent-home.ts";
import type { Script, ToolCall, Turn } from "../helpers/fake-model/script.ts";
import type { WireId } from "../helpers/fake-model/wire-format.ts";
import { branchAt, branchesOf, changedPaths, ending, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import {
  byAgent,
  byAgentSoon,
  describeReal,
  expected,
  INSTALLED,
  type RealProduct,
  startRealProduct,
} from "../helpers/real-product.ts";
import { sandboxHere } from "../helpers/sandbox.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const ME = "-c user.name=x -c user.email=x@localhost";
/** By its path: the guard stands in front of the PATH only. */
const GIT = Bun.which("git");

const act = (call: ToolCall): Turn => ({ tools: [call] });
const shell = (command: string) => act({ op: "shell", command });
const write = (path: string) => act({ op: "write", path, content: `${path}\n` });
const read = (path: string) => act({ op: "read", path });
/** Others of them want the same lock at the same time. */
const again = (command: string) => shell(`for n in 1 2 3 4 5; do ${command} && break; sleep 0.3; done`);
const END: Turn = { text: "I did what I was let." };

/** What the CLIs' own rules are known to miss: they match prefixes, and only Codex has a sandbox. */
const script = (at: { readonly repository: string; readonly outside: string }): Script => ({
  scenarios: [
    {
      when: /JOB-GIT/,
      turns: [
        write("first.txt"),
        shell("git add -A && git commit -m plain"),
        shell(`git add -A; git ${ME} commit -m sneaky`),
        shell("git checkout -b plain-$TAZUNA_ATTEMPT"),
        shell("git -c a.b=c checkout -b sneaky-$TAZUNA_ATTEMPT"),
        write("stashed.txt"),
        shell("git stash --include-untracked"),
        again(`git ${ME} stash --include-untracked`),
        again(`${GIT} add -A && ${GIT} ${ME} commit -m around`),
        shell(`${GIT} -c a.b=c checkout -b around-$TAZUNA_ATTEMPT`),
        write("last.txt"),
        END,
      ],
    },
    {
      when: /JOB-SECRETS/,
      turns: [
        read(".env"),
        write("server.key"),
        shell("echo secret > deep.pem"),
        write(join(at.outside, "by-tool.txt")),
        shell(`echo out > '${at.outside}'/by-shell-$TAZUNA_ATTEMPT.txt`),
        again(`${GIT} -C '${at.repository}' ${ME} commit --allow-empty -m by-$TAZUNA_ATTEMPT`),
        write("fine.txt"),
        END,
      ],
    },
    { when: /JOB-ENV/, turns: [write("fine.txt"), shell("sh -c 'echo LEAK=1 >> .e''nv'"), END] },
  ],
});

/** Of the two files with secrets, those that an agent's own rules let it write. */
const WRITTEN_SECRETS: Readonly<Record<RealAgentId, readonly string[]>> = {
  "claude-code": [],
  codex: ["deep.pem", "server.key"],
  gemini: ["deep.pem"],
  opencode: ["deep.pem"],
};

/** Those that a hook can be given by flags. */
const WIRE_WITH_HOOK: Readonly<Partial<Record<RealAgentId, WireId>>> = {
  "claude-code": "anthropic-messages",
  codex: "openai-responses",
};

const NO_SANDBOX = sandboxHere.available ? null : sandboxHere.reason;

for (const isolation of ["sandbox", "guard"] as const)
  describeReal(`the reins on real agents, by the ${isolation}`, () => tell(isolation), {
    missing: isolation === "sandbox" ? NO_SANDBOX : null,
  });

function tell(isolation: "sandbox" | "guard"): void {
  /** Our sandbox, or Codex's own, makes the repository and everything outside the worktree read-only. */
  const isConfined = (agent: RealAgentId) => isolation === "sandbox" || agent === "codex";
  /** Claude Code asks our hook before each command, so it is told why not under every isolation. */
  const commitsNot = (agent: RealAgentId) => isConfined(agent) || agent === "claude-code";
  let real: RealProduct;
  let outside: string;

  beforeAll(async () => {
    real = await startRealProduct({ script: { scenarios: [] }, isolation });
    const { product } = real;
    outside = join(product.home, "..", "outside");
    await mkdir(outside);
    real.model.setScript(script({ repository: product.repository, outside }));
    await writeFile(join(product.repository, ".env"), "TOKEN=tracked-secret\n");
    await git(product.repository, "add", "--force", ".env");
    await git(product.repository, "commit", "--quiet", "--message=Environment");
    await git(product.repository, "push", "--quiet", "origin", "main");
  });
  afterAll(() => real?.[Symbol.asyncDispose]());

  const git = (cwd: string, ...args: string[]) => real.product.sandbox.git(cwd, args);
  const lines = (text: string) => (text === "" ? [] : text.split("\n"));
  const refs = async (cwd: string, pattern: string) =>
    lines(await git(cwd, "for-each-ref", "--format=%(refname)", pattern));

  test("commits, branches and the stash are refused; what git's path did on their branch is undone, the rest reported", async () => {
    const { product } = real;
    const users = await usersCheckout();
    const end = await real.run("JOB-GIT");
    expect<unknown>(
      await byAgentSoon(end.attempts, async (run, { id, branch, base }) => ({
        ending: ending(run),
        isolation: run.isolation,
        undone: run.notes.filter(({ code }) => code === "agent_commit_undone").length,
        snapshots: (await refs(product.repository, `refs/tazuna/snapshots/${id}`)).length,
        itsBranches: await refs(product.repository, `refs/heads/*-${id}`),
        reported: movedRefs(run).filter((ref) => ref.endsWith(id)),
        commits: lines(await git(product.origin, "log", "--format=%an %s", `main..${branch}`)),
        parent: await git(product.origin, "rev-parse", `${branch}^`),
        base: base.sha,
        paths: await changedPaths(product, product.origin, branch),
      })),
    ).toEqual(
      expected((agent) => {
        const attempt = end.attempts.find((one) => one.agent === agent);
        const around = `refs/heads/around-${attempt?.id}`;
        const common = {
          ending: PUSHED,
          isolation,
          commits: ["Una User JOB-GIT"],
          parent: attempt?.base.sha,
          base: attempt?.base.sha,
          paths: ["first.txt", "last.txt", "stashed.txt"],
        };
        return commitsNot(agent)
          ? {
              ...common,
              undone: 0,
              snapshots: 0,
              itsBranches: [],
              reported: [],
            }
          : {
              ...common,
              undone: 1,
              snapshots: 1,
              itsBranches: [around],
              reported: [around],
            };
      }),
    );
    expect(await git(product.repository, "stash", "list")).toBe("");
    expect([...told()].sort()).toEqual(expectedTold());
    expect(await published(end)).toEqual(["refs/heads/main"]);
    expect(await usersCheckout()).toEqual(users);
  });

  test("secrets are left out and said; a commit in the user's checkout is reported, not undone", async () => {
    const { product, model } = real;
    const end = await real.run("JOB-SECRETS");
    expect<unknown>(
      await byAgentSoon(end.attempts, async (run, { id, branch, worktree }) => ({
        ending: ending(run),
        leftOut: run.notes.flatMap(({ code, details }) => (code === "left_out" ? [details.path] : [])),
        untracked: lines(await git(worktree, "ls-files", "--others")),
        paths: await changedPaths(product, product.origin, branch),
        committed: lines(await git(product.repository, "log", "--format=%s", "main")).includes(`by-${id}`),
        reported: movedRefs(run).includes("refs/heads/main"),
        outside: (await readdir(outside)).includes(`by-shell-${id}.txt`),
      })),
    ).toEqual(
      expected((agent) => {
        const left = WRITTEN_SECRETS[agent];
        return {
          ending: PUSHED,
          paths: ["fine.txt"],
          leftOut: left,
          untracked: left,
          committed: !commitsNot(agent),
          // The others work at the same time.
          reported: commitsNot(agent) ? expect.any(Boolean) : true,
          outside: !isConfined(agent),
        };
      }),
    );
    expect(await readdir(outside)).not.toContain("by-tool.txt");
    expect(await git(product.origin, "log", "-1", "--format=%s", "main")).toBe("Environment");
    expect(await published(end)).toEqual(["refs/heads/main"]);
    // Only Codex was let read it; nothing keeps an agent from what its worktree tracks but its own rules.
    const told = model.requests.filter(({ body }) => JSON.stringify(body).includes("tracked-secret"));
    expect(new Set(told.map(({ wire }) => wire))).toEqual(
      new Set(INSTALLED.includes("codex") ? ["openai-responses"] : []),
    );
  });

  test("a tracked `.env` that was changed past their rules stops the run before a commit", async () => {
    const { product } = real;
    const end = await real.run("JOB-ENV");
    expect(end.code).toBe(1);
    expect<unknown>(
      await byAgentSoon(end.attempts, async (run, { branch, worktree }) => ({
        ending: ending(run),
        message: run.failure?.message,
        notes: run.notes.filter(({ code }) => code === "denied_path").map(({ details }) => details.path),
        commit: run.commit,
        pushed: await branchAt(product, product.origin, branch),
        status: lines(await git(worktree, "status", "--porcelain")),
      })),
    ).toEqual(
      byAgent(end.attempts, () => ({
        ending: { status: "FAILED", outcome: null, failure: "gate_rejected" },
        message: ".env is tracked, matches `deny` and was changed.",
        notes: [".env"],
        commit: null,
        pushed: null,
        status: [" M .env", "?? fine.txt"],
      })),
    );
  });

  /** Whose model heard, in words, that Tazuna alone writes git: by the hook, or by the guard. */
  const told = () =>
    new Set(
      real.model.requests
        .filter(({ body }) => JSON.stringify(body).includes("Tazuna alone writes git in this repository"))
        .map(({ wire }) => wire),
    );
  const expectedTold = () =>
    isolation === "guard"
      ? expect.arrayContaining(INSTALLED.includes("claude-code") ? ["anthropic-messages"] : [])
      : INSTALLED.flatMap((agent) => WIRE_WITH_HOOK[agent] ?? []).sort();

  /** Branches of the remote that are none of Tazuna's. */
  async function published(end: TaskEnd): Promise<readonly string[]> {
    const ours = branchesOf(end).map((branch) => `refs/heads/${branch}`);
    const all = await refs(real.product.origin, "refs/heads");
    return all.filter((ref) => !ours.includes(ref) && !ref.startsWith("refs/heads/tazuna/"));
  }

  async function usersCheckout() {
    const { repository } = real.product;
    return {
      head: await git(repository, "symbolic-ref", "HEAD"),
      commit: await git(repository, "rev-parse", "HEAD"),
      status: await git(repository, "status", "--porcelain"),
    };
  }
}

function movedRefs(run: RunDocument): readonly string[] {
  return run.notes.flatMap(({ code, details }) =>
    code === "foreign_ref_moved" ? [String(details.ref)] : [],
  );
}
