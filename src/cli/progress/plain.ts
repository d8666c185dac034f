/** Writes one line whenever a run comes to another state; for logs and pipes. */
import { presentRun } from "../../contract/present-run.ts";
import { cleanLine } from "../../contract/text.ts";
import type { Terminal } from "../terminal.ts";
import type { Progress } from "./progress.ts";

export function createPlainProgress({ stderr }: Terminal): Progress {
  const said = new Map<string, string>();
  return {
    show(rows) {
      for (const { label, run } of rows) {
        const words = presentRun(run).words;
        if (said.get(run.id) === words) continue;
        said.set(run.id, words);
        stderr.write(`${cleanLine(label)} ${run.id.slice(0, 8)}: ${words}\n`);
      }
    },
    say: (line) => stderr.write(`${cleanLine(line)}\n`),
    end: () => {},
  };
}
