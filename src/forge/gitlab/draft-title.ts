/** Writes and reads titles of merge requests: on GitLab one is a draft if its title says so. */

const MARKS = /^\s*(?:(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip):)\s*)+/i;

export function titleOf(title: string, draft: boolean): string {
  return draft ? `Draft: ${title}` : title;
}

export function withoutMark(title: string): string {
  return title.replace(MARKS, "");
}
