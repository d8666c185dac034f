/** Writes the prompt's section on files that another attempt left: its agent's work, without its conversation. */

/** What the attempt began with. */
export interface ForkedWork {
  /** Who worked on it; null if no agent did. */
  readonly agent: string | null;
  /** How many files it had changed. */
  readonly files: number;
  /** What was said, the oldest first. */
  readonly turns: readonly { readonly instruction: string; readonly summary: string }[];
}

const MAX_TURNS = 10;
const MAX_CHARS = 2000;

/** The text of the section, without its heading. */
export function forkSection({ agent, files, turns }: ForkedWork): string {
  const said = turns.slice(-MAX_TURNS).map(turnText);
  const left = turns.length - said.length;
  return [
    `This working tree begins with what another attempt at the same issue left${agent === null ? "" : ` (by the agent ${agent})`}: ${files} changed ${files === 1 ? "file" : "files"}, not committed. \`git diff HEAD\` shows them, \`git status\` the new ones. They are yours now: keep, change or take back what you find.`,
    "That attempt's conversation is not yours. This was said there:",
    ...(left > 0 ? [`(${left} earlier ${left === 1 ? "turn" : "turns"} left out.)`] : []),
    ...said,
  ].join("\n\n");
}

function turnText({ instruction, summary }: ForkedWork["turns"][number]): string {
  return `Person: ${clip(instruction)}\nAgent: ${clip(summary) || "(nothing was said at the end)"}`;
}

/** Never half a surrogate pair. */
function clip(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_CHARS) return trimmed;
  return `${trimmed.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
