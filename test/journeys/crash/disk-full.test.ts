/** Fills a disk in the middle of every journey, by all but so many bytes, and gives the room back: nothing is lost, nothing done twice. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isEnded, type RunStatus } from "../../../src/domain/run/state.ts";
import { type TaskEnd, usersSide } from "../../helpers/journey.ts";
import { type CommandEnd, type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { readDataFolder, type StoredRun } from "./data-folder.ts";
import { DISK_STORIES, type DiskStory, furnishDisk, runsThatWrote } from "./disk-stories.ts";
import { holdAt } from "./held.ts";
import { createRandom } from "./random.ts";
import { startsFile } from "./scenarios.ts";
import { createSlots } from "./slots.ts";
import { type SmallDisk, smallDisk, whyNoSmallDisk } from "./small-disk.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

const PLACES = ["data folder", "repository", "both", "temporary folder"] as const;
/** Nobody may write there any more, however much room there is. */
const READ_ONLY = "repository, read-only";
type Place = (typeof PLACES)[number] | typeof READ_ONLY;

interface Case {
  readonly name: string;
  readonly story: DiskStory;
  readonly failpoint: string;
  readonly place: Place;
  /** How many of them are left. */
  readonly left: number;
  readonly what: "pages" | "inodes";
  /** Whether the engine is killed before there is room again. */
  readonly killed: boolean;
}

/** One case of so many is played; 1 plays them all. */
const ONE_OF = Number(process.env.TAZUNA_DISK_ONE_OF || 200);
const SEED = Number(process.env.TAZUNA_CRASH_SEED || Math.floor(Math.random() * 2 ** 31));
const PAGE = 4096;
const PAGES_LEFT = [0, 1, 2, 3, 5, 8, 12, 17, 24, 32];
const INODES_LEFT = [0, 3];

const slots = createSlots(3);
const PATIENCE_MS = 600_000;

function allCases(): Case[] {
  const pressures = [
    ...PLACES.flatMap((place) => PAGES_LEFT.map((left) => ({ place, left, what: "pages" }) as const)),
    ...PLACES.slice(0, 2).flatMap((place) =>
      INODES_LEFT.map((left) => ({ place, left, what: "inodes" }) as const),
    ),
    { place: READ_ONLY, left: 0, what: "pages" } as const,
  ];
  return Object.entries(DISK_STORIES).flatMap(([name, story]) =>
    story.failpoints.flatMap((failpoint) =>
      pressures.flatMap((pressure) =>
        [false, true].map((killed) => ({ name, story, failpoint, killed, ...pressure })),
      ),
    ),
  );
}

/** Found something once. */
const ALWAYS = [
  "a run, held at before:worktree_add: 32 pages left on the disk of the data folder",
  "an attempt that is restored, held at after:worktree_add: 0 pages left on the disk of the data folder",
  "a run, held at created:task: 0 pages left on the disk of the repository, killed there",
  "a run, held at before:launch: 3 pages left on the disk of the both",
  "files that are put back to what a run left, held at before:snapshot: 3 pages left on the disk of the repository, killed there",
  "an attempt that is cancelled, held at before:snapshot: 0 pages left on the disk of the repository, read-only",
  "a run, held at before:fetch: 0 pages left on the disk of the data folder, killed there",
  "a run, held at after:fetch: 24 pages left on the disk of the data folder, killed there",
  "a run, held at move:proved: 3 pages left on the disk of the repository",
  "a run, held at move:prepare: 0 pages left on the disk of the repository, read-only, killed there",
  "an attempt that is cancelled, held at wish:cancel: 1 pages left on the disk of the repository, killed there",
  "a run, held at before:worktree_add: 0 inodes left on the disk of the repository",
  "files that are put back to what a run left, held at before:snapshot: 0 inodes left on the disk of the data folder",
];

/** Those, and some more by the seed (of inodes only where all are played); or the one that `TAZUNA_DISK_ONLY` names. */
function chosen(): Case[] {
  const random = createRandom(SEED);
  const only = process.env.TAZUNA_DISK_ONLY;
  const isDrawn = ({ what }: Case) => (what === "pages" || ONE_OF === 1) && random.below(ONE_OF) === 0;
  const isChosen = (one: Case) => ALWAYS.includes(titleOf(one)) || isDrawn(one);
  return allCases().filter((one) => (only ? titleOf(one) === only : isChosen(one)));
}

