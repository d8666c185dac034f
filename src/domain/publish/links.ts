/** Finds symbolic links that lead out of the tree, by their text alone: no link of a worktree is followed. */

/** More links in a row than any system follows. */
const MAX_CHAIN_LENGTH = 40;
/** Path names that are followed for all links together, in some tenths of a second. No honest tree comes near. */
const MAX_STEPS = 5_000_000;

/** The links below one folder. */
interface Place {
  /** The target of the link at this place; null if there is none. */
  target: string | null;
  readonly below: Map<string, Place>;
}

/**
 * Those of `judged` that leave the tree, also through others of `links` (path → target). A circle stays inside. If
 * the answer needs too many steps, the link counts as outside.
 */
export function linksOutside(
  links: ReadonlyMap<string, string>,
  judged: Iterable<string> = links.keys(),
): readonly string[] {
  const root = placesOf(links);
  const budget = { steps: MAX_STEPS };
  return [...judged].filter((path) => leavesTree(path, root, budget));
}

function placesOf(links: ReadonlyMap<string, string>): Place {
  const root: Place = { target: null, below: new Map() };
  for (const [path, target] of links) {
    let place = root;
    for (const name of path.split("/")) {
      const next = place.below.get(name) ?? { target: null, below: new Map() };
      place.below.set(name, next);
      place = next;
    }
    place.target = target;
  }
  return root;
}

function leavesTree(path: string, root: Place, budget: { steps: number }): boolean {
  // In reverse, so that the next name is at the end.
  const todo = path.split("/").reverse();
  const places: (Place | null)[] = [root];
  let followed = 0;
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (--budget.steps < 0) return true;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      places.pop();
      if (places.length === 0) return true;
      continue;
    }
    const place = places.at(-1)?.below.get(name) ?? null;
    const target = place?.target ?? null;
    if (target === null) {
      places.push(place);
      continue;
    }
    if (isAbsolute(target)) return true;
    if (++followed > MAX_CHAIN_LENGTH) return false;
    todo.push(...target.split(/[/\\]/).reverse());
  }
  return false;
}

/** For any system: a link that is made here may be checked out elsewhere. */
function isAbsolute(target: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(target);
}
