/** Tells how the publish gate judges what an agent leaves: content and names, and what a person allows. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import { ask, changedPaths, ending, fileAt, noteCodes, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { drawsOf, fill } from "../helpers/secrets/draw.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const REJECTED = { status: "FAILED", outcome: null, failure: "gate_rejected" };
/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
const RANDOM = ["q7Rt2Zp9Lx4Vb8", "Nk3Wm6Hs1Yd5"].join("");
/** What once was pushed. */
const HELD: Readonly<Record<string, string>> = {
  "agent.ts": 'call("sk-ant-oat01-<W93>AA");\n',
  "model.py": 'load("hf_<T34>")\n',
  "map.js": 'init("AIzaSy<W33>");\n',
  "publish.txt": "twine -p pypi-AgEIcHlwaS5vcmc<W150>\n",
  "netrc.txt": "machine git.acme.io login una password <A16>\n",
  "opaque.sh": 'curl -H "Authorization: Bearer <A40>" https://api.acme.io\n',
  "web.sh": 'curl -H "Authorization: Bearer <jwt>" https://api.acme.io\n',
  "azure.ini": "conn = AccountName=acme;AccountKey=<B86>==\n",
  "aws.csv": "AKIA<b16>,<B40>\n",
  "refresh.txt": "ghr_<A76>\n",
  "deploy.yml": "with: gldt-<A20>\n",
  "runner.toml": 'x = "glrt-<A20>"\n',
  "pg.txt": "db.acme.io:5432:app:una:<A16>\n",
  "age.txt": "AGE-SECRET-KEY-1<Q58>\n",
  "putty.txt": "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n<B64>\n<B64>\nPrivate-MAC: <H64>\n",
  "a.ipynb": '{"cells":[{"source":["key = \\"sk-proj-<W74>T3BlbkFJ<W74>\\"\\n"]}]}\n',
};
const CONFLICT = "<<<<<<< HEAD\\nours\\n=======\\ntheirs\\n>>>>>>> other\\n";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await writeFile(join(product.repository, "known.txt"), `first\nold ${TOKEN.toUpperCase()} ${TOKEN}\n`);
  await writeFile(
    join(product.repository, "docs.md"),
    `How a conflict looks\n=======\n${CONFLICT.replaceAll("\\n", "\n")}`,
  );
  await git(product.repository, "add", "-A");
  await git(product.repository, "commit", "--quiet", "-m", "Second");
  await git(product.repository, "push", "--quiet", "origin", "main");
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
/** The agent does what a file outside says: no instruction holds a credential. */
const run = async (script: string) => {
  const file = join(product.home, "..", `script-${crypto.randomUUID()}.sh`);
  await writeFile(file, script);
  return ask(product, ["run", `. "${file}"`, "--agent", "doer"]);
};

