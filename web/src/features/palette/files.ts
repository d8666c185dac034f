/** Lists the files that the focused attempt changed; each leads to its place in the review. */
import { cleanLine } from "@contract/text.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { nameOf } from "../attempts/attempt-acts.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { filesQuery } from "../diff/patch/source.ts";
import type { Command } from "./commands.ts";

export function useFiles(focused: AttemptCard | null): readonly Command[] {
  const navigate = useNavigate();
  const source = { attempt: focused?.attempt.id ?? "", since: null };
  const { data } = useInfiniteQuery({ ...filesQuery(source), enabled: focused !== null });
  if (focused === null) return [];
  const params = { id: focused.attempt.id };
  return (data?.pages ?? [])
    .flatMap(({ files }) => files)
    .map(({ path }) => ({
      id: `file ${path}`,
      section: "files",
      words: cleanLine(path),
      beside: nameOf(focused),
      run: () => void navigate({ to: "/attempts/$id/review", params, search: { file: path } }),
    }));
}
