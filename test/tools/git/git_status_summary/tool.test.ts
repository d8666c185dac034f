import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitStatusSummaryErrorCode, ToolCatalog } from "../../../../src/lib.ts";
import { TOOL_DEFINITIONS as BY_SEED } from "../../../../src/registory/definitions.ts";
import { TOOL_DEFINITIONS } from "../../../../src/registry/definitions.ts";
import { contextOn } from "../../../../src/tools/core/context.ts";
import { createAgentToolkit } from "../../../../src/tools/toolkit/create-agent-toolkit.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { deep } from "../../../helpers/tier.ts";
import { countingGit, type GitWorld, gitWorld, rawGit, setTrap } from "../git-world.ts";

// Real repositories and long outputs, on a busy machine.
setDefaultTimeout(150_000);

const STATUS = ["-c", "core.quotePath=false", "status", "--porcelain=v1", "--branch"];
const ROOT = ["rev-parse", "--show-toplevel"];

function code(result: { readonly status: string; readonly error?: { readonly code: string } }): string {
  return result.error?.code ?? result.status;
}

async function rawStatus(world: GitWorld, cwd?: string): Promise<string> {
  return rawGit(world, STATUS, cwd);
}

/**
 * The environment of a git that does this when it is asked for the status (or another subcommand). Else it is git.
 */
async function fakeGit(
  world: GitWorld,
  act: string,
  asked = "status",
): Promise<Readonly<Record<string, string>>> {
  const folder = join(world.sandbox.root, "fake");
  await mkdir(folder);
  const script = `#!/bin/sh\ncase "$*" in *${asked}*) ${act} ;; esac\nexec '${Bun.which("git")}' "$@"\n`;
  await writeFile(join(folder, "git"), script, { mode: 0o755 });
  return { PATH: `${folder}:${world.sandbox.env.PATH}` };
}

describe("seed 000 §3.1 and §11: what a repository answers", () => {
  test("seed 000 §1, §3.1, §4.1, §5 and §11: without a cwd it answers repository_root, branch and raw of the workspace root", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "changed\n", "new.txt": "new\n" });
    expect(await world.toolkit.gitStatusSummary()).toEqual({
      status: "success",
      data: {
        repository_root: world.repo,
        branch: "main",
        raw: "## main\n M README.md\n?? new.txt\n",
      },
    });
  });

  test("seed 000 §1, §3.1 and §11: raw equals the output of the status command, and repository_root the trimmed output of rev-parse", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "src/app.txt": "changed\n", "a b.txt": "", "日本.txt": "" });
    await world.git(["mv", "README.md", "READ ME.md"]);
    const summary = await world.toolkit.gitStatusSummary("src");
    const root = (await rawGit(world, ROOT, join(world.repo, "src"))).trim();
    expect(summary).toEqual({
      status: "success",
      data: { repository_root: root, branch: "main", raw: await rawStatus(world, join(world.repo, "src")) },
    });
  });

  test("seed 000 §3.2: raw keeps its last line end; a clean tree is one line", async () => {
    await using world = await gitWorld();
    const summary = await world.toolkit.gitStatusSummary();
    expect(summary.status === "success" && summary.data.raw).toBe("## main\n");
  });

  test("seed 000 §3.1 and §11: on a detached HEAD branch is null, and raw is there all the same", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "--detach"]);
    expect(await world.toolkit.gitStatusSummary()).toEqual({
      status: "success",
      data: { repository_root: world.repo, branch: null, raw: "## HEAD (no branch)\n" },
    });
  });

  test("seed 000 §3.1: the same input and the same state give the same result", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "x.txt": "x" });
    const first = await world.toolkit.gitStatusSummary();
    expect(await world.toolkit.gitStatusSummary()).toEqual(first);
  });

  test("branches: no commits, upstream with ahead and behind, slashes, names beyond ASCII", async () => {
    await using world = await gitWorld();
    const empty = await world.sandbox.repository("work/empty", { empty: true });
    const unborn = await world.toolkit.gitStatusSummary("empty");
    expect(unborn).toMatchObject({ data: { branch: "main", raw: await rawStatus(world, empty) } });

    const origin = await world.sandbox.origin("origin.git");
    const clone = await world.sandbox.clone(origin, "work/clone");
    await world.sandbox.commitTo(origin, "main", { "theirs.txt": "1" });
    await world.sandbox.commit(clone, { "ours.txt": "1" });
    await world.git(["fetch", "-q"], clone);
    expect(await world.toolkit.gitStatusSummary("clone")).toMatchObject({
      data: { branch: "main", raw: "## main...origin/main [ahead 1, behind 1]\n" },
    });
    await world.git(["checkout", "-q", "-b", "機能/a.b-c"], clone);
    expect(await world.toolkit.gitStatusSummary("clone")).toMatchObject({ data: { branch: "機能/a.b-c" } });
  });

  test("seed 000 §11: an inner repository under the workspace root has its own root", async () => {
    await using world = await gitWorld();
    const inner = await world.sandbox.repository("work/packages/inner");
    expect(await world.toolkit.gitStatusSummary("packages/inner")).toMatchObject({
      data: { repository_root: inner, branch: "main", raw: "## main\n" },
    });
    expect(await world.toolkit.gitStatusSummary("packages")).toMatchObject({
      data: { repository_root: world.repo },
    });
  });

  test("a linked worktree is its own root, and a folder of a larger repository has that one's", async () => {
    await using world = await gitWorld();
    const linked = join(world.sandbox.root, "linked");
    await world.git(["worktree", "add", "-q", "-b", "other", linked]);
    const inLinked = world.toolkitWith({ workspaceRoot: linked });
    expect(await inLinked.gitStatusSummary()).toMatchObject({
      data: { repository_root: linked, branch: "other", raw: "## other\n" },
    });
    const inFolder = world.toolkitWith({ workspaceRoot: join(world.repo, "src") });
    expect(await inFolder.gitStatusSummary()).toMatchObject({
      data: { repository_root: world.repo, branch: "main" },
    });
  });

  test("a submodule is its own root", async () => {
    await using world = await gitWorld();
    const other = await world.sandbox.repository("other");
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", other, "sub"]);
    expect(await world.toolkit.gitStatusSummary("sub")).toMatchObject({
      data: { repository_root: join(world.repo, "sub"), branch: "main" },
    });
    await writeFiles(world.repo, { "sub/README.md": "dirty\n" });
    expect(await world.toolkit.gitStatusSummary()).toMatchObject({
      data: { repository_root: world.repo, raw: await rawStatus(world) },
    });
  });
});

