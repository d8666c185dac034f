/** Tells what is asked of the engine while one of its gits is killed: the scene before, and the command. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import { ask, PAST_THE_GUARD } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { readDataFolder } from "../crash/data-folder.ts";
import { DISK_STORIES, type DiskStory, writer } from "../crash/disk-stories.ts";
import { ownHooks } from "../crash/own-hooks.ts";
import { countedAgent } from "../crash/scenarios.ts";

export interface GitStory {
  /** Does what came before, and answers the words of the command. */
  readonly prepare: (product: Product) => Promise<readonly string[]>;
  /** About how many calls of git it makes when nothing is killed. */
  readonly calls: number;
  /** Error codes of the same command when it is asked again, which say that it was carried out already. */
  readonly done?: readonly string[] | undefined;
  /** Whether the worktree holds in the end what it has to, by the names of its files. */
  readonly holds?: ((names: readonly string[]) => boolean) | undefined;
}

const ofDisk = ({ before, args, done }: DiskStory, { calls, holds }: Known): GitStory => ({
  calls,
  holds,
  prepare: async (product) => args(before === undefined ? null : await before(product)),
  done,
});

type Known = Pick<GitStory, "calls" | "holds">;

const has = (name: string) => (names: readonly string[]) => names.includes(name);
const hasNot = (name: string) => (names: readonly string[]) => !names.includes(name);

const RUN = ["run", "Change it", "--agent"];

/** Two runs, the files put back to what the first one left, and that undone. */
const undone: GitStory = {
  calls: 24,
  holds: (names) => names.filter((name) => /^[0-9a-f-]{36}\.txt$/.test(name)).length === 2,
  prepare: async (product) => {
    const { run, attempt } = await ask(product, [...RUN, "writer"]);
    await ask(product, ["continue", attempt.id, "Once more"]);
    const end = await product.tazuna(["restore", run.id, "--json"]);
    return ["undo", end.json<{ readonly operation: OperationDocument }>().operation.id];
  },
};

/** What the agent of one story makes, and a person takes back. */
export const PLANTED = "refs/tags/planted";

/** A reference that the agent moved, put back by a person. */
const movedBack: GitStory = {
  calls: 15,
  prepare: async (product) => {
    await countedAgent(
      product,
      "mover",
      `${writer(product)}\n${PAST_THE_GUARD} git update-ref ${PLANTED} HEAD`,
    );
    await ask(product, [...RUN, "mover"]);
    const { operations } = readDataFolder(product.home);
    return ["undo", operations.find(({ kind }) => kind === "foreign_ref_moved")?.id ?? "none"];
  },
};

const pushedLater: GitStory = {
  calls: 12,
  prepare: async (product) => {
    const hook = join(product.origin, "hooks", "pre-receive");
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, "#!/bin/sh\necho not today\nexit 1\n");
    await chmod(hook, 0o755);
    const { run } = await ask(product, [...RUN, "writer"]);
    await writeFile(hook, "#!/bin/sh\nexit 0\n");
    return ["retry", run.id, "--from", "push"];
  },
};

const triedAgain: GitStory = {
  calls: 45,
  prepare: async (product) => {
    const once = join(dirname(product.home), "failed");
    await countedAgent(
      product,
      "once",
      `${writer(product)}\n[ -e '${once}' ] || { touch '${once}'; exit 3; }`,
    );
    const { run } = await ask(product, [...RUN, "once"]);
    return ["retry", run.id];
  },
};

/** A colleague pushes to the branch while the agent works: our push is refused, merged and tried again. */
const pushMerges: GitStory = {
  calls: 53,
  holds: has("theirs.txt"),
  prepare: async (product) => {
    const clone = join(dirname(product.home), "clone");
    const begun = join(dirname(product.home), "begun");
    // A retry works on the branch that is named after the first run.
    const branch = "$(git symbolic-ref --short HEAD)";
    const push = `branch="${branch}" && git clone -q '${product.origin}' '${clone}' && cd '${clone}' && git checkout -q "$branch" && echo theirs > theirs.txt && git add -A && git -c user.name=T -c user.email=t@example.com commit -q -m Theirs && git push -q origin HEAD`;
    await countedAgent(
      product,
      "overtaken",
      `${writer(product)}\n${PAST_THE_GUARD} [ ! -e '${begun}' ] || [ -e '${clone}' ] || (${push}) || exit 6`,
    );
    const { attempt } = await ask(product, [...RUN, "overtaken"]);
    await writeFile(begun, "");
    return ["continue", attempt.id, "Once more"];
  },
};

/** The repository's own hooks run on the staged tree; what they change is staged again. */
const hooked: GitStory = {
  calls: 55,
  holds: has("hooked.txt"),
  prepare: async (product) => {
    await ownHooks(product);
    return [...RUN, "writer"];
  },
};

/** What a check left is in the way of what others pushed: it is cleared, and the merge tried again. */
const leftFilesCleared: GitStory = {
  calls: 61,
  holds: has("report.txt"),
  prepare: async (product) => {
    await product.configure({ checks: [{ name: "report", run: "echo '90 %' > report.txt" }] });
    const { attempt } = await ask(product, [...RUN, "writer"]);
    await product.sandbox.commitTo(product.origin, attempt.branch, { "report.txt": "theirs\n" });
    await product.configure({ checks: [] });
    return ["continue", attempt.id, "Once more"];
  },
};

/** The stories of a full disk. */
const OF_DISK: Readonly<Record<string, Known>> = {
  "a run": { calls: 48 },
  "a run whose agent commits by itself": { calls: 67 },
  "a run whose agent fails": { calls: 40 },
  "a follow-up that merges what others pushed": { calls: 66, holds: has("theirs.txt") },
  "an attempt that is cancelled": { calls: 23 },
  "an attempt that is restored": { calls: 13, holds: has("mine.txt") },
  "files that are put back to what a run left": { calls: 25, holds: hasNot("mine.txt") },
  "findings that a person allows": { calls: 47, holds: has("marked.txt") },
};

export const GIT_STORIES: Readonly<Record<string, GitStory>> = {
  ...Object.fromEntries(
    Object.entries(DISK_STORIES).map(([name, story]) => [name, ofDisk(story, OF_DISK[name] ?? { calls: 0 })]),
  ),
  "files that are put back, which is undone": undone,
  "a reference that an agent moved, put back": movedBack,
  "a push that is tried again": pushedLater,
  "a failed run that is tried again": triedAgain,
  "a push that merges what others pushed": pushMerges,
  "a run whose hooks run": hooked,
  "a merge past what a check left": leftFilesCleared,
};
