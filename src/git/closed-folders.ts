/** Reads from git's warnings which folders it could not look into. */

/** Nothing in them is listed as untracked, nor staged; git says so in no other way. Of a long warning git cuts off the end. */
export function closedFolders(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.+?)(?:\/?': .*)?$/gm)].flatMap(
    (match) => match[1] ?? [],
  );
}
