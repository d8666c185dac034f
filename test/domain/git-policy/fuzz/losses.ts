/** Finds what a call of git has lost: commits, contents of files, objects, or anything outside the workspace. */
import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { CANARY_LOG, textOf, type World, worldEnvironment } from "./worlds.ts";

export interface Snapshot {
  /** Every file of the world by its path below the root, with a hash of the content git would store. */
  readonly files: ReadonlyMap<string, string>;
  /** Everything that refs, reflogs and worktrees of the workspace reach. */
  readonly reachable: ReadonlySet<string>;
  /** The same without the stash. */
  readonly withoutStash: ReadonlySet<string>;
  /** Everything that the refs of the remote reach. */
  readonly remote: ReadonlySet<string>;
}

/** Where git keeps what `--autostash` put away, until the merge or rebase comes to its end. */
const AUTOSTASHES = ["MERGE_AUTOSTASH", "rebase-merge/autostash", "rebase-apply/autostash"];

export async function snapshot({ root, workspace }: World): Promise<Snapshot> {
  const kept = await Promise.all(AUTOSTASHES.map((name) => textOf(join(workspace, ".git", name))));
  const autostashes = kept.map((text) => text.trim()).filter((id) => id !== "");
  const [files, reachable, withoutStash, remote] = await Promise.all([
    filesOf(root),
    objects(root, workspace, ["--all", "--reflog", ...autostashes]),
    objects(root, workspace, ["--exclude=refs/stash", "--all", ...autostashes]),
    objects(root, join(root, "origin.git"), ["--all"]),
  ]);
  return { files, reachable, withoutStash, remote };
}

export interface CallFacts {
  readonly tier: "read" | "write" | null;
  readonly pushes: boolean;
  /** `stash pop` and `stash branch` put changes back and then drop the entry. */
  readonly takesFromStash: boolean;
  /** ADR 0018 names the calls in which nothing keeps git from writing over ignored files. */
  readonly writesOverIgnored: boolean;
}

const IGNORED: ReadonlySet<string> = new Set(["ws/.env", "ws/build/out.bin", "ws/kept.o", "ws/lib/x.o"]);

/** One sentence for each loss; none if all is well. */
export async function lossesOf(world: World, before: Snapshot, call: CallFacts): Promise<readonly string[]> {
  const canary = await textOf(join(world.root, CANARY_LOG));
  const after = await snapshot(world);
  const kept = call.takesFromStash ? before.withoutStash : before.reachable;
  const contents = new Set([...after.files.values(), ...after.reachable]);
  const lost: string[] = canary === "" ? [] : [`a planted program ran: ${canary.trim()}`];
  for (const id of kept) if (!after.reachable.has(id)) lost.push(`${id} is reachable no more`);
  for (const id of before.remote) if (!after.remote.has(id)) lost.push(`the remote lost ${id}`);
  for (const [path, hash] of before.files) {
    const now = after.files.get(path);
    if (now === hash) continue;
    const place = placeOfFile(path);
    if (place === "around" || (place === "remote" && !call.pushes)) lost.push(`${path} outside changed`);
    else if (place === "objects" && now === undefined) lost.push(`the object file ${path} is gone`);
    else if (place === "hooks") lost.push(`the hook ${path} changed`);
    else if (call.writesOverIgnored && IGNORED.has(path)) continue;
    else if (place === "files" && !contents.has(hash)) lost.push(`what ${path} held is nowhere`);
    // `git diff` writes down again when files were last seen to be the same.
    else if (call.tier === "read" && !path.endsWith("/index"))
      lost.push(`${path} changed through a reading call`);
  }
  for (const path of after.files.keys()) {
    if (before.files.has(path)) continue;
    const place = placeOfFile(path);
    if (place === "around" || (place === "remote" && !call.pushes)) lost.push(`${path} appeared outside`);
    else if (place === "hooks") lost.push(`the hook ${path} appeared`);
    else if (call.tier === "read") lost.push(`${path} appeared through a reading call`);
  }
  return lost;
}

type Kind = "around" | "remote" | "objects" | "hooks" | "git" | "files";

function placeOfFile(path: string): Kind {
  if (path.startsWith("origin.git/")) return "remote";
  if (!path.startsWith("ws/")) return "around";
  const inGit = /(?:^|\/)\.git\/(.*)$/.exec(path)?.[1];
  if (inGit === undefined) return path === "ws/wt/.git" || path === "ws/lib/.git" ? "git" : "files";
  if (/(?:^|\/)objects\//.test(inGit)) return "objects";
  // A new repository gets samples, which git never runs.
  return /(?:^|\/)hooks\/(?!.*\.sample$)/.test(inGit) ? "hooks" : "git";
}

async function filesOf(root: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isSymbolicLink()) found.set(path, blobOf(Buffer.from(await readlink(join(root, path)))));
      else found.set(path, blobOf(await readFile(join(root, path))));
    }
  };
  await walk("");
  return found;
}

function blobOf(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

async function objects(root: string, cwd: string, args: readonly string[]): Promise<ReadonlySet<string>> {
  const child = Bun.spawn(["git", "-C", cwd, "rev-list", "--objects", ...args], {
    env: { ...worldEnvironment(root), GIT_OPTIONAL_LOCKS: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  await child.exited;
  return new Set(text.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(0, 40)])));
}
