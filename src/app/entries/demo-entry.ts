/** Runs the demo agent: `tazuna __demo`. */
import { runDemoAgent } from "../../executors/demo/agent.ts";

export function runDemoEntry(argv: readonly string[]): Promise<number> {
  return runDemoAgent({
    argv,
    env: process.env,
    worktree: process.cwd(),
    write: (line) => {
      process.stdout.write(`${line}\n`);
    },
  });
}
