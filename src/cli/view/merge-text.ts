/** Tells a person how an attempt was merged or applied, and what is left to push or to pull. */
import type { ApplyDocument, MergeDocument } from "../../contract/endpoints/landing.ts";
import { cleanLine, shellWord } from "../../contract/text.ts";

const WHO: Readonly<Record<MergeDocument["by"], string>> = {
  tazuna: "Merged",
  forge: "Merged on the forge",
  person: "Merged already",
};

export function mergeText(merge: MergeDocument): string {
  const { target, commit, by } = merge;
  const lines = [
    `${WHO[by]}: ${cleanLine(target)} has it, at ${commit.slice(0, 12)}.`,
    ...remoteLines(merge),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function remoteLines({ target, remote, repository }: MergeDocument): string[] {
  if (remote === null) return [];
  const { name, branch, ahead, behind } = remote;
  const at = `git -C ${shellWord(repository)}`;
  const words = [
    ...(ahead === 0 ? [] : [`${commits(ahead)} ahead of ${branch}`]),
    ...(behind === 0 ? [] : [`${commits(behind)} behind it`]),
  ];
  if (ahead === 0 && behind === 0) return [];
  const how =
    behind === 0 ? `push ${name} ${shellWord(target)}` : `pull --no-rebase ${name} ${shellWord(target)}`;
  const state = ahead === 0 ? `${commits(behind)} behind ${branch}` : words.join(", ");
  return [`${cleanLine(target)} is ${cleanLine(state)}: \`${cleanLine(`${at} ${how}`)}\``];
}

function commits(count: number): string {
  return count === 1 ? "1 commit" : `${count} commits`;
}

export function appliedText({ files, path }: ApplyDocument): string {
  if (files.length === 0) return `Nothing to do: ${cleanLine(path)} has all of it already.\n`;
  const lines = files.map(({ path: file }) => `  ${cleanLine(file)}\n`);
  const many = files.length === 1 ? "1 file" : `${files.length} files`;
  return `Changed ${many} in ${cleanLine(path)}, not committed:\n${lines.join("")}`;
}