const titleOf = ({ name, failpoint, place, left, what, killed }: Case) =>
  `${name}, held at ${failpoint}: ${left} ${what} left on the disk of the ${place}${killed ? ", killed there" : ""}`;

const noDisk = await whyNoSmallDisk();

test("the cases that found something are among those that there are", () => {
  const titles = allCases().map(titleOf);
  expect(ALWAYS.filter((title) => !titles.includes(title))).toEqual([]);
});

describe.skipIf(noDisk !== null)(
  `a disk that is full (TAZUNA_CRASH_SEED=${SEED})${noDisk === null ? "" : ` (skipped: ${noDisk})`}`,
  () => {
    for (const one of chosen())
      test.concurrent(titleOf(one), () => slots.run(() => fillAndFree(one)), PATIENCE_MS);
  },
);

async function fillAndFree(one: Case): Promise<void> {
  const { story } = one;
  await using product = await startProduct();
  await furnishDisk(product);
  const temporary = beside(product, "tmp");
  await mkdir(temporary);
  await using disks = await disksAt(product, one.place, temporary);
  const env = { TMPDIR: temporary };
  const before = story.before ? await story.before(product) : null;
  await product.killEngine();
  const users = await usersSide(product, { ours: before === null ? [] : [before.attempt.branch] });

  const held = holdAt(product, one.failpoint);
  const args = [...story.args(before), "--json"];
  const running = product.start(args, { env: { ...env, ...held.env } });
  const engine = await held.stands();
  for (const disk of disks.all) {
    if (one.place === READ_ONLY) disk.remount("ro");
    else if (one.what === "inodes") await disk.fillInodes(one.left);
    else await disk.fill(one.left * PAGE);
  }
  process.kill(engine, "SIGCONT");
  // It ends by itself where the end can be stored; else it goes on once there is room.
  await waitFor("the end", () => settled(running.end), { withinMs: 2_500 }).catch(() => null);
  if (one.killed) await product.killEngine();
  if (one.killed) await product.tazuna(["list", "--json"], { env });
  for (const disk of disks.all) {
    if (one.place === READ_ONLY) disk.remount("rw");
    else await disk.free();
  }
  const end = await running.end;

  const wrong = [
    ...(await goOn(product, { one, before, end, env })),
    ...(await whatIsWrong(product, { starts: startsFile(product), expectedStarts })),
    ...(await lostWork(product)),
    ...damaged(product),
  ];
  expect(wrong).toEqual([]);
  const { attempts } = readDataFolder(product.home);
  expect(await usersSide(product, { ours: attempts.map(({ branch }) => branch) })).toEqual(users);
  tally("fault", `no room: ${titleOf(one)}`, { under: "guard" });
}

const beside = (product: Product, name: string) => join(dirname(product.home), name);

interface Disks extends AsyncDisposable {
  readonly all: readonly SmallDisk[];
}

async function disksAt(product: Product, place: Place, temporary: string): Promise<Disks> {
  const paths = {
    "data folder": [product.home],
    repository: [product.repository],
    [READ_ONLY]: [product.repository],
    both: [product.home, product.repository],
    "temporary folder": [temporary],
  }[place];
  const all = await Promise.all(paths.map((path) => smallDisk(path, "24m")));
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      await product.killEngine();
      for (const disk of all) await disk[Symbol.asyncDispose]();
    },
  };
}

async function settled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

/** Asks for the same again, and for a retry of what failed: with room for it everything goes through. */
async function goOn(
  product: Product,
  of: {
    readonly one: Case;
    readonly before: TaskEnd | null;
    readonly end: CommandEnd;
    readonly env: Record<string, string>;
  },
): Promise<string[]> {
  const { one, before, end, env } = of;
  const wrong = wrongAnswer(end);
  const known = readDataFolder(product.home).runs.length - (before === null ? 0 : 1);
  const isRun = one.story.done === undefined && !one.story.args(before).includes("restore");
  // A run that was made is waited for; what was never begun, or was not carried out, is asked for again.
  if (!isRun || known === 0) {
    const again = await product.tazuna([...one.story.args(before), "--json"], { env });
    const code = again.json<{ readonly error?: { readonly code: string } }>().error?.code;
    if (code !== undefined && !(one.story.done ?? []).includes(code))
      wrong.push(`asked again: ${again.stdout}`);
  }
  await product.tazuna(["list"], { env });
  const last = await waitFor(
    "the last run to have ended",
    () => {
      const run = readDataFolder(product.home).runs.at(-1);
      return run !== undefined && (run.held || isEnded(run.status as RunStatus)) ? run : null;
    },
    { withinMs: 90_000 },
  );
  const again = one.story.args(before).includes("failing") ? "agent_failed" : null;
  return [...wrong, ...(await retried(product, last, { env, again }))];
}