describe("seed 000 §5: how it runs", () => {
  test("seed 000 §3.1 and §5: one request is exactly two git commands, rev-parse and the fixed status, with exactly these arguments", async () => {
    await using world = await gitWorld();
    const counting = await countingGit(world);
    const toolkit = world.toolkitWith({ env: counting.env });
    await toolkit.gitStatusSummary("src");
    expect(await counting.calls()).toEqual([ROOT, STATUS]);
    await toolkit.gitStatusSummary();
    expect(await counting.calls()).toEqual([ROOT, STATUS, ROOT, STATUS]);
  });

  test("seed 000 §5 and §7: the order is input, directory, repository, then status: what fails early starts nothing more", async () => {
    await using world = await gitWorld();
    const counting = await countingGit(world);
    const toolkit = world.toolkitWith({ env: counting.env });
    await mkdir(join(world.sandbox.root, "elsewhere"));
    const outside = world.toolkitWith({
      env: counting.env,
      workspaceRoot: join(world.sandbox.root, "elsewhere"),
    });
    expect(code(await toolkit.gitStatusSummary(""))).toBe("INVALID_ARGUMENT");
    expect(code(await toolkit.gitStatusSummary("missing"))).toBe("NOT_DIRECTORY");
    expect(await counting.calls()).toEqual([]);
    expect(code(await outside.gitStatusSummary())).toBe("NOT_GIT_REPOSITORY");
    expect(await counting.calls()).toEqual([ROOT]);
  });

  test("seed 000 §5, §7 and §11: quoted names stay quoted and nothing is escaped again, names beyond ASCII stay as they are", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, {
      'quo"te.txt': "",
      "back\\slash.txt": "",
      "あ.txt": "",
      "a b": "",
      "t\tab": "",
    });
    const summary = await world.toolkit.gitStatusSummary();
    expect(summary).toMatchObject({ data: { raw: await rawStatus(world) } });
    expect(summary.status === "success" && summary.data.raw).toContain('?? "quo\\"te.txt"\n');
    expect(summary.status === "success" && summary.data.raw).toContain("?? あ.txt\n");
  });

  test("names that are no UTF-8 come as U+FFFD", async () => {
    await using world = await gitWorld();
    await writeFile(Buffer.concat([Buffer.from(`${world.repo}/bad-`), Buffer.from([0xff, 0xfe])]), "");
    const summary = await world.toolkit.gitStatusSummary();
    expect(summary).toMatchObject({ data: { raw: "## main\n?? bad-\u{fffd}\u{fffd}\n" } });
    expect(summary).toMatchObject({ data: { raw: await rawStatus(world) } });
  });

  test("seed 000 §3.1: raw is whole if it is longer than exec_command would give", async () => {
    await using world = await gitWorld();
    const names = Array.from({ length: 6_000 }, (_, index) => `${"long-name-".repeat(4)}${index}.txt`);
    await Promise.all(names.map((name) => writeFile(join(world.repo, name), "")));
    const summary = await world.toolkit.gitStatusSummary();
    const raw = summary.status === "success" ? summary.data.raw : "";
    expect(raw.length).toBeGreaterThan(200_000);
    expect(raw).toBe(await rawStatus(world));
  });

  test("seed 000 §3.1: raw is whole or an error: a status of more than 64 Mi characters is INTERNAL", async () => {
    await using world = await gitWorld();
    const env = await fakeGit(world, "echo '## main'; head -c 67108864 /dev/zero | tr '\\0' x; exit 0");
    const message = "git -c core.quotePath=false status --porcelain=v1 --branch answered too much.";
    expect(await world.toolkitWith({ env }).gitStatusSummary()).toMatchObject({
      message,
      error: { code: "INTERNAL", retriable: false },
    });
  });

  test("seed 000 §4.3 and §5: a status that fails for another reason is INTERNAL with git's words", async () => {
    await using world = await gitWorld();
    const env = await fakeGit(world, 'echo "fatal: something odd" >&2; exit 128');
    const message = "git -c core.quotePath=false status --porcelain=v1 --branch failed: fatal: something odd";
    expect(await world.toolkitWith({ env }).gitStatusSummary()).toEqual({
      ...{ status: "failure", reason: "runtime", message },
      error: { code: "INTERNAL", message, retriable: false, details: { exit_code: 128 } },
    });
  });

  test("seed 000 §5: a status that fails with the words of no repository is NOT_GIT_REPOSITORY", async () => {
    await using world = await gitWorld();
    const env = await fakeGit(world, 'echo "fatal: not a git repository" >&2; exit 128');
    expect(code(await world.toolkitWith({ env }).gitStatusSummary())).toBe("NOT_GIT_REPOSITORY");
  });

  test("seed 000 §3.2 and §5: without a readable ## line branch is null, and raw is returned", async () => {
    await using world = await gitWorld();
    const env = await fakeGit(world, "printf ' M a\\n## main\\n'; exit 0");
    expect(await world.toolkitWith({ env }).gitStatusSummary()).toMatchObject({
      status: "success",
      data: { branch: null, raw: " M a\n## main\n" },
    });
  });

  test("seed 000 §5, §8 and seed 001 §1, §9: git runs through exec_command's usecase, which marks what it starts (departs: below its door, which judges git)", async () => {
    await using world = await gitWorld();
    const env = await fakeGit(world, 'printf %s "$TAZUNA_EXEC" >mark');
    expect(code(await world.toolkitWith({ env }).gitStatusSummary())).toBe("success");
    expect(await Bun.file(join(world.repo, "mark")).text()).not.toBe("");
  });

  test("seed 000 §3.1 and §4.3: an unforeseen failure is INTERNAL, and the call does not throw", async () => {
    await using world = await gitWorld();
    const environment = () => {
      throw new Error("no environment today");
    };
    const policy = { defaultPolicy: "allow" as const };
    const context = contextOn(
      { platform: process.platform, environment },
      { workspaceRoot: world.repo, policy },
    );
    expect(await createAgentToolkit(context).gitStatusSummary()).toMatchObject({
      status: "failure",
      reason: "runtime",
      error: { code: "INTERNAL", message: "Unexpected error: no environment today" },
    });
  });

  test("a root that is not the one that was looked at is refused, and no status is asked for", async () => {
    await using world = await gitWorld();
    const other = await world.sandbox.repository("other");
    const asked = join(world.sandbox.root, "asked");
    const env = await fakeGit(world, `echo "$1" >>${asked}; echo ${other}; exit 0`, "");
    expect(code(await world.toolkitWith({ env }).gitStatusSummary())).toBe("UNSAFE_REPOSITORY");
    expect(await Bun.file(asked).text()).toBe("rev-parse\n");
  });

  test("a damaged index or configuration is INTERNAL, and named", async () => {
    await using world = await gitWorld();
    const index = join(world.repo, ".git/index");
    const whole = await readFile(index);
    const flipped = Buffer.from(whole);
    flipped[80] = (flipped[80] ?? 0) ^ 1;
    const cut = [20, 40, whole.length - 21, whole.length - 1].map((end) => whole.subarray(0, end));
    const damages = ["", "nonsense", "DIRC nonsense that is no index at all", flipped, ...cut];
    for (const damage of damages) {
      await writeFile(index, damage);
      const answer = await world.toolkit.gitStatusSummary();
      expect([code(answer), JSON.stringify(answer).includes("index")]).toEqual(["INTERNAL", true]);
    }
    await writeFile(index, whole);
    await writeFile(index, Buffer.concat([(await readFile(index)).subarray(0, -20), Buffer.alloc(20)]));
    expect(code(await world.toolkit.gitStatusSummary())).toBe("success");
    await appendFile(join(world.repo, ".git/config"), "[core\n");
    const answer = await world.toolkit.gitStatusSummary();
    expect([code(answer), JSON.stringify(answer).includes("config")]).toEqual(["INTERNAL", true]);
  });

  test("seed 000 §5: shell_mode is direct: no shell of the system is asked", async () => {
    await using world = await gitWorld();
    const counting = await countingGit(world);
    const mac = {
      platform: "darwin" as const,
      environment: () => ({ ...world.sandbox.env, ...counting.env }),
    };
    const policy = { defaultPolicy: "allow" as const };
    const toolkit = createAgentToolkit(contextOn(mac, { workspaceRoot: world.repo, policy }));
    const zsh = await setTrap(counting.folder);
    await symlink(zsh.program, join(counting.folder, "zsh"));
    expect(code(await toolkit.gitStatusSummary())).toBe("success");
    expect(await zsh.sprung()).toBe(false);
    await toolkit.execCommand(".", ["true"]);
    expect(await zsh.sprung()).toBe(true);
    expect(await counting.calls()).toEqual([ROOT, STATUS]);
  });

  test(deep(
    "seed 000 §5: timeout_ms is 30000: a git that hangs is stopped then, which is INTERNAL",
  ), async () => {
    await using world = await gitWorld();
    const env = await fakeGit(world, "exec sleep 300");
    const began = performance.now();
    const summary = await world.toolkitWith({ env }).gitStatusSummary();
    const took = performance.now() - began;
    expect([took > 29_900, took < 55_000]).toEqual([true, true]);
    const message = "git -c core.quotePath=false status --porcelain=v1 --branch took too long.";
    expect(summary).toMatchObject({ message, error: { code: "INTERNAL", retriable: true } });
  }, 120_000);

  test("a configuration that git refuses is INTERNAL with git's words", async () => {
    await using world = await gitWorld();
    await writeFile(join(world.repo, ".git/config"), "[core\nbroken");
    const summary = await world.toolkit.gitStatusSummary();
    expect(summary).toMatchObject({ status: "failure", reason: "runtime", error: { code: "INTERNAL" } });
    expect(summary.status !== "success" && summary.message).toContain("bad config line");
  });

  test("git missing is INTERNAL and names git", async () => {
    await using world = await gitWorld();
    const empty = join(world.sandbox.root, "empty-path");
    await mkdir(empty);
    const summary = await world.toolkitWith({ env: { PATH: empty } }).gitStatusSummary();
    expect(summary).toMatchObject({ status: "failure", error: { code: "INTERNAL" } });
    expect(summary.status !== "success" && summary.message).toContain("git");
  });

  test("it works if nothing may be written, and leaves the index as it was", async () => {
    await using world = await gitWorld();
    const before = await Bun.file(join(world.repo, ".git/index")).bytes();
    // Another time in the same file: git would note it in the index.
    await utimes(join(world.repo, "README.md"), 1000, 1000);
    const summary = await world.toolkitWith({ writeScope: "read-only", git: "read-only" }).gitStatusSummary();
    expect(summary).toMatchObject({ status: "success", data: { raw: "## main\n" } });
    expect(await Bun.file(join(world.repo, ".git/index")).bytes()).toEqual(before);
  });

  test("it answers while another process holds the lock of the index", async () => {
    await using world = await gitWorld();
    await writeFile(join(world.repo, ".git/index.lock"), "");
    expect(await world.toolkit.gitStatusSummary()).toMatchObject({ data: { raw: "## main\n" } });
  });
});

