import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { SSH_KEYGEN } from "../helpers/need.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { sandboxHere } from "../helpers/sandbox.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** Writes a hook of the user's repository. */
async function hook(product: Product, name: string, script: string): Promise<void> {
  const dir = join(product.repository, ".git", "hooks");
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(dir, name), 0o755);
}

async function firstRun(product: Product, instruction = "Do it") {
  const end = await product.tazuna(["run", instruction, "--agent", "writer", "--json"]);
  const [attempt] = end.json().attempts;
  const run = attempt?.runs[0];
  if (attempt === undefined || run === undefined) throw new Error(end.stderr);
  return { code: end.code, attempt, run };
}

const writes = 'echo "from the agent" > agent.txt';

describe("hooks", () => {
  test(deep("are not run unless the configuration says so"), async () => {
    await using product = await startProduct();
    await hook(product, "pre-commit", "echo no; exit 1");
    await hook(product, "commit-msg", "exit 1");
    await product.agent("writer", writes);
    const { code, run } = await firstRun(product);
    expect([code, run.outcome]).toEqual([0, "pushed"]);
    expect(run.notes.map((note) => note.code)).toEqual(["hooks_not_run"]);
    await product.configure({ hooks: "off" });
    expect((await firstRun(product)).run.notes).toEqual([]);
  });

  test("what a pre-commit hook changes is staged and gated again, and commit-msg may add to the message", async () => {
    await using product = await startProduct();
    await product.configure({ hooks: "run" });
    await hook(
      product,
      "pre-commit",
      'tr a-z A-Z < agent.txt > t && mv t agent.txt; echo K=1 > .env; test -z "$GITHUB_TOKEN"',
    );
    await hook(product, "commit-msg", 'echo "Reviewed-by: Hook <hook@localhost>" >> "$1"');
    await product.agent("writer", writes);
    const { run, attempt } = await firstRun(product);
    expect(run).toMatchObject({ outcome: "pushed", failure: null });
    const shown = await product.sandbox.git(product.origin, [
      "show",
      "--format=%B",
      "--name-only",
      attempt.branch,
    ]);
    expect(shown).toContain("Reviewed-by: Hook");
    expect(shown.split("\n").filter((line) => line.endsWith(".txt") || line.endsWith(".env"))).toEqual([
      "agent.txt",
    ]);
    expect(await product.sandbox.git(product.origin, ["show", `${attempt.branch}:agent.txt`])).toBe(
      "FROM THE AGENT",
    );
  });

  test.each(["guard", "sandbox"] as const)(
    "commit-msg may add to the message and replace it, also by moving another file over it (%s)",
    async (isolation) => {
      if (isolation === "sandbox" && !sandboxHere.available) return;
      await using product = await startProduct({ isolation });
      await product.configure({ hooks: "run" });
      await product.agent("writer", "echo more >> agent.txt");
      const token = `ghp_${"0123456789abcdefghijABCDEFGHIJ012345"}`;
      await hook(
        product,
        "commit-msg",
        // As Gerrit's does: an id is made by git, a temporary file takes the place of the message.
        `id=$({ git var GIT_COMMITTER_IDENT; git rev-parse HEAD; cat "$1"; } | git hash-object --stdin) || exit 1
new="$1.tmp.$id"
git stripspace --strip-comments < "$1" | git interpret-trailers --trailer "Change-Id: I$id" > "$new" && mv "$new" "$1" || exit 1
echo "Token: ${token}" >> "$1"
sed -i -e 's/^Do it$/Do it, hooked/' "$1"`,
      );
      const { run, attempt } = await firstRun(product);
      expect(run).toMatchObject({ outcome: "pushed", failure: null });
      const message = await product.sandbox.git(product.origin, ["log", "-1", "--format=%B", attempt.branch]);
      expect(message.split("\n").map((line) => line.replace(/[0-9a-f]{40}/, "ID"))).toEqual([
        "Do it, hooked",
        "",
        expect.stringMatching(/^Tazuna-Task: /),
        `Tazuna-Run: ${run.id}`,
        "Co-authored-by: Agent <agent@localhost>",
        "Change-Id: IID",
        "Token: [redacted]",
        "",
      ]);
      // One that throws everything away: what Tazuna knows its commits by is added again.
      await hook(product, "commit-msg", `printf 'Only this\\n\\nBug: 7\\n' > "$1"`);
      const second = await firstRun(product);
      expect<unknown>([
        second.run.outcome,
        await product.sandbox.git(product.origin, ["log", "-1", "--format=%B", second.attempt.branch]),
      ]).toEqual([
        "pushed",
        expect.stringMatching(
          /^Only this\n\nBug: 7\nTazuna-Task: .*\nTazuna-Run: .*\nCo-authored-by: .*\n?$/,
        ),
      ]);
      await hook(product, "commit-msg", 'rm "$1"; ln -s /etc/hostname "$1"');
      expect((await firstRun(product)).run.failure).toMatchObject({ code: "hook_failed" });
    },
  );

  test("a hook that fails ends the run with its output, nothing is committed and the files stay", async () => {
    await using product = await startProduct();
    await product.configure({ hooks: "run" });
    await hook(product, "pre-commit", "echo the linter is unhappy >&2; exit 3");
    await product.agent("writer", writes);
    const { code, run, attempt } = await firstRun(product);
    expect(code).toBe(1);
    expect(run).toMatchObject({ status: "FAILED", commit: null, failure: { code: "hook_failed" } });
    expect(JSON.stringify(run.failure)).toContain("the linter is unhappy");
    expect(await Bun.file(join(attempt.worktree, "agent.txt")).text()).toBe("from the agent\n");
    const logs = await product.tazuna(["logs", run.id]);
    expect(logs.stdout).toContain("the linter is unhappy");
  });

  test("a hook that the run itself changed is not run", async () => {
    await using product = await startProduct();
    await product.configure({ hooks: "run" });
    await mkdir(join(product.repository, ".githooks"));
    await writeFile(join(product.repository, ".githooks", "pre-commit"), "#!/bin/sh\nexit 0\n", {
      mode: 0o755,
    });
    await product.sandbox.git(product.repository, ["add", "-A"]);
    await product.sandbox.git(product.repository, ["commit", "--quiet", "-m", "Hooks in the tree"]);
    await product.sandbox.git(product.repository, ["push", "--quiet"]);
    await product.sandbox.git(product.repository, ["config", "core.hooksPath", ".githooks"]);
    const trace = join(product.home, "trace");
    await product.agent("writer", `echo 'echo planted > "${trace}"' >> .githooks/pre-commit`);
    const { run } = await firstRun(product);
    expect(run).toMatchObject({ status: "FAILED", failure: { code: "hook_failed" } });
    expect(await Bun.file(trace).exists()).toBe(false);
  });
});

