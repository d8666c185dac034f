/** Holds which files and hunks of which attempts are taken into a new attempt, until it is made. */
import { useState } from "react";

/** A whole file, or some of its hunks, of one attempt. */
export interface Take {
  readonly attempt: string;
  readonly path: string;
  /** Counted from 1; null takes the whole file. */
  readonly hunks: readonly number[] | null;
}

export interface Taking {
  readonly takes: readonly Take[];
  readonly toggleFile: (attempt: string, path: string) => void;
  readonly toggleHunk: (of: {
    readonly attempt: string;
    readonly path: string;
    readonly hunk: number;
  }) => void;
  readonly clear: () => void;
}

export function useTaking(): Taking {
  const [takes, setTakes] = useState<readonly Take[]>([]);
  return {
    takes,
    toggleFile: (attempt, path) => setTakes((before) => withFile(before, { attempt, path })),
    toggleHunk: (of) => setTakes((before) => withHunk(before, of)),
    clear: () => setTakes([]),
  };
}

type Place = Pick<Take, "attempt" | "path">;
const isAt = (one: Place, other: Place) => one.attempt === other.attempt && one.path === other.path;

/** How a file of an attempt is taken; absent if nothing of it is. */
export function takeAt(takes: readonly Take[], place: Place): Take | undefined {
  return takes.find((take) => isAt(take, place));
}

/** Takes the whole file, or leaves it. */
export function withFile(takes: readonly Take[], place: Place): readonly Take[] {
  const before = takeAt(takes, place);
  const others = takes.filter((take) => take !== before);
  return before?.hunks === null ? others : [...others, { ...place, hunks: null }];
}

/** Takes a hunk or leaves it. Of a file that is taken whole, the hunk alone is taken then. */
export function withHunk(
  takes: readonly Take[],
  { hunk, ...place }: Place & { readonly hunk: number },
): readonly Take[] {
  const before = takeAt(takes, place);
  const others = takes.filter((take) => take !== before);
  const held = before?.hunks ?? [];
  const hunks = held.includes(hunk)
    ? held.filter((each) => each !== hunk)
    : [...held, hunk].sort((one, other) => one - other);
  return hunks.length === 0 ? others : [...others, { ...place, hunks }];
}
