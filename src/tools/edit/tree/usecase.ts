/** Walks a folder level by level within its limits, and counts what it leaves out. */
import { join } from "node:path";
import { isGitName } from "../../files/git-directory.ts";
import { createIgnoreRules, type IgnoreRules } from "../../files/ignore-rules.ts";
import { type FolderEntry, listFolder } from "../../files/list-folder.ts";
import { relativePath } from "../../files/relative-path.ts";
import type { TreeOutput } from "./contract.ts";

interface TreeWanted {
  readonly root: string;
  /** Real absolute folder in it. */
  readonly path: string;
  readonly depth: number;
  readonly max: number;
  readonly kind: "all" | "directory";
  readonly hidden: boolean;
  readonly ignored: boolean;
}

type Entry = TreeOutput["entries"][number];

/** Level by level, so that a limit cuts the deep entries and not the late ones. */
export function listTree(wanted: TreeWanted): TreeOutput {
  const left = { over_limit: 0, too_deep: 0, hidden: 0, ignored: 0, git: 0, unreadable: 0 };
  const rules = wanted.ignored ? null : createIgnoreRules(wanted.root);
  const top = relativePath(wanted.root, wanted.path);
  const children = new Map<string, Entry[]>();
  const queue = [{ path: top, depth: 0 }];
  let count = 0;
  for (const folder of queue) {
    const found = listFolder(wanted.root, join(wanted.root, folder.path), (entries) => {
      const kept = entries.flatMap((entry) => {
        const path = folder.path === "." ? entry.name : `${folder.path}/${entry.name}`;
        const why = reasonToLeaveOut(entry, path, { wanted, rules });
        if (why !== null && why !== "kind") left[why] += 1;
        return why === null ? [{ entry, path }] : [];
      });
      const listed = kept.slice(0, wanted.max - count);
      left.over_limit += kept.length - listed.length;
      return listed.map(({ entry, path }) => describe(entry, path, folder.depth + 1));
    });
    if (found === null) left.unreadable += 1;
    count += found?.length ?? 0;
    children.set(folder.path, found ?? []);
    const folders = (found ?? []).filter(({ kind }) => kind === "directory");
    if (folder.depth + 1 < wanted.depth) queue.push(...folders.map(({ path, depth }) => ({ path, depth })));
    else left.too_deep += folders.length;
  }
  return { path: top, entries: inOrder(children, top), truncated: left.over_limit > 0, left_out: left };
}

function reasonToLeaveOut(
  { name, kind }: FolderEntry,
  path: string,
  { wanted, rules }: { readonly wanted: TreeWanted; readonly rules: IgnoreRules | null },
): "git" | "hidden" | "ignored" | "kind" | null {
  if (isGitName(name)) return "git";
  if (!wanted.hidden && name.startsWith(".")) return "hidden";
  if (wanted.kind === "directory" && kind !== "directory") return "kind";
  const ignored = rules?.isIgnored(path, kind === "directory" ? "directory" : "file") ?? false;
  return ignored ? "ignored" : null;
}

function describe(entry: FolderEntry, path: string, depth: number): Entry {
  const details = entry.kind === "directory" || entry.kind === "other" ? null : entry.details();
  const size = entry.kind === "file" ? (details?.size ?? null) : null;
  return { path, kind: entry.kind, depth, size, target: details?.target ?? null };
}

function inOrder(children: ReadonlyMap<string, readonly Entry[]>, folder: string): Entry[] {
  return (children.get(folder) ?? []).flatMap((entry) =>
    entry.kind === "directory" ? [entry, ...inOrder(children, entry.path)] : [entry],
  );
}
