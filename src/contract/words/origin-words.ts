/** Says in words what an attempt began with: the attempts and runs it came from, and what was taken of each. */
import type { Origin } from "../../domain/attempt/origin.ts";
import { takenWords } from "../../domain/attempt/taken-words.ts";
import { listed, someOf } from "../../domain/text/listed.ts";
import type { AttemptDocument } from "../task-document.ts";

type Source = NonNullable<AttemptDocument["origin"]>["sources"][number];
type Taken = Pick<Source, "attempt" | "run" | "paths" | "files">;

/** Such as `is composed of 1a2b3c4d (codex): src/a.ts and 5e6f7a8b (fast): src/b.ts`. */
export function originWords({ act, sources }: NonNullable<AttemptDocument["origin"]>): string {
  const all = sources.map((source) => sourceWords(source, MAX_PATHS));
  return `${STARTS[act]} ${listed(all)}`;
}

/** The same, each attempt under a name that the reader knows it by. */
export function madeOfWords(
  { act, sources }: { readonly act: Origin["act"]; readonly sources: readonly Taken[] },
  nameOf: (attempt: string) => string,
): string {
  const all = sources.map((source) => `${nameOf(source.attempt)}${whatWords(source, MAX_PATHS)}`);
  return `${STARTS[act]} ${listed(all)}`;
}

/** Such as `1a2b3c4d (codex): src/a.ts`, or `1a2b3c4d (codex), run 9c8d7e6f: 3 files`. */
export function sourceWords(source: Source, max = Number.POSITIVE_INFINITY): string {
  const { attempt, agent } = source;
  const by = agent === null ? "" : ` (${agent})`;
  return `${attempt.slice(0, 8)}${by}${whatWords(source, max)}`;
}

const STARTS: Readonly<Record<Origin["act"], string>> = { fork: "is forked from", compose: "is composed of" };
const MAX_PATHS = 5;

function whatWords({ run, paths, files }: Taken, max: number): string {
  const count = `${files} ${files === 1 ? "file" : "files"}`;
  const which = run === null ? "" : `, run ${run.slice(0, 8)}`;
  return `${which}: ${paths === null ? count : someOf(paths.map(takenWords), max)}`;
}
