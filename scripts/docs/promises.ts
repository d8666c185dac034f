/** Holds the promises of Tazuna, sentence by sentence, and what holds each: what no title of a test says. */

export interface Promised {
  readonly title: string;
  /** Markdown, as it stands in `docs/`: what in the product holds the promise. */
  readonly heldBy: readonly string[];
  /** In order: titles of tests call the third sentence of the first promise `1.3`. */
  readonly sentences: readonly Sentence[];
}

export interface Sentence {
  readonly text: string;
  /** Why no test tries it. */
  readonly untried?: string;
}

export const PROMISES: readonly Promised[] = [
  {
    title: "Only Tazuna writes git",
    heldBy: [
      "The [sandbox](configuration.md#the-sandbox) on Linux, the [guard](configuration.md#the-guard) elsewhere ([`src/sandbox`](../src/sandbox/sandbox.ts), [`src/guard`](../src/guard/guard-git.ts)).",
      "The proof after each run ([`prove-run.ts`](../src/services/runs/prove/prove-run.ts)).",
      "Every git call names its git directory and its work tree. It runs no hooks, asks no person, and has a time limit ([`run-git.ts`](../src/git/runner/run-git.ts)).",
    ],
    sentences: [
      { text: "An agent cannot commit, push, move a branch, edit config or hooks" },
      { text: "or touch another attempt's worktree or the user's checkout" },
      { text: "Where the operating system allows, this is enforced" },
      { text: "elsewhere checked" },
      { text: "and the difference is shown" },
      {
        text: "After a run, what the agent did to its own branch and HEAD is undone (snapshot, then `reset --soft`: the files stay)",
      },
      {
        text: "Any other unexplained move in the shared repository is reported with its reflog line and an Undo, never undone by itself",
      },
      { text: "It has other rightful writers: the user works there all day" },
    ],
  },
  {
    title: "No work is ever lost",
    heldBy: [
      "Before anything that could lose work, a snapshot of the whole working tree is kept under `refs/tazuna/` ([`snapshot.ts`](../src/git/snapshot/snapshot.ts)).",
      "A worktree goes into the trash, and is deleted only after proof ([ADR 0051](adr/0051-what-the-trash-lets-go.md), [ADR 0024](adr/0024-ledgers-and-clean.md)).",
    ],
    sentences: [
      {
        text: "Before anything that could destroy content (cleanup, cancel, reset, sync, delete) a snapshot is taken",
      },
      { text: "and read back" },
      { text: "Deleting a worktree moves it to the trash first" },
      { text: "Deletion needs proof that the thing is ours and dead" },
      { text: "any doubt keeps it" },
    ],
  },
  {
    title: "The user's own checkout is never touched",
    heldBy: [
      "Tazuna works in worktrees of its own, and names them in every call of git ([ADR 0012](adr/0012-options-beside-the-fixed-git-texts.md)).",
    ],
    sentences: [
      { text: "No checkout, stash, reset or config write in it" },
      {
        text: "All that Tazuna adds to the repository: its branches, its worktree registrations, refs under `refs/tazuna/`, the upstream entries of its branches, and what `git fetch origin --prune` does",
      },
      { text: "(The two exceptions are asked for by name.)" },
    ],
  },
  {
    title: "A crash loses nothing",
    heldBy: [
      "Every agent runs under a small *keeper* process of its own, which holds its pipes and outlives the server ([`keep.ts`](../src/keeper/keep.ts)).",
      "Every state of a run is saved before an act and after it. A step may always be repeated ([ADR 0001](adr/0001-steps-that-may-be-repeated.md)).",
    ],
    sentences: [
      {
        text: "`kill -9` of the server at any instant, then start again: every run ends in a true state",
      },
      { text: "agents that were still working are picked up again (they outlive the server)" },
      { text: "no step is done twice" },
      { text: "no process is orphaned" },
      { text: "and no worktree" },
    ],
  },
  {
    title: "Status is true",
    heldBy: [
      "States move by one table only ([`state.ts`](../src/domain/run/state.ts)).",
      "The state of an attempt is derived from its runs and its branch ([ADR 0037](adr/0037-the-state-of-an-attempt.md)).",
    ],
    sentences: [
      {
        text: "What is shown is derived from stored facts (process alive, last event, exit code, refs)",
      },
      { text: "Unknown is a visible state with its reason" },
      { text: 'A failed push is a failed run, never "succeeded"' },
    ],
  },
  {
    title: "Secrets stay home",
    heldBy: [
      "The [publish gate](configuration.md#the-publish-gate) reads what is staged, and nothing else is committed ([ADR 0021](adr/0021-the-gate-reads-content.md), [ADR 0034](adr/0034-one-list-of-secrets.md)).",
      "Tokens reach git by environment, for one call and one host ([ADR 0025](adr/0025-who-gets-credentials.md)).",
      "The keeper takes secrets out of a line before it reaches the disk ([what it cannot see](configuration.md#what-is-taken-out-of-logs)).",
    ],
    sentences: [
      { text: "Denied paths never enter a commit that can be published" },
      { text: "nor anything that looks like a credential" },
      { text: "tokens never appear in argv, in `.git/config`, in logs or in the database" },
    ],
  },
  {
    title: "Loopback by default, and guarded there",
    heldBy: [
      "The server listens on loopback only, checks Host and Origin, and wants a token ([`guards.ts`](../src/api/http/guards.ts)).",
    ],
    sentences: [
      { text: "Loopback by default" },
      { text: "Host and Origin are checked" },
      { text: "a token is needed" },
      { text: "bodies are JSON only" },
    ],
  },
];
