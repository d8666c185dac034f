/** Swaps a folder for a link that leads elsewhere, and back, as fast as possible, in its own process. */

const SWAP = `
const { renameSync, rmSync, symlinkSync } = require("node:fs");
const [folder, target] = process.argv.slice(-2);
const [aside, link] = [folder + ".aside", folder + ".link"];
symlinkSync(target, link);
process.stdout.write("racing");
for (;;) {
  for (const [from, to] of [[folder, aside], [link, folder], [folder, link], [aside, folder]]) {
    for (;;) {
      try {
        renameSync(from, to);
        break;
      } catch {
        // Somebody made a folder in the gap.
        rmSync(to, { recursive: true, force: true });
      }
    }
  }
}
`;

/** Runs until it is disposed of; at that moment the folder may be in either state. */
export async function swapForLink(folder: string, target: string): Promise<AsyncDisposable> {
  const racer = Bun.spawn([process.execPath, "-e", SWAP, "--", folder, target], {
    stdout: "pipe",
    stderr: "inherit",
  });
  await racer.stdout.getReader().read();
  return {
    [Symbol.asyncDispose]: async () => {
      racer.kill("SIGKILL");
      await racer.exited;
    },
  };
}
