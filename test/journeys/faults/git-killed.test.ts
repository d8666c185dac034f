/** Kills one git of the engine in every journey, before or after its work: answers are true, a retry succeeds. */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { usersSide } from "../../helpers/journey.ts";
import { type CommandEnd, type Product, startProduct } from "../../helpers/product.ts";
import { hasDatabase } from "../../helpers/stored-rows.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, SEED } from "../../helpers/tier.ts";
import { readDataFolder, type StoredRun } from "../crash/data-folder.ts";
import { furnishDisk } from "../crash/disk-stories.ts";
import { goOn, lostWork, startsOnceAtMost } from "../crash/go-on.ts";
import { createRandom } from "../crash/random.ts";
import { startsFile } from "../crash/scenarios.ts";
import { createSlots } from "../crash/slots.ts";
import { whatIsWrong } from "../crash/what-is-wrong.ts";
import { GIT_STORIES, type GitStory, PLANTED } from "./git-stories.ts";
import { type KillAt, killableGit } from "./killable-git.ts";

interface Case extends KillAt {
  readonly name: string;
}

/** So many of all cases are played. */
const PLAYED = Number(process.env.TAZUNA_GITS_KILLED || 4);

const slots = createSlots(3);
const PATIENCE_MS = 600_000;

const titleOf = ({ name, call, when }: Case) => `${name}: git call ${call} is killed ${when} its work`;

/** Found something once. */
const ALWAYS: readonly Case[] = [
  { name: "a run", call: "* commit *", when: "after" },
  { name: "a run", call: "* rev-parse refs/heads/*", when: "before" },
  // The first is for the repository that is looked up.
  { name: "a run", call: "* config --list *", when: "before" },
  { name: "an attempt that is cancelled", call: "* update-ref *refs/tazuna/snapshots/*", when: "after" },
  { name: "an attempt that is cancelled", call: "* rev-parse *refs/tazuna/snapshots/*", when: "before" },
  { name: "files that are put back to what a run left", call: "* rev-parse *--git-path*", when: "before" },
  {
    name: "files that are put back to what a run left",
    call: "* for-each-ref *refs/tazuna/runs/*",
    when: "before",
  },
];

/** Those that `npm test` plays: one of each story. The deep tests play all. */
const EVERYDAY = ALWAYS.filter(({ name }, at) => ALWAYS.findIndex((other) => other.name === name) === at);

function allCases(): Case[] {
  return Object.entries(GIT_STORIES).flatMap(([name, { calls }]) =>
    Array.from({ length: calls }, (_, index) => String(index + 1)).flatMap((call) =>
      (["before", "after"] as const).map((when) => ({ name, call, when })),
    ),
  );
}

/** Those, and some more by the seed, each at most once; or the one that `TAZUNA_GIT_ONLY` names. */
function chosen(): readonly Case[] {
  const left = allCases();
  const only = process.env.TAZUNA_GIT_ONLY;
  if (only) return [...ALWAYS, ...left].filter((one) => titleOf(one) === only);
  const random = createRandom(SEED);
  const length = Math.min(PLAYED, left.length);
  return [...ALWAYS, ...Array.from({ length }, () => left.splice(random.below(left.length), 1)).flat()];
}

describe(`one git that is killed (TAZUNA_CRASH_SEED=${SEED})`, () => {
  for (const one of chosen())
    test.concurrent(
      EVERYDAY.includes(one) ? titleOf(one) : deep(titleOf(one)),
      () => slots.run(() => killOnce(one)),
      PATIENCE_MS,
    );
});

async function killOnce(one: Case): Promise<void> {
  const story = GIT_STORIES[one.name] as GitStory;
  await using product = await startProduct();
  await furnishDisk(product);
  const args = await story.prepare(product);
  await product.killEngine();
  const before = known(product);
  const users = await sideOf(product, before);
  const git = await killableGit(product, one);

  const end = await product.tazuna([...args, "--json"], { env: git.env });
  const { env } = git;
  const runsBefore = before.runs.length;
  const wrong = [
    ...wrongAnswer(end),
    ...(await goOn(product, { args, done: story.done, runsBefore, env, saysWhy })),
    ...(await whatIsWrong(product, {
      starts: startsFile(product),
      expectedStarts: startsOnceAtMost,
      halfMade: true,
    })),
    ...(await lostWork(product)),
    ...(await notOnTheRemote(product)),
    ...(await notInTheWorktree(product, story)),
  ];
  const killed = await git.killed();
  expect({ killed, wrong }).toEqual({ killed, wrong: [] });
  expect(await sideOf(product, known(product))).toEqual(users);
  // Calls go on beside each other: how many there are differs a little, and the last ones may not come.
  if (ALWAYS.includes(one)) expect(killed).not.toBeNull();
  if (killed !== null) tally("fault", titleOf(one), { under: "guard" });
}

/** What is stored; nothing if no engine was there yet. */
function known({ home }: Product): Pick<ReturnType<typeof readDataFolder>, "runs" | "attempts"> {
  return hasDatabase(home) ? readDataFolder(home) : { runs: [], attempts: [] };
}

async function sideOf(product: Product, { attempts }: ReturnType<typeof known>) {
  const ours = attempts.map(({ branch }) => branch);
  const { files, refs } = await usersSide(product, { ours, byAgents: [PLANTED] });
  return { files, refs: refs.filter((ref) => !ref.startsWith(`${PLANTED} `)) };
}

const NAMES_THE_KILL = /\bgit\b.* was ended by SIGKILL/s;

const saysWhy = ({ failure, failureMessage }: StoredRun) =>
  failure !== "worktree_lost" && NAMES_THE_KILL.test(failureMessage ?? "");

function wrongAnswer(end: CommandEnd): string[] {
  const { error } = end.json<{ readonly error?: object }>();
  return error === undefined || NAMES_THE_KILL.test(end.stdout) ? [] : [`answered ${end.stdout}`];
}

async function notInTheWorktree({ home }: Product, { holds }: GitStory): Promise<string[]> {
  if (holds === undefined) return [];
  const names = await readdir(readDataFolder(home).attempts[0]?.worktree ?? "");
  return holds(names) ? [] : [`the worktree holds ${names}`];
}

/** What the agents of runs that were pushed wrote. */
async function notOnTheRemote({ home, sandbox, origin }: Product): Promise<string[]> {
  const { runs, attempts } = readDataFolder(home);
  const pushed = runs.filter(({ kind, outcome }) => kind === "agent" && outcome === "pushed");
  const missing: string[] = [];
  for (const { id, attempt } of pushed) {
    const branch = attempts.find((each) => each.id === attempt)?.branch;
    const files = await sandbox.git(origin, ["ls-tree", "--name-only", `refs/heads/${branch}`]);
    if (!files.split("\n").includes(`${id}.txt`)) missing.push(`${id}.txt is not on the remote`);
  }
  return missing;
}
