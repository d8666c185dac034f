/** Gathers what a team left behind once its runs have ended: rows, both sides of git, and processes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import type { DepotWorld } from "../../helpers/depot-world.ts";
import type { Product } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { processesOfRun } from "../crash/processes.ts";
import type { CopiedFile, EndedRun, LeftBehind } from "./judge.ts";
import { type HeldRun, hasEdited, pushesFile } from "./states.ts";

interface Where {
  readonly product: Product;
  /** Where else the workers have clones. */
  readonly clones: readonly string[];
  /** The address of the Postgres. */
  readonly url: string;
  readonly held: readonly HeldRun[];
  readonly expected: (state: HeldRun["state"]) => readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a row.
type Row = any;

/** Over a connection of its own: the database may have been away since the last question. */
export async function rowsOf(url: string, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function gatherLeftBehind(
  where: Where,
): Promise<Omit<LeftBehind, "copied" | "readers" | "cleaned">> {
  const runs = await endedRuns(where);
  const facts = await rowsOf(where.url, "select seq, kind, run_id, data from facts order by seq");
  return {
    runs,
    facts: facts.map(({ seq, kind, run_id: run, data }) => ({
      ...{ seq: Number(seq), kind, run },
      data: JSON.parse(data),
    })),
    ...{ pushes: await pushesOf(where), trees: await treesOf(where), left: await leftOf(where) },
  };
}

const ENDED = ["SUCCEEDED", "FAILED", "CANCELED"];

/** Of those that never end it says how far they came. */
async function endedRuns({ url, held, expected }: Where): Promise<readonly EndedRun[]> {
  const ids = held.map(({ begun }) => begun.run.id);
  const rows = () => rowsOf(url, "select * from runs where id = any($1)", [ids]).catch(() => []);
  const restless = async () => {
    const all = await rows();
    return all.length === ids.length && all.every(({ status }) => ENDED.includes(status));
  };
  await waitFor("all runs to end", restless, { withinMs: 240_000 }).catch(() => undefined);
  const all = await rows();
  return held.map(({ state, begun: { run, attempt } }) => {
    const row = all.find(({ id }) => id === run.id) ?? {};
    const failure = row.failure === null ? null : JSON.parse(row.failure ?? "null");
    return {
      ...{ id: run.id, state, branch: attempt.branch },
      ...{
        ending: row.outcome ?? (failure ? `${failure.code}: ${failure.details?.cause}` : canceledOrNone(row)),
        commit: row.commit_sha,
        expected: expected(state),
      },
      status: String(row.status),
    };
  });
}

function canceledOrNone({ status }: Row): string | null {
  return status === "CANCELED" ? "canceled" : null;
}

async function pushesOf({ product }: Where): Promise<LeftBehind["pushes"]> {
  const text = await readFile(pushesFile(product), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [ref = "", commit = ""] = line.split(" ");
      return { branch: ref.replace("refs/heads/", ""), commit };
    });
}

async function treesOf({ product, held }: Where): Promise<LeftBehind["trees"]> {
  const trees: Record<string, Record<string, string>> = {};
  for (const { begun } of held) {
    const { branch } = begun.attempt;
    const listed = await product.sandbox
      .git(product.origin, ["ls-tree", "-r", `refs/heads/${branch}`])
      .catch(() => null);
    if (listed !== null) trees[branch] = filesIn(listed);
  }
  return trees;
}

/** By path, what `git ls-tree` prints. */
function filesIn(listed: string): Record<string, string> {
  const lines = listed.split("\n").filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [about = "", path = ""] = line.split("\t");
      return [path, about.split(" ")[2] ?? ""];
    }),
  );
}

async function leftOf({ product, clones, held }: Where): Promise<readonly string[]> {
  const ids = held.map(({ begun }) => begun.run.id);
  const living = () => ids.flatMap((id) => processesOfRun(id));
  await waitFor("the processes to end", () => living().length === 0, { withinMs: 60_000 }).catch(() => null);
  const left = living().map(({ pid, command }) => `process ${pid} ${command}`);
  for (const clone of [product.repository, ...clones]) {
    const locks = await Array.fromAsync(
      new Bun.Glob("**/*.lock").scan({ cwd: join(clone, ".git"), dot: true, absolute: true }),
    );
    const listed = await product.sandbox.git(clone, ["worktree", "list", "--porcelain"]);
    const lost = listed.split("\n\n").filter((block) => /^prunable/m.test(block));
    left.push(...locks.map((path) => `lock ${path}`), ...lost.map((block) => `half a worktree: ${block}`));
  }
  return left;
}

/** What the depot has of runs whose agents have edited, once it has it. */
export async function copiesOf(
  world: Pick<DepotWorld, "holds" | "git">,
  held: readonly HeldRun[],
): Promise<readonly CopiedFile[]> {
  const copied: CopiedFile[] = [];
  for (const { state, begun } of held) {
    if (!hasEdited(state)) continue;
    const { id, branch } = begun.attempt;
    const { sha } = await world.holds(id, { [`${state}.txt`]: begun.run.id });
    const tree = filesIn(await world.git(["ls-tree", "-r", sha ?? ""]));
    copied.push(...Object.entries(tree).map(([path, blob]) => ({ branch, path, blob })));
  }
  return copied;
}
