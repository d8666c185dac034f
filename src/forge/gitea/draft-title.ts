/** Writes and reads titles of pull requests: on Gitea one is a draft if its title says so. */

/** Those that Gitea and Forgejo know without settings of their own. */
const MARKS = /^\s*(?:(?:WIP:|\[WIP\])\s*)+/i;

export function titleOf(title: string, draft: boolean): string {
  return draft ? `WIP: ${title}` : title;
}

export function withoutMark(title: string): string {
  return title.replace(MARKS, "");
}

export function isMarked(title: string): boolean {
  return MARKS.test(title);
}
