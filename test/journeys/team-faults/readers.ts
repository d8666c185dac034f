/** Follows the facts of one engine over all that happens to it, as a page that is left open does. */
import { join } from "node:path";

export interface FactReader extends AsyncDisposable {
  readonly name: string;
  /** The numbers of the facts, as they came. */
  readonly seen: readonly number[];
}

/** Reads on the machine of the engine, which is only reached from there. */
export function readFacts(name: string, home: string, behind: readonly string[] = []): FactReader {
  const program = join(import.meta.dir, "read-facts.ts");
  const child = Bun.spawn([...behind, process.execPath, program, home], { stdout: "pipe" });
  const seen: number[] = [];
  const reading = (async () => {
    let rest = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      seen.push(...lines.map(Number));
    }
  })();
  return {
    ...{ name, seen },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await reading;
    },
  };
}
