/** Takes files and hunks of several attempts into a new one, and goes on from what a run left. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ComparisonDocument, ComposeRequest } from "../../src/contract/endpoints/decisions.ts";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { forgeWorld } from "../helpers/forge-world.ts";
import {
  ask,
  branchAt,
  ending,
  fileAt,
  gate,
  noteCodes,
  PATIENCE_MS,
  refused,
  type TaskEnd,
  usersSide,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
const LONG = `${LINES.join("\n")}\n`;
/** The text with these lines, counted from 1, in capitals. */
const loud = (...at: readonly number[]) =>
  `${LINES.map((line, index) => (at.includes(index + 1) ? line.toUpperCase() : line)).join("\n")}\n`;
const sed = (...at: readonly number[]) =>
  at.map((line) => `sed -i '${line}s/line/LINE/' src/long.txt`).join("; ");

let product: Product;
let first: TaskEnd;

beforeAll(async () => {
  product = await startProduct();
  const files = { "src/long.txt": LONG, "src/old.txt": "old\n", "gone.txt": "gone\n", "run.sh": "true\n" };
  await product.sandbox.commit(product.repository, files, "Files");
  await git("push", "--quiet", "origin", "main");
  await product.configure({
    checks: [{ name: "both", run: "! test -e broken.txt", required: true }],
  });
  await product.agent("one", `${sed(3, 30, 57)}; echo one > one.txt; rm gone.txt; echo Done.`);
  await product.agent(
    "two",
    `${sed(18, 58)}; echo two > two.txt; mv src/old.txt src/new.txt; chmod +x run.sh; ln -s two.txt link; printf 'a\\0b' > bin; echo Done.`,
  );
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  first = await ask(product, ["run", "Make it better.", "--agent", "one", "--agent", "two"]);
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (...args: string[]) => product.sandbox.git(product.repository, args);
const at = (end: TaskEnd, number: number) => {
  const attempt = end.attempts[number - 1];
  if (attempt === undefined) throw new Error(`no attempt ${number}`);
  return attempt;
};
const compared = async (task: string, ...flags: string[]) =>
  (await product.tazuna(["compare", task, "--json", ...flags])).json<ComparisonDocument>().attempts;

async function http(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const compose = (task: string, take: ComposeRequest["take"], headers?: Readonly<Record<string, string>>) =>
  http(`/tasks/${task}/compose`, { take }, headers);

test(deep("files of two attempts become one checked and pushed commit that names both"), async () => {
  const [one, two] = [at(first, 1), at(first, 2)];
  const task = first.document.task.id;
  const before = await usersSide(product);
  const letters = new Map((await compared(task, "--hide-names")).map(({ id, letter }) => [id, letter]));
  const takes = [
    `${letters.get(one.id)}:src/long.txt`,
    `${one.id.slice(0, 8)}:gone.txt`,
    `${letters.get(two.id)}:src/new.txt`,
    `${two.id}:run.sh`,
    `${two.id}:./link`,
    `${two.id}:bin`,
  ];
  const made = await ask(product, ["compose", task, ...takes.flatMap((take) => ["--take", take])]);
  const { attempt, run } = made;
  expect([made.attempts.length, run.kind, ending(run), attempt.agent]).toEqual([
    1,
    "commit",
    { status: "SUCCEEDED", outcome: "pushed" },
    "none",
  ]);
  expect(run.checks.map(({ name, passed }) => [name, passed])).toEqual([["both", true]]);
  const commit = run.commit ?? "";
  expect(await branchAt(product, product.origin, attempt.branch)).toBe(commit);
  expect(await git("diff", "--no-renames", "--raw", "--abbrev=1", "main", commit)).toMatch(
    /^:\S+ \S+ \S+ \S+ A\tbin\n:\S+ \S+ \S+ \S+ D\tgone.txt\n:000000 120000 \S+ \S+ A\tlink\n:100644 100755 \S+ \S+ M\trun.sh\n:\S+ \S+ \S+ \S+ M\tsrc\/long.txt\n:\S+ \S+ \S+ \S+ A\tsrc\/new.txt\n:\S+ \S+ \S+ \S+ D\tsrc\/old.txt$/,
  );
  expect(`${await fileAt(product, product.repository, commit, "src/long.txt")}\n`).toBe(loud(3, 30, 57));
  const trailers = (await git("show", "--no-patch", "--format=%(trailers:only,unfold)", commit)).trim();
  expect(trailers.split("\n").filter((line) => !/^Tazuna-(Task|Run)/.test(line))).toEqual([
    `Tazuna-From: ${one.id} src/long.txt`,
    `Tazuna-From: ${one.id} gone.txt`,
    `Tazuna-From: ${two.id} src/new.txt`,
    `Tazuna-From: ${two.id} run.sh`,
    `Tazuna-From: ${two.id} link`,
    `Tazuna-From: ${two.id} bin`,
    "Co-authored-by: Agent <agent@localhost>",
  ]);
  expect(attempt.origin).toMatchObject({
    act: "compose",
    sources: [
      { attempt: one.id, run: null, agent: "one", files: 2 },
      {
        attempt: two.id,
        agent: "two",
        files: 4,
        paths: expect.arrayContaining([{ path: "link", hunks: null }]),
      },
    ],
  });
  const shown = (await product.tazuna(["show", attempt.id])).stdout;
  expect(shown).toContain(`From         ${one.id.slice(0, 8)} (one): src/long.txt, gone.txt\n`);
  const beside = await product.tazuna(["compare", task, "--hide-names"]);
  expect(beside.stdout).toContain(
    `C is composed of ${letters.get(one.id)}: src/long.txt, gone.txt and ${letters.get(two.id)}: src/new.txt, run.sh, link, bin\n`,
  );
  expect(JSON.stringify(await compared(task, "--hide-names"))).not.toMatch(/"(one|two)"/);
  expect(await usersSide(product, { ours: [attempt.branch] })).toEqual(before);

  await product.tazuna(["merge", attempt.id, "--here"]);
  expect(await git("status", "--porcelain")).toBe("");
  expect(await git("rev-parse", "main^{tree}")).toBe(await git("rev-parse", `${commit}^{tree}`));
  const reverted = await ask(product, ["revert", attempt.id]);
  expect(await git("diff", "--stat", "origin/main", reverted.run.commit ?? "")).toBe("");
  await git("reset", "--hard", "--quiet", "origin/main");
});

test("hunks of a file are taken by number, as its patch shows them", async () => {
  const [one, two] = [at(first, 1), at(first, 2)];
  const task = first.document.task.id;
  const take = [
    { attempt: one.id, path: "src/long.txt", hunks: [3, 1], expect: one.commit },
    { attempt: two.id, path: "src/long.txt", hunks: [1] },
  ];
  const { status, body } = await compose(task, take, { "idempotency-key": "hunks" });
  const made = body as TaskDocument;
  const id = made.attempts[0]?.id ?? "";
  expect([status, made.attempts.length]).toEqual([201, 1]);
  const again = await compose(task, take, { "idempotency-key": "hunks" });
  expect((again.body as TaskDocument).attempts.map((attempt) => attempt.id)).toEqual([id]);
  await product.tazuna(["wait", id]);
  const shown = (await product.tazuna(["show", id, "--json"])).json<TaskEnd["attempt"]>();
  expect(`${await fileAt(product, product.repository, shown.commit ?? "", "src/long.txt")}\n`).toBe(
    loud(3, 18, 57),
  );
  expect(await git("show", "--no-patch", "--format=%B", shown.commit ?? "")).toContain(
    `Tazuna-From: ${one.id} src/long.txt (hunks 3, 1)`,
  );
  const all = await compared(task);
  expect(all.find((each) => each.id === id)?.origin?.sources.map(({ paths }) => paths)).toEqual([
    [{ path: "src/long.txt", hunks: [3, 1] }],
    [{ path: "src/long.txt", hunks: [1] }],
  ]);
});

test(
  deep("what does not fit, what is not there and what changed since is refused, and nothing is made"),
  async () => {
    const [one, two] = [at(first, 1), at(first, 2)];
    const task = first.document.task.id;
    const other = await ask(product, ["run", "echo x > x.txt", "--agent", "doer"]);
    const nothing = await ask(product, ["run", "true", "--agent", "doer"]);
    const refs = await git("for-each-ref");
    const operations = (await product.tazuna(["activity", task, "--json"])).stdout;
    const file = { attempt: one.id, path: "src/long.txt" };
    const asked: readonly [ComposeRequest["take"], number, string][] = [
      [[file, { attempt: two.id, path: "src" }], 409, "does_not_fit"],
      [[file, { attempt: other.attempt.id, path: "x.txt" }], 409, "another_task"],
      [[{ ...file, path: "README.md" }], 404, "file_not_changed"],
      [[{ ...file, path: "../x" }], 400, "unusable_path"],
      [[{ ...file, path: "/etc/passwd" }], 400, "unusable_path"],
      [[{ ...file, path: "a\0b" }], 400, "unusable_path"],
      [[{ ...file, path: "" }], 400, "bad_request"],
      [[{ ...file, hunks: [4] }], 409, "hunk_missing"],
      [[{ ...file, path: "src", hunks: [1] }], 409, "hunk_missing"],
      [[{ attempt: two.id, path: "bin", hunks: [1] }], 409, "hunk_missing"],
      [[{ attempt: two.id, path: "src/new.txt", hunks: [1] }], 409, "hunk_missing"],
      [[{ ...file, hunks: [0] }], 400, "bad_request"],
      [[{ ...file, expect: two.commit }], 409, "changed_meanwhile"],
      [[{ ...file, expect: "f".repeat(40) }], 409, "changed_meanwhile"],
      [[{ ...file, expect: "HEAD" }], 400, "bad_request"],
      [[{ ...file, attempt: "nobody" }], 404, "not_found"],
      [[], 400, "bad_request"],
    ];
    for (const [take, status, code] of asked) {
      const answer = await compose(task, take);
      expect({ take, status: answer.status, code: (answer.body as { code: string }).code }).toEqual({
        take,
        status,
        code,
      });
    }
    const clash = await compose(task, asked[0]?.[0] ?? []);
    expect((clash.body as { details: unknown }).details).toMatchObject({
      files: ["src/long.txt"],
      attempts: [one.id, two.id],
    });
    const empty = await compose(nothing.document.task.id, [{ attempt: nothing.attempt.id, path: "." }]);
    expect((empty.body as { code: string }).code).toBe("nothing_to_take");
    expect([await git("for-each-ref"), (await product.tazuna(["activity", task, "--json"])).stdout]).toEqual([
      refs,
      operations,
    ]);
  },
);

test(
  deep("an attempt that works is refused, a cancelled one is taken from; odd names and many paths are taken"),
  async () => {
    await using stop = gate(product, "stop");
    await product.agent("slow", `echo slow > slow.txt; ${stop.wait}; echo Done.`);
    const names = ["a:b.txt", "two\nlines", "späß 手綱", "-dash", "*", '"quoted"'];
    const odd = names.map((name) => `printf x > '${name}'`).join("; ");
    await product.agent(
      "odd",
      `mkdir many; for n in $(seq 500); do echo $n > many/$n; done; ${odd}; echo Done.`,
    );
    const started = await ask(product, ["run", "Odd.", "--agent", "odd", "--agent", "slow", "--detach"]);
    const [named, slow] = [at(started, 1), at(started, 2)];
    await product.tazuna(["wait", named.id]);
    await stop.reached();
    const task = started.document.task.id;
    const working = await compose(task, [{ attempt: slow.id, path: "slow.txt" }]);
    expect((working.body as { code: string }).code).toBe("run_not_ended");
    await stop.open();
    await product.tazuna(["wait", task]);
    await product.tazuna(["cancel", named.id]);
    const many = Array.from({ length: 500 }, (_, index) => `many/${index + 1}`);
    const takes = [...names, ...many].map((path) => `${named.id}:${path}`);
    const end = await ask(product, [
      "compose",
      task,
      ...[...takes, `${slow.id}:slow.txt`].flatMap((take) => ["--take", take]),
    ]);
    expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(end.attempt.changes?.files).toBe(507);
    const trailers = (await git("show", "--no-patch", "--format=%B", end.run.commit ?? "")).split("\n");
    expect(trailers.filter((line) => line.startsWith("Tazuna-From: "))).toHaveLength(51);
    expect(trailers).toContain(`Tazuna-From: ${named.id} "two\\nlines"`);
  },
);

test(deep("a check that fails keeps a composition from being pushed, until a person allows it"), async () => {
  await product.agent("breaks", "echo x > broken.txt; echo Done.");
  const end = await ask(product, ["run", "Break.", "--agent", "breaks", "--agent", "one"]);
  const made = await ask(product, [
    "compose",
    end.document.task.id,
    "--take",
    `${at(end, 1).id}:.`,
    "--take",
    `${at(end, 2).id}:one.txt`,
  ]);
  expect([made.code, ending(made.run)]).toEqual([
    1,
    { status: "FAILED", outcome: null, failure: "check_failed" },
  ]);
  expect(await branchAt(product, product.origin, made.attempt.branch)).toBeNull();
  const allowed = await ask(product, [
    "publish",
    made.attempt.id,
    "--allow",
    "check:both",
    "--reason",
    "Known",
  ]);
  expect(ending(allowed.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
});

test(deep("another agent goes on from what a run left, and its attempt goes on by itself"), async () => {
  const seen = join(product.home, "prompt");
  await product.agent(
    "next",
    `cat "$TAZUNA_PROMPT_FILE" > '${seen}'; . "$TAZUNA_INSTRUCTION_FILE"; echo Done.`,
  );
  const script = "echo one > one.txt; echo secret > .env; mkdir -p ignored; echo ignored > ignored/x";
  await writeFile(join(product.repository, ".git/info/exclude"), "ignored/\n");
  const begun = await ask(product, ["run", script, "--agent", "doer"]);
  const later = await ask(product, ["continue", begun.attempt.id, "echo later > later.txt"]);
  const before = await usersSide(product);
  const forked = await ask(product, ["fork", begun.run.id, "echo two > two.txt", "--agent", "next"]);
  const { attempt, run } = forked;
  expect([forked.attempts.length, attempt.agent, attempt.number, ending(run)]).toEqual([
    1,
    "next",
    2,
    { status: "SUCCEEDED", outcome: "pushed" },
  ]);
  expect(attempt.base).toEqual(begun.attempt.base);
  expect(await git("diff", "--name-only", attempt.base.sha ?? "", run.commit ?? "")).toBe("one.txt\ntwo.txt");
  expect(await git("rev-parse", `${run.commit}^`)).toBe(attempt.base.sha ?? "");
  expect(noteCodes(run)).toContain("forked");
  const note = run.notes.find(({ code }) => code === "forked");
  expect(note?.message).toContain("Left out there, and so here: .env.");
  const prompt = await readFile(seen, "utf8");
  expect(prompt).toContain("# Where you begin\n\nThis working tree begins with what another attempt");
  expect([prompt.includes("echo later"), prompt.includes("Agent: Done.")]).toEqual([false, true]);
  expect(await git("show", "--no-patch", "--format=%B", run.commit ?? "")).toContain(
    `
Tazuna-From: ${begun.attempt.id} run ${begun.run.id}
`,
  );
  expect(await usersSide(product, { ours: [attempt.branch] })).toEqual(before);
  const goneOn = await ask(product, ["continue", attempt.id, "echo three > three.txt"]);
  expect(ending(goneOn.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(await git("show", "--no-patch", "--format=%B", goneOn.run.commit ?? "")).not.toContain(
    "Tazuna-From",
  );
  expect((await product.tazuna(["show", attempt.id])).stdout).toContain(
    `From         ${begun.attempt.id.slice(0, 8)} (doer), run ${begun.run.id.slice(0, 8)}: 1 file\n`,
  );
  // A cancelled attempt, its branch gone, is a point to fork from as well; without words the issue is solved.
  await product.tazuna(["cancel", later.attempt.id]);
  const last = await ask(product, ["fork", later.run.id, "--agent", "doer"]);
  expect(await git("diff", "--name-only", attempt.base.sha ?? "", last.run.commit ?? "")).toBe(
    "later.txt\none.txt",
  );
});

test(deep("a fork of a run before a merge of the base begins at the older base"), async () => {
  const begun = await ask(product, ["run", "echo one > merged.txt", "--agent", "doer"]);
  await product.sandbox.commitTo(product.origin, "main", { "upstream.txt": "upstream\n" });
  const merged = await ask(product, ["continue", begun.attempt.id, "echo two > two.txt", "--merge-base"]);
  expect(merged.attempt.base.sha).not.toBe(begun.attempt.base.sha);
  const older = await ask(product, ["fork", begun.run.id, "true", "--agent", "doer"]);
  const newer = await ask(product, ["fork", merged.run.id, "true", "--agent", "doer"]);
  expect([older, newer].map(({ attempt }) => [attempt.base.sha, attempt.changes?.files])).toEqual([
    [begun.attempt.base.sha, 1],
    [merged.attempt.base.sha, 2],
  ]);
  const composed = await ask(product, [
    "compose",
    begun.document.task.id,
    "--take",
    `${older.attempt.id}:merged.txt`,
    "--take",
    `${newer.attempt.id}:two.txt`,
  ]);
  expect([composed.attempt.base.sha, composed.attempt.changes?.files]).toEqual([merged.attempt.base.sha, 2]);
});

test(deep("a run that works or does not exist is no point to fork from"), async () => {
  await using stop = gate(product, "fork");
  await product.agent("waits", `${stop.wait}; echo Done.`);
  const started = await ask(product, ["run", "Wait.", "--agent", "waits", "--detach"]);
  await stop.reached();
  const works = await refused(product, ["fork", started.attempt.id, "--agent", "doer"]);
  expect([works.code, works.error.code]).toEqual([1, "run_not_ended"]);
  await stop.open();
  await product.tazuna(["wait", started.attempt.id]);
  const unknown = await refused(product, ["fork", started.attempt.id, "--agent", "doer2"]);
  expect([unknown.code, unknown.error.code]).toEqual([2, "unknown_agent"]);
  expect((await refused(product, ["fork", "ffffffff", "--agent", "doer"])).error.code).toBe("not_found");
  expect((await refused(product, ["fork", started.attempt.id])).code).toBe(2);
  expect((await refused(product, ["fork", started.attempt.id, " ", "--agent", "doer"])).code).toBe(2);
});

test(deep("a change of a submodule is not taken along"), async () => {
  const inner = await product.sandbox.repository("inner");
  const clone = await product.sandbox.clone(product.origin, "with-module");
  const theirs = (...args: string[]) => product.sandbox.git(clone, args);
  await theirs("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "module");
  await theirs("commit", "--quiet", "-m", "Module");
  await theirs("push", "--quiet", "origin", "HEAD:refs/heads/modules");
  const end = await ask(product, ["run", "echo x > x.txt", "--agent", "doer", "--base", "modules"]);
  const { worktree, branch } = end.attempt;
  await mkdir(join(worktree, "module"), { recursive: true });
  const tree = (...args: string[]) => product.sandbox.git(worktree, args);
  await tree("update-index", "--cacheinfo", `160000,${"1".repeat(40)},module`);
  await tree("commit", "--quiet", "-m", "Another commit of the module");
  const refusal = await compose(end.document.task.id, [{ attempt: end.attempt.id, path: "." }]);
  expect((refusal.body as { code: string }).code).toBe("submodule_changed");
  const part = await ask(product, ["compose", end.document.task.id, "--take", `${end.attempt.id}:x.txt`]);
  expect(ending(part.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(await git("rev-parse", `${part.run.commit}:module`)).toBe(
    await git("rev-parse", `${branch}~1:module`),
  );
});

test(deep("a composed attempt gets its pull request as any other, once"), async () => {
  await using world = await forgeWorld();
  const { product: own, github } = world;
  await own.agent("one", "echo one > one.txt; echo Done.");
  await own.agent("two", "echo two > two.txt; echo Done.");
  const { document } = await ask(own, ["run", "Make it better.", "--agent", "one", "--agent", "two"]);
  const [one, two] = document.attempts.map(({ id }) => id.slice(0, 8));
  const take = ["--take", `${one}:one.txt`, "--take", `${two}:two.txt`];
  const composed = await ask(own, ["compose", document.task.id, ...take]);
  expect(ending(composed.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  for (const _ of [1, 2]) expect((await own.tazuna(["pr", composed.attempt.id])).code).toBe(0);
  expect(github.pulls).toMatchObject([{ head: composed.attempt.branch, base: "main", state: "open" }]);
});
