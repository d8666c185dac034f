/** Lets hostile agents work on one repository, and proves after each that only its own worktree is different. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findMarked } from "../../../src/utils/programs/process-identity.ts";
import { findWorkingIn } from "../../../src/utils/programs/working-in.ts";
import { ask, branchesOf, fileAt, type TaskEnd, type UsersSide, usersSide } from "../../helpers/journey.ts";
import { type Product, type ProductOptions, startProduct } from "../../helpers/product.ts";
import { sandboxHere, skippedWithout, underEach } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { everySecond } from "../../helpers/tier.ts";

export type Held = "sandbox" | "guard";

/** `pushed`, `no_changes`, or the code of the failure; a list if a race decides. */
type Ends = string | readonly string[];

export interface Attack {
  /** What is tried, in words. */
  readonly name: string;
  /**
   * The agent's program. `honest.txt` was written before it. `$outside` is a folder of the user's, `$neighbour` the
   * worktree of another attempt. `$repository` is the user's checkout, `$data` Tazuna's folder, `$mark` a unique time
   * to sleep.
   */
  readonly script: string | ((ground: Pick<Ground, "product">) => Promise<string>);
  /** `pushed` unless told. */
  readonly ends?: Ends | Readonly<Record<Held, Ends>>;
  /** Why it is not tried here. */
  readonly skip?: string | false;
  /** Whether the attempt lives on afterwards: continued, restored, published, cancelled, taken out of the trash. */
  readonly livesOn?: boolean;
  /** What else has to be true. */
  readonly after?: (end: TaskEnd, ground: Ground, held: Held) => Promise<void> | void;
}

export interface Ground {
  readonly held: Held;
  readonly product: Product;
  readonly outside: string;
  readonly neighbour: string;
  /** Runs an agent to its end, and proves that everybody else has what they had. */
  attack(attack: Attack): Promise<TaskEnd>;
  /** Everything of the user's and of the other attempt, to be compared. */
  others(): Promise<EverybodyElses>;
  /** Says that a branch is Tazuna's. */
  ours(end: TaskEnd): void;
  dispose(): Promise<void>;
}

/** A command that waits for nothing has to be answered by then, on a machine that does other things too. */
const ANSWERED_MS = 10_000;

/** Declares one test for each attack and each way to hold an agent. */
export function hostileAgents(title: string, attacks: readonly Attack[], options: ProductOptions = {}): void {
  for (const held of ["sandbox", "guard"] as const) {
    const skipped = held === "sandbox" ? skippedWithout : "";
    describe.skipIf(held === "sandbox" && !sandboxHere.available)(
      underEach(held, `${title}, under the ${held}${skipped}`),
      () => {
        let ground: Ground;
        beforeAll(async () => {
          ground = await openGround(held, options);
        });
        afterAll(() => ground?.dispose());
        for (const [index, attack] of attacks.entries()) {
          const why = attack.skip ? ` (skipped: ${attack.skip})` : "";
          const title = `${attack.name}${why}`;
          const isPromise = title.includes("(promise ");
          test.skipIf(why !== "")(
            isPromise || held === "guard" ? title : everySecond(title, index),
            async () => {
              const end = await ground.attack(attack);
              await attack.after?.(end, ground, held);
              tally("attack", attack.name, { under: held });
            },
          );
        }
        test("and the next agent on the same repository works", async () => {
          await ground.attack({ name: "none", script: "echo more > more.txt" });
        });
      },
    );
  }
}