/** What a run may say that had no room: that there was none, or what its agent said who had none. */
const NO_ROOM = ["disk_full", "agent_failed"];
/**
 * What git says of a place that it may not write to, and of one whose room was given back before anybody could ask why; the
 * code names what was being done.
 */
const MAY_NOT_WRITE = /Read-only file system|couldn't write/;

async function retried(
  product: Product,
  last: StoredRun,
  of: {
    readonly env: Record<string, string> /** How it ends where it cannot succeed. */;
    readonly again: string | null;
  },
): Promise<string[]> {
  if (last.failure === null) return [];
  const isKnown = NO_ROOM.includes(last.failure) || MAY_NOT_WRITE.test(last.failureMessage ?? "");
  if (!isKnown) return [`run ${last.id} failed: ${last.failure}: ${last.failureMessage}`];
  const answer = await product.tazuna(["retry", last.id, "--json"], { env: of.env });
  const run = readDataFolder(product.home).runs.at(-1);
  if (run?.failure === of.again) return [];
  return [`the retry ended ${run?.status} ${run?.failure}: ${answer.stdout}`];
}

/** An error names the disk, or the engine that was killed. */
const MAY_ANSWER = ["disk_full", "engine_lost", "engine_not_started", "server_unreachable"];

/** Why a clean-up is tried again later, or files could not be put back, as git or the system says it. */
const NAMES_THE_DISK = /no space left on device|The disk is full/i;

function wrongAnswer(end: CommandEnd): string[] {
  type Answer = { readonly error?: { readonly code: string; readonly details: { readonly kind?: string } } };
  const { error } = end.json<Answer>();
  const known =
    error === undefined ||
    MAY_ANSWER.includes(error.code) ||
    error.details.kind === "disk_full" ||
    (["not_cleaned_up", "restore_failed"].includes(error.code) && NAMES_THE_DISK.test(end.stdout)) ||
    MAY_NOT_WRITE.test(end.stdout);
  return known ? [] : [`answered ${end.stdout}`];
}

function expectedStarts({ kind, status, failure, held }: StoredRun, began: number): number {
  if (kind !== "agent" || (held && status === "PENDING")) return 0;
  return failure === null ? 1 : Math.min(1, began);
}

/** What agents wrote is in the worktree, on the branch, in a snapshot or in the trash. */
async function lostWork(product: Product): Promise<string[]> {
  const { runs, attempts, snapshots } = readDataFolder(product.home);
  const lost: string[] = [];
  for (const run of await runsThatWrote(product)) {
    const attempt = attempts.find(({ id }) => runs.some((one) => one.id === run && one.attempt === id));
    const name = `${run}.txt`;
    const places = [
      join(attempt?.worktree ?? "", name),
      join(product.home, "trash", attempt?.id ?? "", name),
    ];
    const revisions = [
      `refs/heads/${attempt?.branch}`,
      ...snapshots.filter((one) => one.attempt === attempt?.id).map(({ ref }) => ref),
    ];
    const inGit = await Promise.all(
      revisions.map((revision) =>
        product.sandbox.git(product.repository, ["cat-file", "-e", `${revision}:${name}`]).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!places.some((path) => existsSync(path)) && !inGit.includes(true)) lost.push(`${name} is lost`);
  }
  return lost;
}

/** The database and the repository are whole. */
function damaged(product: Product): string[] {
  const db = new Database(join(product.home, "tazuna.db"), { readonly: true });
  try {
    const said = JSON.stringify(db.query("pragma integrity_check").all());
    return said.includes('"ok"') ? [] : [said];
  } finally {
    db.close();
  }
}
