/** Starts whichever door the first word asks for; each is loaded only when it is the one. */
export {};

const [verb = "", ...rest] = process.argv.slice(2);

switch (verb) {
  case "__keep": {
    const { runKeeperEntry } = await import("./app/keeper-entry.ts");
    process.exit(await runKeeperEntry(rest));
    break;
  }
  case "__git": {
    const { runGitEntry } = await import("./app/git-entry.ts");
    process.exit(await runGitEntry(rest));
    break;
  }
  case "__credential": {
    const { runCredentialEntry } = await import("./app/credential-entry.ts");
    process.exit(await runCredentialEntry(rest));
    break;
  }
  case "__hook": {
    const { runHookEntry } = await import("./app/hook-entry.ts");
    process.exit(await runHookEntry(rest));
    break;
  }
  case "__network": {
    const { runNetworkEntry } = await import("./app/network-entry.ts");
    process.exit(await runNetworkEntry(rest));
    break;
  }
  case "__bridge": {
    const { runBridgeEntry } = await import("./app/bridge-entry.ts");
    process.exit(await runBridgeEntry(rest));
    break;
  }
  case "__demo": {
    const { runDemoEntry } = await import("./app/demo-entry.ts");
    process.exit(await runDemoEntry(rest));
    break;
  }
  default: {
    const { runCliEntry } = await import("./app/cli-entry.ts");
    const code = await runCliEntry(process.argv.slice(2));
    // A pipe takes a long document in pieces; who leaves before the last one cuts it off.
    await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
    process.exit(code);
  }
}
