/** Finds what a story broke: a reference or a pull request of other people that moved, or work that is nowhere. */
import type { AttemptAlone } from "../../../src/contract/task-document.ts";
import type { ForgeWorld } from "../../helpers/forge-world.ts";
import { holds } from "./acts.ts";

const NONE = "0".repeat(40);

/** Tazuna moves its own branches, and forwards only. */
export async function wrongPushes(
  world: ForgeWorld,
  branches: readonly string[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const line of await world.pushes()) {
    const [who, old = "", now = "", ref = ""] = line.split(" ");
    if (who !== "ann") continue;
    const isOwn = branches.some((branch) => ref === `refs/heads/${branch}`);
    if (!isOwn || now === NONE || (old !== NONE && !(await holds(world, now, old)))) wrong.push(line);
  }
  return wrong;
}

/** It changes only pull requests of its own branches, and never words after a colleague wrote others. */
export function wrongChanges({ github }: ForgeWorld, branches: readonly string[]): readonly string[] {
  return github.changes.filter((line) => {
    if (!line.startsWith("ann ")) return false;
    const [, number] = /\/pulls\/(\d+)/.exec(line) ?? [];
    const head = github.pulls.find((pull) => pull.number === Number(number))?.head ?? "";
    return (number !== undefined && !branches.includes(head)) || / PATCH .*"(?:title|state|base)"/.test(line);
  });
}

/** Every commit of a run is reachable by a name, here or there. */
export async function lostCommits(
  { product, bare }: ForgeWorld,
  attempt: AttemptAlone,
): Promise<readonly string[]> {
  const named = (folder: string, sha: string) =>
    product.sandbox.git(folder, ["for-each-ref", "--contains", sha]).catch(() => "");
  const lost: string[] = [];
  for (const { commit } of attempt.runs) {
    if (commit === null) continue;
    const names = (await named(product.repository, commit)) + (await named(bare, commit));
    if (names === "") lost.push(commit);
  }
  return lost;
}
