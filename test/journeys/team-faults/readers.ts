/** Follows the facts of one engine over all that happens to it, as a page that is left open does. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface FactReader extends AsyncDisposable {
  readonly name: string;
  /** The numbers of the facts, as they came. */
  readonly seen: readonly number[];
}

const AGAIN_MS = 200;

/** Reads on the machine of the engine, which is only reached from there. If it dies with that machine, it begins again. */
export function readFacts(name: string, home: string, behind: readonly string[] = []): FactReader {
  const program = join(import.meta.dir, "read-facts.ts");
  const seen: number[] = [];
  const begin = () => {
    const words = [program, home, String(seen.at(-1) ?? 0)];
    return Bun.spawn([...behind, process.execPath, ...words], { stdout: "pipe" });
  };
  let child = begin();
  let isOver = false;
  const readAll = async () => {
    let rest = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      seen.push(...lines.map(Number));
    }
  };
  const reading = (async () => {
    for (;;) {
      await readAll();
      await delay(AGAIN_MS);
      if (isOver) return;
      child = begin();
    }
  })();
  return {
    ...{ name, seen },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      child.kill("SIGKILL");
      await reading;
    },
  };
}
