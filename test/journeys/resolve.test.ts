/** Tells how an attempt's agent resolves a conflict with others' commits, and how the merge ends in every case. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  branchAt,
  ending,
  fileAt,
  gate,
  noteCodes,
  PAST_THE_GUARD,
  PATIENCE_MS,
  type TaskEnd,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  // Does what the instruction says; without one it resolves same.txt by keeping both sides' lines.
  await product.agent(
    "doer",
    `cp "$TAZUNA_PROMPT_FILE" "$(dirname "$TAZUNA_SUMMARY_FILE")/../told"
if grep -q '^Resolve the conflicts' "$TAZUNA_INSTRUCTION_FILE"; then sed -i '/^[<=>]\\{7\\}/d' same.txt
else . "$TAZUNA_INSTRUCTION_FILE"; fi; echo Done.`,
  );
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const told = ({ run }: TaskEnd) => readFile(join(product.home, "runs", run.id, "told"), "utf8");
const merging = (worktree: string) => git(worktree, "rev-parse", "--verify", "MERGE_HEAD").catch(() => null);
const parents = (revision: string) => git(product.origin, "log", "-1", "--format=%P", revision);

test(
  deep(
    "the command that a conflict's remedy prints starts the merge, and the agent's resolution is pushed with both parents",
  ),
  async () => {
    const { attempt, run, theirs } = await conflict("printed");
    const id = attempt.id.slice(0, 8);
    expect(run.failure?.remedy).toContain(`\`tazuna continue ${id} --resolve\``);
    const end = await ask(product, ["continue", id, "--resolve"]);
    expect<unknown>({
      code: end.code,
      ending: ending(end.run),
      kind: end.run.kind,
      notes: end.run.notes.map(({ code, details }) => [code, details.sha, details.paths]),
      parents: await parents(attempt.branch),
      same: await fileAt(product, product.origin, attempt.branch, "same.txt"),
      subject: await git(product.origin, "log", "-1", "--format=%s", attempt.branch),
      merging: await merging(attempt.worktree),
      status: await git(attempt.worktree, "status", "--porcelain"),
    }).toEqual({
      code: 0,
      ending: PUSHED,
      kind: "agent",
      notes: [["merge_begun", theirs, ["same.txt"]]],
      parents: `${run.commit} ${theirs}`,
      same: "ours\ntheirs",
      subject: `Resolve the conflicts with what others pushed to ${attempt.branch}`,
      merging: null,
      status: "",
    });
    expect(await told(end)).toContain(
      [
        "# Merge in progress",
        "",
        `Tazuna is merging origin/${attempt.branch} (commit ${theirs.slice(0, 12)}) into this branch, and these files conflict:`,
        "",
        "- same.txt: both sides changed it; where they differ stands between conflict markers.",
      ].join("\n"),
    );
  },
);

test(
  deep("any `continue` after a conflict starts the merge, with an instruction and without one"),
  async () => {
    const silent = await conflict("silent");
    const resolved = await ask(product, ["continue", silent.attempt.id]);
    expect<unknown>({ kind: resolved.run.kind, ending: ending(resolved.run) }).toEqual({
      kind: "agent",
      ending: PUSHED,
    });
    expect(await parents(silent.attempt.branch)).toBe(`${silent.run.commit} ${silent.theirs}`);

    const asked = await conflict("asked");
    const end = await ask(product, [
      "continue",
      asked.attempt.id,
      "echo both > same.txt; echo more > more.txt",
    ]);
    expect<unknown>({
      ending: ending(end.run),
      parents: await parents(asked.attempt.branch),
      same: await fileAt(product, product.origin, asked.attempt.branch, "same.txt"),
      more: await fileAt(product, product.origin, asked.attempt.branch, "more.txt"),
    }).toEqual({
      ending: PUSHED,
      parents: `${asked.run.commit} ${asked.theirs}`,
      same: "both",
      more: "more",
    });
  },
);

test(
  deep(
    "markers that the agent leaves are rejected, the merge is not concluded, and the next `continue` goes on with it",
  ),
  async () => {
    const { attempt, run, theirs } = await conflict("left");
    const left = await ask(product, ["continue", attempt.id, "true"]);
    expect({
      ending: ending(left.run),
      rules: findingsOf(left).map(({ rule, path }) => [rule, path]),
      head: await git(attempt.worktree, "rev-parse", "HEAD"),
      merging: await merging(attempt.worktree),
      remote: await branchAt(product, product.origin, attempt.branch),
    }).toEqual({
      ending: { status: "FAILED", outcome: null, failure: "gate_rejected" },
      rules: [["conflict_marker", "same.txt"]],
      head: run.commit ?? "",
      merging: theirs,
      remote: theirs,
    });
    const again = await ask(product, ["continue", attempt.id, "--resolve"]);
    expect<unknown>({ ending: ending(again.run), parents: await parents(attempt.branch) }).toEqual({
      ending: PUSHED,
      parents: `${run.commit} ${theirs}`,
    });
    expect(await told(again)).toContain("- same.txt: both sides changed it; where they differ");
  },
);

test(
  deep(
    "a stopped resolution stays as it is: the files, the merge and the branch; `continue` goes on with it",
  ),
  async () => {
    const { attempt, run, theirs } = await conflict("stopped");
    await using barrier = gate(product, "stopped-resolution");
    const script = `echo half > same.txt; ${barrier.wait}`;
    const going = await ask(product, ["continue", attempt.id, script, "--detach"]);
    await barrier.reached();
    const stopped = await ask(product, ["stop", going.run.id]);
    expect({
      status: stopped.run.status,
      merging: await merging(attempt.worktree),
      same: await readFile(join(attempt.worktree, "same.txt"), "utf8"),
      head: await git(attempt.worktree, "rev-parse", "HEAD"),
    }).toEqual({ status: "CANCELED", merging: theirs, same: "half\n", head: run.commit ?? "" });
    const end = await ask(product, ["continue", attempt.id, "echo whole >> same.txt"]);
    expect<unknown>({
      ending: ending(end.run),
      parents: await parents(attempt.branch),
      same: await fileAt(product, product.origin, attempt.branch, "same.txt"),
    }).toEqual({ ending: PUSHED, parents: `${run.commit} ${theirs}`, same: "half\nwhole" });
  },
);

test(
  deep(
    "an agent that commits, aborts or replaces the merge by itself changes nothing: Tazuna concludes its own",
  ),
  async () => {
    const ways = {
      commits: "git add -A; git -c user.name=A -c user.email=a@example.com commit -q -m mine",
      quits: "git merge --quit",
      replaces: "git rev-parse HEAD~1 > $(git rev-parse --git-dir)/MERGE_HEAD",
      stages: "git add -A",
    };
    for (const [name, way] of Object.entries(ways)) {
      const { attempt, run, theirs } = await conflict(name);
      const end = await ask(product, [
        "continue",
        attempt.id,
        `${PAST_THE_GUARD} echo both > same.txt; ${way}`,
      ]);
      expect<unknown>({
        name,
        ending: ending(end.run),
        parents: await parents(attempt.branch),
        same: await fileAt(product, product.origin, attempt.branch, "same.txt"),
      }).toEqual({ name, ending: PUSHED, parents: `${run.commit} ${theirs}`, same: "both" });
    }
  },
);

test(deep("markers that an agent takes off git's own list are found"), async () => {
  const { attempt, theirs } = await conflict("hidden");
  const end = await ask(product, ["continue", attempt.id, `${PAST_THE_GUARD} git add -A`]);
  expect({ ending: ending(end.run), merging: await merging(attempt.worktree) }).toEqual({
    ending: { status: "FAILED", outcome: null, failure: "gate_rejected" },
    merging: theirs,
  });
});

test(
  deep("files that cannot hold markers are told in words, and a note says what became of each"),
  async () => {
    await using barrier = gate(product, "kinds");
    const first = await ask(product, [
      "run",
      "printf 'a\\0b' > logo.png; echo a > ours-deletes.txt; echo a > theirs-deletes.txt; seq 9 > named.txt",
      "--agent",
      "doer",
    ]);
    const { attempt } = first;
    const racing = await ask(product, [
      "continue",
      attempt.id,
      `${barrier.wait}; printf 'a\\0ours' > logo.png; rm ours-deletes.txt; echo ours > theirs-deletes.txt; mv named.txt by-us.txt`,
      "--detach",
    ]);
    await barrier.reached();
    const clone = join(product.home, "..", "kinds-clone");
    await git(product.home, "clone", "-q", "--branch", attempt.branch, product.origin, clone);
    await git(clone, "mv", "named.txt", "by-them.txt");
    await git(clone, "rm", "-q", "theirs-deletes.txt");
    await writeFile(join(clone, "ours-deletes.txt"), "theirs\n");
    await writeFile(join(clone, "logo.png"), "a\0theirs");
    await git(clone, "add", "-A");
    await git(clone, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "Theirs");
    await git(clone, "push", "-q", "origin", "HEAD");
    await barrier.open();
    const failed = await ask(product, ["wait", racing.run.id]);
    expect(ending(failed.run)).toEqual({ status: "FAILED", outcome: null, failure: "conflict" });

    const end = await ask(product, [
      "continue",
      attempt.id,
      "rm theirs-deletes.txt; rm -f by-them.txt; printf 'a\\0both' > logo.png",
    ]);
    const text = await told(end);
    expect(text).toContain("- logo.png: both sides changed it, which git cannot merge line by line;");
    expect(text).toContain(
      "- ours-deletes.txt: this branch deleted it and they changed it; keep it or delete it.",
    );
    expect(text).toContain(
      "- theirs-deletes.txt: they deleted it and this branch changed it; keep it or delete it.",
    );
    expect(text).toContain("- by-them.txt: only their side has something under this name");
    expect(text).toContain("- by-us.txt: only this branch has something under this name");
    expect<unknown>({ ending: ending(end.run), notes: noteCodes(end.run) }).toEqual({
      ending: PUSHED,
      notes: ["merge_begun", "merge_decided", "binary_file"],
    });
    expect(end.run.notes.find(({ code }) => code === "merge_decided")?.message).toBe(
      "The merge was concluded with by-them.txt, named.txt, theirs-deletes.txt deleted; by-us.txt as this branch has it; logo.png as it was edited; ours-deletes.txt as they have it.",
    );
  },
);

test("--resolve without a conflict begins no agent, and what others pushed is merged and published", async () => {
  const first = await ask(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  const end = await ask(product, ["continue", first.attempt.id, "--resolve"]);
  expect({ isolation: end.run.isolation, ending: ending(end.run) }).toEqual({
    isolation: null,
    ending: { status: "SUCCEEDED", outcome: "no_changes" },
  });
});

test(
  deep(
    "--merge-base --resolve starts the merge of the base, and a base that conflicts without it names the command",
  ),
  async () => {
    const first = await ask(product, ["run", "echo ours > base-same.txt", "--agent", "doer"]);
    const theirs = await product.sandbox.commitTo(product.origin, "main", { "base-same.txt": "theirs\n" });
    const { id } = first.attempt;
    const noted = await ask(product, ["continue", id, "echo x > x.txt", "--merge-base"]);
    const command = `tazuna continue ${id.slice(0, 8)} --merge-base --resolve`;
    expect(noted.run.notes.map(({ message }) => message).join("\n")).toContain(`\`${command}\``);
    const end = await ask(product, [...command.split(" ").slice(1), "echo both > base-same.txt"]);
    expect<unknown>({
      ending: ending(end.run),
      notes: noteCodes(end.run).slice(0, 1),
      parents: await parents(first.attempt.branch),
      same: await fileAt(product, product.origin, first.attempt.branch, "base-same.txt"),
    }).toEqual({
      ending: PUSHED,
      notes: ["merge_begun"],
      parents: `${noted.run.commit} ${theirs}`,
      same: "both",
    });
  },
);

function findingsOf({ run }: TaskEnd): readonly { rule: string; path: string }[] {
  return (run.failure?.details.findings ?? []) as { rule: string; path: string }[];
}

/** An attempt whose push met a commit of someone else that changes the same line. */
async function conflict(name: string) {
  await using barrier = gate(product, name);
  const first = await ask(product, ["run", "echo base > same.txt", "--agent", "doer"]);
  const script = `${barrier.wait}; echo ours > same.txt`;
  const racing = await ask(product, ["continue", first.attempt.id, script, "--detach"]);
  await barrier.reached();
  const theirs = await product.sandbox.commitTo(product.origin, first.attempt.branch, {
    "same.txt": "theirs\n",
  });
  await barrier.open();
  const { code, attempt, run } = await ask(product, ["wait", racing.run.id]);
  return { code, attempt, run, theirs };
}
