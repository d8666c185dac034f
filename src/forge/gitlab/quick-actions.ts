/** Keeps GitLab from obeying what an agent wrote: a line that begins with `/merge` or the like is a command there. */

/** Text that shows the same and commands nothing. */
export function withoutActions(text: string): string {
  return text.replace(/^([ \t]*)(\\*\/)(?=[a-z_])/gim, "$1\\$2");
}

/** The text as it was before. */
export function asWritten(text: string): string {
  return text.replace(/^([ \t]*)\\(\\*\/)(?=[a-z_])/gim, "$1$2");
}
