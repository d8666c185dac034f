/** Fills a disk in the middle of every journey and gives the room back: nothing is lost or done twice. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { usersSide } from "../../helpers/journey.ts";
import { type CommandEnd, type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, SEED } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { readDataFolder, type StoredRun } from "./data-folder.ts";
import { DISK_STORIES, type DiskStory, furnishDisk } from "./disk-stories.ts";
import { goOn, lostWork, startsOnceAtMost } from "./go-on.ts";
import { holdAt } from "./held.ts";
import { createRandom } from "./random.ts";
import { startsFile } from "./scenarios.ts";
import { createSlots } from "./slots.ts";
import { type SmallDisk, smallDisk, whyNoSmallDisk } from "./small-disk.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

const PLACES = ["data folder", "repository", "both", "temporary folder"] as const;
/** No process may write there any more, however much room there is. */
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
const ONE_OF = Number(process.env.TAZUNA_DISK_ONE_OF || 2000);
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
  "an attempt that is cancelled, held at request:cancel: 1 pages left on the disk of the repository, killed there",
  "a run, held at before:worktree_add: 0 inodes left on the disk of the repository",
  "files that are put back to what a run left, held at before:snapshot: 0 inodes left on the disk of the data folder",
];

/** Those that `npm test` plays, on both disks and with a kill. The deep tests play all. */
const EVERYDAY = ALWAYS.slice(0, 2);

/** Those, and some more by the seed (of inodes only if all are played); or the one that `TAZUNA_DISK_ONLY` names. */
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
      test.concurrent(
        EVERYDAY.includes(titleOf(one)) ? titleOf(one) : deep(titleOf(one)),
        () => slots.run(() => fillAndFree(one)),
        PATIENCE_MS,
      );
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
  const runsBefore = before === null ? 0 : 1;
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
  // It ends by itself if the end can be stored; else it goes on once there is room.
  await waitFor("the end", () => settled(running.end), { withinMs: 2_500 }).catch(() => null);
  if (one.killed) await product.killEngine();
  if (one.killed) await product.tazuna(["list", "--json"], { env });
  for (const disk of disks.all) {
    if (one.place === READ_ONLY) disk.remount("rw");
    else await disk.free();
  }
  const end = await running.end;

  const wrong = [
    ...wrongAnswer(end),
    ...(await goOn(product, { args: story.args(before), done: story.done, runsBefore, env, saysWhy })),
    ...(await whatIsWrong(product, { starts: startsFile(product), expectedStarts: startsOnceAtMost })),
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

/** What a run without room may say: that there was none, or what its agent without room said. */
const NO_ROOM = ["disk_full", "agent_failed"];
/**
 * What git says of a read-only place, or of one whose room was given back before the cause was asked. The code names
 * what was being done.
 */
const MAY_NOT_WRITE = /Read-only file system|couldn't write/;

const saysWhy = ({ failure, failureMessage }: StoredRun) =>
  NO_ROOM.includes(failure ?? "") || MAY_NOT_WRITE.test(failureMessage ?? "");

/** An error names the disk, or the engine that was killed. */
const MAY_ANSWER = ["disk_full", "engine_lost", "engine_not_started", "server_unreachable"];

/** Why a clean-up is tried again later, or files could not be put back, in git's or the system's words. */
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
