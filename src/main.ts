/** Starts the entry point that the first argument names, and loads no other. */
export {};

void openDoor(process.argv.slice(2));

async function openDoor(words: readonly string[]): Promise<void> {
  const [verb = "", ...rest] = words;
  switch (verb) {
    case "__keep": {
      const { runKeeperEntry } = await import("./app/entries/keeper-entry.ts");
      process.exit(await runKeeperEntry(rest));
      break;
    }
    case "__git": {
      const { runGitEntry } = await import("./app/entries/git-entry.ts");
      process.exit(await runGitEntry(rest));
      break;
    }
    case "__credential": {
      const { runCredentialEntry } = await import("./app/engine/credential-entry.ts");
      process.exit(await runCredentialEntry(rest));
      break;
    }
    case "__hook": {
      const { runHookEntry } = await import("./app/entries/hook-entry.ts");
      process.exit(await runHookEntry(rest));
      break;
    }
    case "__network": {
      const { runNetworkEntry } = await import("./app/entries/network-entry.ts");
      process.exit(await runNetworkEntry(rest));
      break;
    }
    case "__bridge": {
      const { runBridgeEntry } = await import("./app/entries/bridge-entry.ts");
      process.exit(await runBridgeEntry(rest));
      break;
    }
    case "__demo": {
      const { runDemoEntry } = await import("./app/entries/demo-entry.ts");
      process.exit(await runDemoEntry(rest));
      break;
    }
    case "__complete": {
      const { runCompleteEntry } = await import("./app/entries/complete-entry.ts");
      process.exit(await runCompleteEntry(rest));
      break;
    }
    default: {
      const { runCliEntry } = await import("./app/entries/cli-entry.ts");
      const code = await runCliEntry(words);
      // A pipe takes a long document in pieces. If the process leaves before the last one, the document is cut off.
      await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
      process.exit(code);
    }
  }
}
