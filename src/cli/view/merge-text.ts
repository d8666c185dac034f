/** Tells a person how an attempt was merged or applied, and what is left to push or to pull. */
import type { ApplyDocument, MergeAnswer, MergeDocument } from "../../contract/endpoints/landing.ts";
import { cleanLine, shellWord } from "../../contract/text.ts";

const WHO: Readonly<Record<MergeDocument["by"], string>> = {
  tazuna: "Merged",
  forge: "Merged on the forge",
  person: "Merged already",
};

export function mergeText({ merge, worker }: MergeAnswer): string {
  const { target, commit, by } = merge;
  const there = worker === null ? "" : ` on ${cleanLine(worker.name)}`;
  const lines = [
    `${WHO[by]}: ${cleanLine(target)}${there} has it, at ${commit.slice(0, 12)}.`,
    ...remoteLines(merge).map((line) => `${line}${there}`),
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

export function appliedText({ files, path, worker }: ApplyDocument): string {
  const place = cleanLine(worker === null ? path : `${path} on ${worker.name}`);
  if (files.length === 0) return `Nothing to do: ${place} has all of it already.\n`;
  const lines = files.map(({ path: file }) => `  ${cleanLine(file)}\n`);
  const many = files.length === 1 ? "1 file" : `${files.length} files`;
  return `Changed ${many} in ${place}, not committed:\n${lines.join("")}`;
}
