/** Starts the entry point that the first argument names, and loads no other. */
export {};

type Entry = (words: readonly string[]) => Promise<number>;

/** Processes that Tazuna starts for itself. Every other word is for the command line. */
const OWN_ENTRIES: ReadonlyMap<string, () => Promise<Entry>> = new Map([
  ["__keep", async () => (await import("./app/entries/keeper-entry.ts")).runKeeperEntry],
  ["__git", async () => (await import("./app/entries/git-entry.ts")).runGitEntry],
  ["__credential", async () => (await import("./app/engine/credential-entry.ts")).runCredentialEntry],
  ["__hook", async () => (await import("./app/entries/hook-entry.ts")).runHookEntry],
  ["__network", async () => (await import("./app/entries/network-entry.ts")).runNetworkEntry],
  ["__terminal", async () => (await import("./app/entries/terminal-entry.ts")).runTerminalEntry],
  ["__bridge", async () => (await import("./app/entries/bridge-entry.ts")).runBridgeEntry],
  ["__demo", async () => (await import("./app/entries/demo-entry.ts")).runDemoEntry],
  ["__complete", async () => (await import("./app/entries/complete-entry.ts")).runCompleteEntry],
]);

void runEntry(process.argv.slice(2));

async function runEntry(words: readonly string[]): Promise<never> {
  const load = OWN_ENTRIES.get(words[0] ?? "");
  if (load !== undefined) process.exit(await (await load())(words.slice(1)));
  const { runCliEntry } = await import("./app/entries/cli-entry.ts");
  const code = await runCliEntry(words);
  // A pipe takes a long document in pieces. If the process leaves before the last one, the document is cut off.
  await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
  process.exit(code);
}
