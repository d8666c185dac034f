/** Makes a pull request as it is stored; every field can be given. */
import type { Tracked } from "../../../src/domain/pull-request/tracked.ts";

const AT = "2026-01-02T12:00:00.000Z";
export const HEAD = "a".repeat(40);

export function aTracked(more: Partial<Tracked> = {}): Tracked {
  return {
    id: "pr-1",
    attemptId: "attempt-1",
    apiUrl: "https://api.github.com",
    repository: "ann/garden",
    number: 7,
    url: "https://github.com/ann/garden/pull/7",
    state: "open",
    draft: false,
    title: "Water the plants",
    head: { branch: "tazuna/12345678", sha: HEAD },
    baseBranch: "main",
    mergeable: null,
    mergeBlock: null,
    mergeCommit: null,
    author: "ann",
    checks: [],
    threads: [],
    wanted: null,
    wrote: { made: true, title: null, body: null },
    handed: [],
    trouble: null,
    quiet: 0,
    lookedAt: AT,
    lookAt: AT,
    createdAt: AT,
    ...more,
  };
}

export function aCheck(name: string, state: Tracked["checks"][number]["state"] = "failed") {
  return { id: `id of ${name}`, name, state, url: null, summary: null, at: null };
}

type Thread = Tracked["threads"][number];

/** A thread with one comment after the other: `ours`, or words of a person. */
export function aThread(id: string, comments: readonly string[], more: Partial<Thread> = {}): Thread {
  return {
    id,
    path: "src/a.ts",
    line: 3,
    side: "new",
    resolved: false,
    outdated: false,
    url: `https://github.com/ann/garden/pull/7#${id}`,
    comments: comments.map((body, at) => ({
      id: `${id}-${at + 1}`,
      author: "bob",
      body,
      at: AT,
      ours: body === "ours",
    })),
    ...more,
  };
}

export function aHanded(more: Partial<Tracked["handed"][number]> = {}): Tracked["handed"][number] {
  return { run: "run-2", at: AT, by: "loop", head: HEAD, checks: [], comments: [], ...more };
}