/** A repository with another attempt beside, whose worktree holds work that is not committed. */
export async function openGround(held: Held, options: ProductOptions = {}): Promise<Ground> {
  const product = await startProduct({ ...options, isolation: held });
  const outside = join(dirname(product.home), "outside");
  await mkdir(outside);
  await writeFile(join(outside, "theirs.txt"), "theirs\n");
  await writeFile(join(product.repository, "draft.txt"), "not committed yet\n");
  await product.agent("neighbour", "mkdir -p src; echo neighbour > src/neighbour.txt");
  const beside = await ask(product, ["run", "Be a neighbour", "--agent", "neighbour"]);
  const neighbour = beside.attempt.worktree;
  await writeFile(join(neighbour, "later.txt"), "not committed yet\n");
  const branches = new Set(branchesOf(beside));
  let count = 0;
  const others = () => everybodyElses(product, { outside, neighbour, branches });
  const ours = (end: TaskEnd) => {
    for (const branch of branchesOf(end)) branches.add(branch);
  };

  const attack = async ({ script, ends = "pushed", livesOn = false }: Attack): Promise<TaskEnd> => {
    const name = `hostile-${count++}`;
    const mark = uniqueTime();
    const places = { outside, neighbour, repository: product.repository, data: product.home, mark };
    const set = Object.entries(places).map(([key, value]) => `${key}='${value}'`);
    const text = typeof script === "string" ? script : await script({ product });
    await product.agent(name, [...set, `echo ${name} > honest.txt`, text].join("\n"));
    const before = await others();
    const end = await ask(product, ["run", "Be hostile", "--agent", name]);
    ours(end);
    const { run, attempt } = end;
    expect(run.isolation).toBe(held);
    const expected: Ends = typeof ends === "object" && "guard" in ends ? ends[held] : ends;
    expect([expected].flat(), `${run.failure?.message}`).toContain(
      run.failure?.code ?? run.outcome ?? run.status,
    );
    expect(await honestWork(product, end)).toBe(name);
    if (livesOn) await liveOn(product, end);
    expect(await others()).toEqual(before);
    expect(await findMarked({ name: "TAZUNA_RUN", value: run.id })).toEqual([]);
    expect(await findWorkingIn(attempt.worktree)).toEqual([]);
    expect(await sleeping(mark)).toEqual([]);
    const asked = performance.now();
    expect((await product.tazuna(["list", "--json"])).code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(ANSWERED_MS);
    return end;
  };
  return {
    held,
    product,
    outside,
    neighbour,
    attack,
    others,
    ours,
    dispose: async () => product[Symbol.asyncDispose](),
  };
}

/** Everything that a person may still ask for; what it answers is the truth, and never that Tazuna itself broke. */
export async function liveOn(
  product: Product,
  { attempt, run }: TaskEnd,
  { raced = false } = {},
): Promise<void> {
  const asked = [
    ["diff", attempt.id],
    ["continue", attempt.id, "Go on"],
    ["restore", run.id],
    ["publish", attempt.id],
  ];
  // What is no folder stays until a person has looked at it. A command waits a minute for that.
  const there = await lstat(attempt.worktree).catch(() => null);
  if (there?.isDirectory() !== false) asked.push(["cancel", attempt.id], ["trash", "restore", attempt.id]);
  for (const args of asked) {
    const { stdout, stderr } = await product.tazuna([...args, "--json"]);
    // If a program swaps files in the middle of a move, that is reported as a surprise. Asking again is safe.
    if (!raced) expect(`${args[0]} ${stdout}${stderr}`).not.toContain('"internal"');
  }
}

interface EverybodyElses {
  readonly user: UsersSide;
  readonly neighbour: string;
  readonly outside: string;
  readonly home: string;
}

async function everybodyElses(
  product: Product,
  of: { readonly outside: string; readonly neighbour: string; readonly branches: ReadonlySet<string> },
): Promise<EverybodyElses> {
  return {
    user: await usersSide(product, { ours: [...of.branches] }),
    neighbour: listing(of.neighbour),
    outside: listing(of.outside),
    home: listing(product.env.HOME ?? ""),
  };
}

/** Kind, mode, size, time and target of everything below a folder, without our own runtime's files in a home. */
function listing(folder: string): string {
  const what = ["-name", ".bun", "-prune", "-o", "-printf"];
  const found = Bun.spawnSync(["find", folder, ...what, "%P %y %m %s %T@ %l\\n"]);
  return found.stdout.toString().split("\n").sort().join("\n");
}

/** What the agent wrote before it turned: published, or where it left it, or in a snapshot. */
async function honestWork(product: Product, { run, attempt }: TaskEnd): Promise<string | null> {
  if (run.outcome === "pushed") return fileAt(product, product.origin, attempt.branch, "honest.txt");
  const lying = await readFile(join(attempt.worktree, "honest.txt"), "utf8").catch(() => null);
  if (lying !== null) return lying.trim();
  // An agent that no sandbox holds can move its worktree elsewhere: what it moved is there.
  const moved = await readFile(join(`${attempt.worktree}.moved`, "honest.txt"), "utf8").catch(() => null);
  if (moved !== null) return moved.trim();
  const { git } = product.sandbox;
  const refs = await git(product.repository, [
    "for-each-ref",
    "--format=%(refname)",
    `refs/tazuna/snapshots/${attempt.id}`,
  ]);
  for (const ref of refs.split("\n").reverse()) {
    const kept = await fileAt(product, product.repository, ref, "honest.txt").then(
      (text) => text,
      () => null,
    );
    if (kept !== null) return kept;
  }
  return null;
}

/** A time to sleep that no other process uses. */
function uniqueTime(): string {
  return `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}

/** Command lines of processes that hold such a time. */
async function sleeping(mark: string): Promise<readonly string[]> {
  const { stdout } = Bun.spawnSync(["ps", "-eo", "stat=,args="]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line.includes(mark) && !line.startsWith("Z"));
}