interface Finding {
  readonly rule: string;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

/** Rule and place of what kept the run from its commit. */
function rejected(run: RunDocument): readonly string[] {
  const findings = (run.failure?.details.findings ?? []) as readonly Finding[];
  return findings.map(({ rule, path, line }) => `${rule} ${path}${line === undefined ? "" : `:${line}`}`);
}

/** Files under the data folder that hold a text, but for the worktrees and the agents' own streams. */
async function filesWith(text: string): Promise<readonly string[]> {
  const all = await readdir(product.home, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const ours = files.filter(
    (file) => !file.includes("/worktrees/") && !/\/(?:out\.jsonl|err\.log)$/.test(file),
  );
  const held = await Promise.all(ours.map(async (file) => (await readFile(file)).includes(text)));
  return ours.filter((_, index) => held[index]).map((file) => file.slice(product.home.length));
}

describe("what rejects", () => {
  test("credentials, known and random: nothing is committed, the files stay, and none is shown (promise 6.2)", async () => {
    const end = await run(
      `mkdir -p src; printf 'const a = 1;\\nconst t = "${TOKEN}"; // secretlint-disable-line\\n' > src/a.ts; printf 'API_TOKEN=${RANDOM}\\n' > settings.ini`,
    );
    expect<unknown>(ending(end.run)).toEqual(REJECTED);
    expect(rejected(end.run)).toEqual(["credential settings.ini:1", "credential src/a.ts:2"]);
    expect(end.run.failure?.message).toContain("secret): 26 characters");
    expect(end.run.failure?.message).not.toContain(RANDOM.slice(0, 4));
    expect(await git(end.attempt.worktree, "status", "--porcelain")).toBe("?? settings.ini\n?? src/");
    expect(await readFile(join(end.attempt.worktree, "src/a.ts"), "utf8")).toContain(TOKEN);
    const shown = await product.tazuna(["show", end.run.id]);
    const logged = await product.tazuna(["logs", end.run.id]);
    const told = [JSON.stringify(end), shown.stdout, shown.stderr, logged.stdout].join("\n");
    for (const secret of [TOKEN, RANDOM]) {
      expect(told).not.toContain(secret);
      expect(await filesWith(secret)).toEqual([]);
    }
  });

  test("secrets in a notebook, an address, a header and a password file, by kind and place, not by value", async () => {
    const drawn = Object.entries(HELD).map(([path, template]) => {
      const content = fill(template, drawsOf(path));
      return { path, content };
    });
    const end = await run(
      drawn.map(({ path, content }) => `printf %s '${btoa(content)}' | base64 -d > ${path}`).join("\n"),
    );
    expect<unknown>(ending(end.run)).toEqual(REJECTED);
    const findings = (end.run.failure?.details.findings ?? []) as readonly Finding[];
    expect(findings.map(({ path }) => path).toSorted()).toEqual(Object.keys(HELD).toSorted());
    for (const { message } of findings)
      expect(message).toMatch(/:\d+ holds a credential \([^)]+\): (?:.{1,4}…, )?\d+ characters$/);
    const told = JSON.stringify(end) + (await product.tazuna(["show", end.run.id])).stdout;
    for (const { content } of drawn)
      for (const value of content.match(/[A-Za-z0-9+/_-]{14,}/g) ?? [])
        if (/\d/.test(value)) expect(told).not.toContain(value);
  });

  test.each([
    ["conflict markers", `printf 'a\\n${CONFLICT}' > a.txt`, ["conflict_marker a.txt:2"]],
    [
      "a link that leaves the tree",
      "ln -s ../../outside out; ln -s known.txt in; ln -s out/x through",
      ["symlink_outside out", "symlink_outside through"],
    ],
    [
      "a folder that is .git to other systems",
      "mkdir .GIT; echo x > .GIT/config2",
      ["disguised_path .GIT/config2"],
    ],
    [
      "a name with something unseen in .git",
      "mkdir \"$(printf '.g\\342\\200\\214it')\"; echo x > \"$(printf '.g\\342\\200\\214it')/config\"",
      ["disguised_path .g\u200cit/config"],
    ],
    ["a denied name in other letters", "echo x > .ENV", ["disguised_path .ENV"]],
    [
      "a short private key",
      "openssl genpkey -algorithm ed25519 > id.txt 2>/dev/null",
      ["credential id.txt:1"],
    ],
    [
      "a credential in UTF-16",
      `printf '\\377\\376' > wide.txt; printf '${TOKEN}' | sed 's/./&\\n/g' | tr '\\n' '\\000' >> wide.txt`,
      ["credential wide.txt:1"],
    ],
  ])("%s", async (_, script, findings) => {
    const end = await run(script);
    expect<unknown>({ ending: ending(end.run), findings: rejected(end.run) }).toEqual({
      ending: REJECTED,
      findings,
    });
    expect(end.run.commit).toBeNull();
  });
});

describe("findings that are only reported, and findings that are not new", () => {
  test("binaries, agent configuration, workflows and odd names are pushed and told", async () => {
    const end = await run(
      "mkdir -p .claude .github/workflows; echo '{}' > .claude/settings.json; echo 'on: push' > .github/workflows/ci.yml; printf 'a\\000b' > b.bin; echo x > \"$(printf 'odd\\tname \"q\"')\"; echo x > 日本.txt",
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(noteCodes(end.run).toSorted()).toEqual([
      "agent_configuration",
      "binary_file",
      "control_character",
      "workflow_file",
    ]);
  });

  test("a credential and markers that stood in the file before, or came from a file that moved, are no findings", async () => {
    const end = await run(
      "echo more >> known.txt; echo more >> docs.md; mkdir x; git mv -k nothing x 2>/dev/null; cp known.txt x/known.txt; rm known.txt",
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(end.run.notes).toEqual([]);
    expect(await changedPaths(product, product.origin, end.attempt.branch)).toEqual([
      "docs.md",
      "known.txt",
      "x/known.txt",
    ]);
  });

  test("a new credential beside an old one on the same line is a finding (promise 6.2)", async () => {
    const other = TOKEN.replace("wWPw", "aBcD");
    const end = await run(`sed -i 's/^old.*/& ${other}/' known.txt`);
    expect(rejected(end.run)).toEqual(["credential known.txt:2"]);
  });

  test(deep("a file of 200 MB is not read and is said to be so; 10,000 small ones are read"), async () => {
    const end = await run(
      `head -c 200000000 /dev/zero | tr '\\000' 'a' > large.txt; mkdir many; i=0; while [ $i -lt 10000 ]; do echo $i > many/$i.txt; i=$((i+1)); done; echo '${TOKEN}' > many/5000.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(REJECTED);
    expect(rejected(end.run).toSorted()).toEqual(["credential many/5000.txt:1", "file_too_large large.txt"]);
    expect(noteCodes(end.run)).toContain("not_scanned");
  });
});

test(
  deep(
    "of a concluded merge only our part is judged; what others pushed to the base does not prevent publishing",
  ),
  async () => {
    const { repository } = product;
    await writeFile(join(repository, "shared.txt"), "one\n");
    await git(repository, "add", "-A");
    await git(repository, "commit", "--quiet", "-m", "Third");
    await git(repository, "push", "--quiet", "origin", "main");
    const first = await run("echo ours > shared.txt");
    expect<unknown>(ending(first.run)).toEqual(PUSHED);
    const theirs = TOKEN.replace("wWPw", "tHeR");
    await writeFile(join(repository, "shared.txt"), `theirs ${theirs}\n`);
    await writeFile(join(repository, ".env"), "A=1\n");
    await writeFile(join(repository, "theirs.txt"), `${theirs}\n`);
    await writeFile(join(repository, "Jenkinsfile"), "node {}\n");
    await git(repository, "add", "-A", "-f");
    await git(repository, "commit", "--quiet", "-m", "Fourth");
    await git(repository, "push", "--quiet", "origin", "main");
    const { id } = first.attempt;
    const merged = async (content: string) => {
      const file = join(product.home, "..", `script-${crypto.randomUUID()}.sh`);
      await writeFile(file, `echo '${content}' > shared.txt`);
      return ask(product, ["continue", id, `. "${file}"`]);
    };
    // A person begins the merge, the agent resolves it.
    await git(first.attempt.worktree, "merge", "--quiet", "main").catch(() => "conflict");
    const bad = await merged(`both ${theirs} ${TOKEN}`);
    expect<unknown>({ ending: ending(bad.run), findings: rejected(bad.run) }).toEqual({
      ending: REJECTED,
      findings: ["credential shared.txt:1"],
    });
    const good = await merged(`both ${theirs}`);
    expect<unknown>({ ending: ending(good.run), notes: noteCodes(good.run) }).toMatchObject({
      ending: PUSHED,
    });
    expect(noteCodes(good.run)).not.toContain("workflow_file");
    expect(await fileAt(product, product.origin, first.attempt.branch, ".env")).toBe("A=1");
    expect(await git(product.origin, "log", "-1", "--format=%P", first.attempt.branch)).toContain(" ");
  },
);

describe("what a person allows", () => {
  const publish = (attempt: string, ...flags: string[]) => ["publish", attempt, ...flags];

  test(
    deep("needs a reason; covers only shown findings; and is recorded with who, why and what"),
    async () => {
      const first = await run(`echo '${TOKEN}' > a.txt; printf 'a\\n${CONFLICT}' > b.txt`);
      const { id } = first.attempt;
      expect(await refused(product, publish(id, "--allow", "credential"))).toMatchObject({ code: 2 });
      expect(await refused(product, publish(id, "--allow", "credential", "--reason", " "))).toMatchObject({
        code: 2,
      });
      expect(await refused(product, publish(id, "--reason", "why"))).toMatchObject({ code: 2 });
      expect(
        await refused(product, publish(id, "--allow", "file_too_large", "--reason", "why")),
      ).toMatchObject({
        code: 1,
        error: { code: "nothing_to_allow" },
      });
      const half = await ask(product, publish(id, "--allow", "credential", "--reason", "It is a test key"));
      expect<unknown>({
        ending: ending(half.run),
        kind: half.run.kind,
        findings: rejected(half.run),
      }).toEqual({
        ending: REJECTED,
        kind: "commit",
        findings: ["conflict_marker b.txt:2"],
      });
      const whole = await ask(product, publish(id, "--allow", "conflict_marker", "--reason", "A fixture"));
      expect<unknown>(ending(whole.run)).toEqual(PUSHED);
      expect(
        whole.run.notes.map(({ code, details }) => [code, details.rule, details.path, details.reason]),
      ).toEqual([
        ["allowed_finding", "credential", "a.txt", "It is a test key"],
        ["allowed_finding", "conflict_marker", "b.txt", "A fixture"],
      ]);
      const by = await git(product.repository, "log", "-1", "--format=%an <%ae>", first.attempt.branch);
      expect(whole.run.notes[0]?.details.by).toBe(by);
      expect((await product.tazuna(["show", whole.run.id])).stdout).toContain("It is a test key");
      expect(await fileAt(product, product.origin, first.attempt.branch, "a.txt")).toBe(TOKEN);
      const acts = (await product.tazuna(["activity", first.run.id, "--json"])).json<{
        operations: { kind: string; before: unknown }[];
      }>();
      expect(acts.operations.filter(({ kind }) => kind === "allow")).toMatchObject([
        {
          before: {
            by,
            reason: "It is a test key",
            findings: [{ rule: "credential", path: "a.txt", line: 1 }],
          },
        },
      ]);
    },
  );

  test("does not cover what the agent does to the file afterwards", async () => {
    const first = await run(`echo '${TOKEN}' > a.txt`);
    await writeFile(join(first.attempt.worktree, "a.txt"), `${TOKEN}\n${TOKEN.replace("wWPw", "aBcD")}\n`);
    const second = await ask(
      product,
      publish(first.attempt.id, "--allow", "credential", "--reason", "A test key"),
    );
    expect<unknown>(ending(second.run)).toEqual(REJECTED);
    expect(rejected(second.run)).toEqual(["credential a.txt:1", "credential a.txt:2"]);
  });

  test("is never what git itself would not take", async () => {
    const first = await run("mkdir .GIT; echo x > .GIT/config2");
    expect(
      await refused(product, publish(first.attempt.id, "--allow", "disguised_path", "--reason", "Fun")),
    ).toMatchObject({ code: 1, error: { code: "never_published" } });
  });

  test("is the push of a commit whose required check failed, and a later retry of that push", async () => {
    await product.configure({ checks: [{ name: "red", run: "false", required: true, timeout_s: 60 }] });
    const first = await run("echo x > x.txt");
    expect(first.run.failure?.code).toBe("check_failed");
    expect(await refused(product, publish(first.attempt.id))).toMatchObject({
      error: { code: "check_failed" },
    });
    const pushed = await ask(
      product,
      publish(first.attempt.id, "--allow", "check:red", "--reason", "Known red"),
    );
    expect<unknown>({
      ending: ending(pushed.run),
      kind: pushed.run.kind,
      notes: noteCodes(pushed.run),
    }).toEqual({
      ending: PUSHED,
      kind: "publish",
      notes: ["allowed_check"],
    });
    expect(await git(product.origin, "rev-parse", first.attempt.branch)).toBe(first.run.commit ?? "");
    const again = await ask(product, ["retry", pushed.run.id, "--from", "push"]);
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
    await product.configure({ checks: [] });
  });

  test("nothing is needed to push what was only held", async () => {
    await product.configure({ publish: "hold" });
    const first = await run("echo y > y.txt");
    expect(first.run.outcome).toBe("committed");
    const pushed = await ask(product, publish(first.attempt.id));
    expect<unknown>(ending(pushed.run)).toEqual(PUSHED);
    await product.configure({ publish: "push" });
  });
});
