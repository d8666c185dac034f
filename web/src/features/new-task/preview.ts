/** Sorts what the server says about a task that is not made yet. */
import type { PreviewAnswer } from "@contract/endpoints/drafts.ts";

export type Preview = PreviewAnswer;
type Attempt = Preview["attempts"][number];

/** Those that begin at once, by agent. Not so where a clone is made first. */
export function startingNow({ worker, attempts }: Preview): readonly string[] {
  return worker?.clones ? [] : begunBy(attempts);
}

function begunBy(attempts: Preview["attempts"]): readonly string[] {
  return attempts.filter(({ starts, ready }) => starts === "now" && ready).map(({ agent }) => agent);
}

interface Going {
  readonly agents: readonly string[];
  readonly worker: string;
  /** It has no clone, and makes one first. */
  readonly clones: boolean;
}

/** Those that begin at once on another worker, or wait here until one takes them: together if it is the same worker. */
export function goingTo({ worker: there, attempts }: Preview): readonly Going[] {
  const going = [
    ...(there?.clones ? begunBy(attempts) : []).map((agent) => ({ agent, to: there })),
    ...attempts.map(({ agent, goes_to: to }) => ({ agent, to })),
  ].flatMap(({ agent, to }) => (to == null ? [] : [{ agent, to }]));
  return [...Map.groupBy(going, ({ to }) => to.id).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { name: worker, clones = false } = first.to;
    return [{ agents: group.map(({ agent }) => agent), worker, clones }];
  });
}

interface Waiting {
  readonly agents: readonly string[];
  readonly reason: NonNullable<Attempt["waits_for"]>;
}

/** Those that wait and stay, together if they wait for the same. */
export function waitingFor({ attempts }: Preview): readonly Waiting[] {
  const waiting = attempts.flatMap(({ agent, waits_for: reason, goes_to: to }) =>
    reason === null || to != null ? [] : [{ agent, reason }],
  );
  return [...Map.groupBy(waiting, ({ reason }) => JSON.stringify(reason)).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ agents: group.map(({ agent }) => agent), reason: first.reason }];
  });
}

/** The range of all attempts together; null if one of them is not known. */
export function costOf({ attempts }: Preview): { readonly low: number; readonly high: number } | null {
  const known = attempts.flatMap(({ estimate }) => estimate ?? []);
  if (attempts.length === 0 || known.length < attempts.length) return null;
  return {
    low: known.reduce((sum, { low_usd: low }) => sum + low, 0),
    high: known.reduce((sum, { high_usd: high }) => sum + high, 0),
  };
}

/** `codex ×2, gemini`. */
export function counted(agents: readonly string[]): string {
  return [...Map.groupBy(agents, (agent) => agent)]
    .map(([agent, { length }]) => (length === 1 ? agent : `${agent} ×${length}`))
    .join(", ");
}

/** A base that was fetched longer ago is worth a fetch. */
const FRESH_MS = 600_000;

export function isStale(fetchedAt: string | null, now: number): boolean {
  return fetchedAt === null || now - Date.parse(fetchedAt) > FRESH_MS;
}

type Changing = Preview["changing"][number];

interface Overlap {
  readonly of: Changing;
  /** Those that the words of the task name, else the first few. */
  readonly paths: readonly string[];
  readonly isNamed: boolean;
}

const SHOWN = 3;

/** What others change at present; those first whose files the words of the task name. */
export function overlapsOf({ changing }: Preview, words: string): readonly Overlap[] {
  const named = (path: string) => isNamed(words, path);
  return changing
    .map((of): Overlap => {
      const paths = of.paths.filter(named);
      return paths.length > 0
        ? { of, paths, isNamed: true }
        : { of, paths: of.paths.slice(0, SHOWN), isNamed: false };
    })
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed));
}

/** As a whole: `row.ts` is not named by `src/row.ts`. */
function isNamed(words: string, path: string): boolean {
  for (let at = words.indexOf(path); at !== -1; at = words.indexOf(path, at + 1)) {
    const [before, after] = [words.slice(0, at), words.slice(at + path.length)];
    if (!/[\w./-]$/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after)) return true;
  }
  return false;
}