describe("seed 000 §4.3: errors", () => {
  test("seed 000 §3.1, §4.3 and §11: a cwd outside of git gives NOT_GIT_REPOSITORY", async () => {
    await using world = await gitWorld();
    const plain = join(world.sandbox.root, "plain");
    await mkdir(plain);
    const summary = await world.toolkitWith({ workspaceRoot: plain }).gitStatusSummary();
    expect(summary).toMatchObject({
      status: "failure",
      reason: "runtime",
      error: { code: "NOT_GIT_REPOSITORY" },
    });
  });

  test("seed 000 §4.3: a `.git` that cannot be resolved gives NOT_GIT_REPOSITORY", async () => {
    await using world = await gitWorld();
    const broken = join(world.sandbox.root, "broken");
    await mkdir(broken);
    await writeFile(join(broken, ".git"), "gitdir: /nowhere/at/all\n");
    const toolkit = world.toolkitWith({ workspaceRoot: broken });
    expect(code(await toolkit.gitStatusSummary())).toBe("NOT_GIT_REPOSITORY");
  });

  test("NOT_GIT_REPOSITORY in a bare repository and inside of .git", async () => {
    await using world = await gitWorld();
    const bare = await world.sandbox.origin("bare.git");
    expect(code(await world.toolkitWith({ workspaceRoot: bare }).gitStatusSummary())).toBe(
      "NOT_GIT_REPOSITORY",
    );
    expect(code(await world.toolkit.gitStatusSummary(".git"))).toBe("NOT_GIT_REPOSITORY");
    expect(code(await world.toolkit.gitStatusSummary(".git/refs"))).toBe("NOT_GIT_REPOSITORY");
  });

  test("NOT_GIT_REPOSITORY also if git would speak another language", async () => {
    await using world = await gitWorld();
    const plain = join(world.sandbox.root, "plain");
    await mkdir(plain);
    const env = { LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8", LC_MESSAGES: "de_DE.UTF-8", LANGUAGE: "de" };
    const toolkit = world.toolkitWith({ workspaceRoot: plain, env });
    expect(code(await toolkit.gitStatusSummary())).toBe("NOT_GIT_REPOSITORY");
    const german = "Kein Git-Repository";
    const fake = await fakeGit(
      world,
      `[ "$LC_ALL" = C ] && echo "fatal: not a git repository" >&2 || echo "${german}" >&2; exit 128`,
    );
    const told = await world.toolkitWith({ env: { ...env, ...fake } }).gitStatusSummary();
    expect(code(told)).toBe("NOT_GIT_REPOSITORY");
  });

  test("seed 000 §4.3 and §11: a cwd that is missing or a file gives NOT_DIRECTORY", async () => {
    await using world = await gitWorld();
    for (const cwd of ["missing", "README.md", "src/none"])
      expect(await world.toolkit.gitStatusSummary(cwd)).toMatchObject({
        status: "failure",
        error: { code: "NOT_DIRECTORY" },
      });
  });

  test("seed 000 §4.3: a cwd that is empty or no string gives INVALID_ARGUMENT", async () => {
    await using world = await gitWorld();
    for (const args of [{ cwd: "" }, { cwd: 7 }, { cwd: null }, { cwd: ["src"] }, { dir: "src" }, "src", []])
      expect(await world.toolkit.invoke("git_status_summary", args)).toMatchObject({
        status: "failure",
        reason: "runtime",
        error: { code: "INVALID_ARGUMENT" },
      });
  });

  test("seed 000 §3.1: absolute, drive-letter, UNC and device forms are INVALID_ARGUMENT, judged as they were given", async () => {
    await using world = await gitWorld();
    const forms = [
      world.repo,
      join(world.repo, "src"),
      "/etc",
      "C:\\work",
      "C:/work",
      "c:work",
      "\\\\server\\share",
      "//server/share",
      "\\\\?\\C:\\work",
      "\\work",
    ];
    for (const cwd of forms)
      expect([cwd, code(await world.toolkit.gitStatusSummary(cwd))]).toEqual([cwd, "INVALID_ARGUMENT"]);
  });

  test("blank, NUL, control characters and endless paths are INVALID_ARGUMENT", async () => {
    await using world = await gitWorld();
    for (const cwd of [" ", "a\0b", "a\nb", "a".repeat(5_000)])
      expect(code(await world.toolkit.gitStatusSummary(cwd))).toBe("INVALID_ARGUMENT");
  });

  test("OUTSIDE_WORKSPACE by dots and by a link that leads out", async () => {
    await using world = await gitWorld();
    const other = await world.sandbox.repository("other");
    await symlink(other, join(world.repo, "out"));
    for (const cwd of ["..", "../other", "src/../../other", "out", "out/src", "out/../other"])
      expect(await world.toolkit.gitStatusSummary(cwd)).toMatchObject({
        status: "denied",
        reason: "sandbox",
        error: { code: "OUTSIDE_WORKSPACE" },
      });
  });

  test("seed 000 §3.1, §5 and §11: src/tools and src\\tools are the same directory, normalised before git runs; links inside are fine", async () => {
    await using world = await gitWorld();
    await mkdir(join(world.repo, "src/tools"), { recursive: true });
    await mkdir(join(world.repo, "..foo"));
    await symlink("src/tools", join(world.repo, "link"));
    const spelled = await world.toolkit.gitStatusSummary("src/tools");
    expect(spelled.status).toBe("success");
    for (const cwd of ["src\\tools", "src\\\\tools", "./src/tools/", "link", "src/../src/tools"])
      expect(await world.toolkit.gitStatusSummary(cwd)).toEqual(spelled);
    expect((await world.toolkit.gitStatusSummary("..foo")).status).toBe("success");
  });

  test("not allowed by the policy: denied, and nothing is started", async () => {
    await using world = await gitWorld();
    const counting = await countingGit(world);
    const toolkit = world.toolkitWith({ env: counting.env, policy: {} });
    expect(await toolkit.gitStatusSummary()).toMatchObject({
      status: "denied",
      reason: "policy",
      error: { code: "POLICY_DENIED" },
    });
    expect(await counting.calls()).toEqual([]);
  });

  test("a root that was removed meanwhile is an answer too", async () => {
    await using world = await gitWorld();
    await rm(world.repo, { recursive: true });
    expect((await world.toolkit.gitStatusSummary()).status).not.toBe("success");
  });
});

describe("seed 000 §4.4: the definition", () => {
  test("seed 000 §4.4, §8 and §11: name, description and parameters are the seed's, letter by letter, in ToolCatalog and TOOL_DEFINITIONS", () => {
    expect(TOOL_DEFINITIONS.git_status_summary).toEqual({
      name: "git_status_summary",
      description: "Returns current git branch and raw porcelain status output for a workspace directory.",
      parameters: {
        type: "object",
        properties: {
          cwd: {
            type: "string",
            default: ".",
            description:
              "Workspace path to inspect (default: workspace root). Accepts / or \\\\ as separator; escape backslash in JSON (e.g. src\\\\tools).",
          },
        },
        required: [],
      },
    });
    expect(BY_SEED).toBe(TOOL_DEFINITIONS);
    expect(ToolCatalog.git_status_summary.definition).toBe(TOOL_DEFINITIONS.git_status_summary);
  });

  test("seed 000 §4.3 and §8: the four codes of the seed have a type, and each is explained", () => {
    const codes: Readonly<Record<GitStatusSummaryErrorCode, string>> = ToolCatalog.git_status_summary.codes;
    const seeds = ["INVALID_ARGUMENT", "NOT_DIRECTORY", "NOT_GIT_REPOSITORY", "INTERNAL"];
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(seeds));
  });

  test("seed 000 §4.2: the answer fits the published schema of root, branch and raw, by invoke as by the method", async () => {
    await using world = await gitWorld();
    const summary = await world.toolkit.gitStatusSummary("src");
    expect(await world.toolkit.invoke("git_status_summary", { cwd: "src" })).toEqual(summary);
    const data = summary.status === "success" ? summary.data : null;
    expect(ToolCatalog.git_status_summary.output.parse(data)).toEqual(data as NonNullable<typeof data>);
  });
});
