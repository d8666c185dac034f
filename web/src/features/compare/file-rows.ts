/** Says which attempt touched which file, and joins what neighbours left the same. */
import type { ChangedFile } from "@contract/endpoints/attempts.ts";
import type { Compared } from "./columns.ts";

/** A cell of one attempt, or of several beside each other that left the same. */
export interface FileCell {
  readonly letters: readonly string[];
  /** Null if none of them changed it. */
  readonly change: ChangedFile | null;
  /** Its files are not known. */
  readonly isUnknown: boolean;
  /** The letter of an attempt farther left that left the same. */
  readonly sameAs: string | null;
}

export interface FileRow {
  readonly path: string;
  readonly cells: readonly FileCell[];
  /** Two attempts changed it and left it different, or only some of them changed it. */
  readonly differs: boolean;
  /** Several attempts changed it, all to the same. */
  readonly isIdentical: boolean;
}

interface Of {
  readonly letter: string;
  readonly compared: Pick<Compared, "id" | "changed" | "overlap">;
}

/** What several attempts changed to different ends comes first, then what one changed, then what is the same. */
export function fileRows(columns: readonly Of[]): readonly FileRow[] {
  const paths = new Set(columns.flatMap(({ compared }) => compared.changed?.map(({ path }) => path) ?? []));
  const changes = columns.map(
    ({ compared }) => new Map(compared.changed?.map((change) => [change.path, change]) ?? []),
  );
  const isSame = sameness(columns);
  const rows = [...paths].sort().map((path) => {
    const touching = changes.filter((of) => of.has(path)).length;
    const cells = cellsOf(columns, { path, changes, isSame });
    const kinds = cells.filter(({ change, sameAs }) => change !== null && sameAs === null).length;
    const isIdentical = touching > 1 && kinds === 1;
    return { path, cells, isIdentical, differs: kinds > 1 || touching < columns.length, touching, kinds };
  });
  const rank = ({ kinds, isIdentical }: (typeof rows)[number]) => (kinds > 1 ? 0 : isIdentical ? 2 : 1);
  return rows
    .sort((one, other) => rank(one) - rank(other) || other.touching - one.touching)
    .map(({ touching: _, kinds: __, ...row }) => row);
}

type Same = (path: string, one: number, other: number) => boolean;

function cellsOf(
  columns: readonly Of[],
  of: {
    readonly path: string;
    readonly changes: readonly ReadonlyMap<string, ChangedFile>[];
    readonly isSame: Same;
  },
): readonly FileCell[] {
  const { path, changes, isSame } = of;
  const cells: {
    letters: string[];
    change: ChangedFile | null;
    isUnknown: boolean;
    sameAs: string | null;
  }[] = [];
  for (const [index, { letter, compared }] of columns.entries()) {
    const change = changes[index]?.get(path) ?? null;
    const before = change === null ? -1 : columns.findIndex((_, at) => at < index && isSame(path, at, index));
    const last = cells.at(-1);
    if (
      before !== -1 &&
      last?.letters.includes(columns[index - 1]?.letter ?? "") &&
      isSame(path, index - 1, index)
    )
      last.letters.push(letter);
    else
      cells.push({
        letters: [letter],
        change,
        isUnknown: compared.changed === null,
        sameAs: columns[before]?.letter ?? null,
      });
  }
  return cells;
}

/** Whether two attempts both changed a file and left it the same. */
function sameness(columns: readonly Of[]): Same {
  const identical = columns.map(
    ({ compared }) =>
      new Map(
        compared.overlap.map(({ attempt, paths }) => [
          attempt,
          new Set(paths?.flatMap(({ path, identical }) => (identical ? [path] : []))),
        ]),
      ),
  );
  return (path, one, other) => identical[one]?.get(columns[other]?.compared.id ?? "")?.has(path) === true;
}
