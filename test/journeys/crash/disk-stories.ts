/** Tells the stories of a disk that fills up: what was there, the command, and its end with room again. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, PAST_THE_GUARD, type TaskEnd } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { countedAgent } from "./scenarios.ts";

export interface DiskStory {
  /** The places at which the engine is held while the disk fills. */
  readonly failpoints: readonly string[];
  /** What was done while there was room. */
  readonly before?: (product: Product) => Promise<TaskEnd>;
  /** The command that meets the full disk, of what `before` answered. */
  readonly args: (before: TaskEnd | null) => readonly string[];
  /** Error codes of the same command when it is asked again, which say that it was carried out already. */
  readonly done?: readonly string[];
}

const beside = (product: Product, name: string) => join(dirname(product.home), name);

/** Where agents note what they have written, one `RUN FILE` a line: it must not be lost. */
export function writtenFile(product: Product): string {
  return beside(product, "written");
}

/** An agent that ends badly if it cannot write, and notes what it wrote. */
export function writer(product: Product, then = "echo Done."): string {
  const [file, note] = ['"$TAZUNA_RUN.txt"', `echo "$TAZUNA_RUN" >> '${writtenFile(product)}'`];
  return `echo "$TAZUNA_RUN" > ${file} && test -s ${file} && ${note} || exit 4\n${then}`;
}

export async function furnishDisk(product: Product): Promise<void> {
  await product.configure({
    setup: ["echo ready > ready.local"],
    checks: [{ name: "look", run: "test -e README.md" }],
    copy: ["copied.local"],
  });
  await writeFile(join(product.repository, "copied.local"), "copied\n");
  await countedAgent(product, "writer", writer(product));
  const committed = "git add -A; git -c user.name=A -c user.email=a@example.com commit -q -m Mine || exit 5";
  await countedAgent(product, "committer", `${PAST_THE_GUARD} ${writer(product, committed)}`);
  await countedAgent(product, "failing", writer(product, "exit 3"));
  const marks = "printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' > marked.txt || exit 4";
  await countedAgent(product, "refused", writer(product, marks));
}

const first = (agent: string) => (product: Product) => ask(product, ["run", "Change it", "--agent", agent]);

/** An attempt with an edit of a person, and ignored files. */
async function edited(product: Product): Promise<TaskEnd> {
  const end = await first("writer")(product);
  await writeFile(join(end.attempt.worktree, "mine.txt"), "not committed\n");
  return end;
}

async function canceled(product: Product): Promise<TaskEnd> {
  const end = await edited(product);
  await ask(product, ["cancel", end.attempt.id]);
  return end;
}

async function pushedBySomeone(product: Product): Promise<TaskEnd> {
  const end = await first("writer")(product);
  await writeFile(join(end.attempt.worktree, "mine.txt"), "not committed\n");
  await product.sandbox.commitTo(product.origin, end.attempt.branch, { "theirs.txt": "theirs\n" });
  return end;
}

const around = (...acts: readonly string[]) => acts.flatMap((act) => [`before:${act}`, `after:${act}`]);
const attemptOf = (end: TaskEnd | null) => end?.attempt.id ?? "none";

export const DISK_STORIES: Readonly<Record<string, DiskStory>> = {
  "a run": {
    failpoints: [
      "create:task",
      "created:task",
      ...around("fetch", "worktree_add", "launch", "commit", "push"),
      ...["prepare", "start_agent", "agent_ended", "proved", "staged", "commit", "committed", "finish"].map(
        (event) => `move:${event}`,
      ),
    ],
    args: () => ["run", "Change it", "--agent", "writer"],
  },
  "a run whose agent commits by itself": {
    failpoints: [...around("snapshot", "ref_restored"), "move:agent_ended"],
    args: () => ["run", "Change it", "--agent", "committer"],
  },
  "a run whose agent fails": {
    failpoints: [...around("snapshot"), "move:fail"],
    args: () => ["run", "Change it", "--agent", "failing"],
  },
  "a follow-up that merges what others pushed": {
    failpoints: ["create:run", ...around("snapshot", "merge"), "before:launch"],
    before: pushedBySomeone,
    args: (end) => ["continue", attemptOf(end), "Once more"],
  },
  "an attempt that is cancelled": {
    failpoints: ["request:cancel", ...around("snapshot", "trash", "worktree_prune", "branch_delete")],
    before: edited,
    args: (end) => ["cancel", attemptOf(end)],
    done: ["attempt_canceled"],
  },
  "an attempt that is restored": {
    failpoints: [
      ...around("trash_restore", "branch_restored", "worktree_add"),
      "restore:files",
      "restore:index",
    ],
    before: canceled,
    args: (end) => ["trash", "restore", attemptOf(end)],
    done: ["not_found"],
  },
  "files that are put back to what a run left": {
    failpoints: around("snapshot", "run_restore"),
    before: edited,
    args: (end) => ["restore", end?.run.id ?? "none"],
  },
  "findings that a person allows": {
    failpoints: [...around("commit"), "create:run", "move:stage_edits"],
    before: first("refused"),
    args: (end) => ["publish", attemptOf(end), "--allow", "conflict_marker", "--reason", "Meant"],
    done: ["nothing_to_allow", "run_not_ended"],
  },
};

/** Runs that said that they had written their file. */
export async function runsThatWrote(product: Product): Promise<readonly string[]> {
  const text = await readFile(writtenFile(product), "utf8").catch(() => "");
  return [...new Set(text.split("\n").filter((line) => line !== ""))];
}