describe.skipIf(SSH_KEYGEN.missing)(`signing${SSH_KEYGEN.why}`, () => {
  const signWith = async (product: Product, key: string) => {
    const { git } = product.sandbox;
    await git(product.repository, ["config", "gpg.format", "ssh"]);
    await git(product.repository, ["config", "user.signingKey", key]);
    await git(product.repository, ["config", "commit.gpgSign", "true"]);
  };

  test("commits are signed as the user's git signs", async () => {
    await using product = await startProduct();
    const key = join(product.sandbox.home, "key");
    await Bun.$`ssh-keygen -q -t ed25519 -N "" -f ${key}`.quiet();
    await signWith(product, key);
    await product.agent("writer", writes);
    const { run, attempt } = await firstRun(product);
    expect(run.outcome).toBe("pushed");
    const raw = await product.sandbox.git(product.origin, ["cat-file", "commit", attempt.branch]);
    expect(raw).toContain("gpgsig -----BEGIN SSH SIGNATURE-----");
  });

  test(
    deep("a key that would ask for a passphrase fails the run with a remedy; with `sign: off` it goes on"),
    async () => {
      await using product = await startProduct();
      const key = join(product.sandbox.home, "key");
      await Bun.$`ssh-keygen -q -t ed25519 -N "secret words" -f ${key}`.quiet();
      await signWith(product, key);
      await product.agent("writer", writes);
      const { run, attempt } = await firstRun(product);
      expect(run).toMatchObject({ status: "FAILED", failure: { code: "commit_failed" } });
      expect(run.failure?.remedy).toContain("`tazuna config set sign off`");
      await product.configure({ sign: "off" });
      const again = await product.tazuna(["retry", run.id, "--json"]);
      expect(again.json().attempts[0]?.runs.at(-1)).toMatchObject({ outcome: "pushed" });
      expect(await product.sandbox.git(product.origin, ["show", `${attempt.branch}:agent.txt`])).toBe(
        "from the agent",
      );
    },
  );
});

test("without an identity commits are by Tazuna, the user's configuration stays as it is", async () => {
  await using product = await startProduct();
  await product.sandbox.git(product.repository, ["config", "--global", "--unset", "user.name"]);
  await product.sandbox.git(product.repository, ["config", "--global", "--unset", "user.email"]);
  await product.agent("writer", writes);
  const { attempt } = await firstRun(product);
  expect(
    await product.sandbox.git(product.origin, ["log", "-1", "--format=%an <%ae> %cn <%ce>", attempt.branch]),
  ).toBe("Tazuna <tazuna@localhost> Tazuna <tazuna@localhost>");
});
