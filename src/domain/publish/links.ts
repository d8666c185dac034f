/** Finds symbolic links that lead out of the tree, by their text alone: nothing of a worktree is followed. */

/** More links in a row than any system follows. */
const LONGEST_CHAIN = 40;

/** Those of `links` (path → target) that leave the tree, also through others of them. A circle stays inside. */
export function linksOutside(links: ReadonlyMap<string, string>): readonly string[] {
  return [...links.keys()].filter((path) => leavesTree(path, links));
}

function leavesTree(path: string, links: ReadonlyMap<string, string>): boolean {
  let todo = path.split("/");
  let place: string[] = [];
  for (let followed = 0; todo.length > 0; ) {
    const [name = "", ...rest] = todo;
    todo = rest;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (place.length === 0) return true;
      place = place.slice(0, -1);
      continue;
    }
    place = [...place, name];
    const target = links.get(place.join("/"));
    if (target === undefined) continue;
    if (isAbsolute(target)) return true;
    if (++followed > LONGEST_CHAIN) return false;
    place = place.slice(0, -1);
    todo = [...target.split(/[/\\]/), ...todo];
  }
  return false;
}

/** On any system: a link made here may be checked out elsewhere. */
function isAbsolute(target: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(target);
}
