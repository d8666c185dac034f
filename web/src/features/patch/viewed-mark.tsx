/** The mark that a person has looked at a file; it is half when the file changed since. */
import { mutationOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../data/api.ts";
import { tellProblem } from "../../ui/toast.tsx";
import { viewedQuery } from "../attempts/viewed.ts";

/** Shown at once; the fact confirms it. */
export const markViewed = (attempt: string) =>
  mutationOptions({
    mutationFn: (mark: { readonly path: string; readonly viewed: boolean }) =>
      answerOf(api.markViewed(attempt, mark)),
    onMutate: ({ path, viewed }, { client }) =>
      client.setQueryData(viewedQuery(attempt).queryKey, (held) => {
        if (held === undefined) return held;
        const others = held.items.filter((item) => item.path !== path);
        const mark = { path, at: new Date().toISOString(), changed: false };
        return { ...held, items: viewed ? [...others, mark] : others };
      }),
    onError: tellProblem,
  });

export function ViewedMark({ attempt, path }: { readonly attempt: string; readonly path: string }) {
  const { t } = useTranslation("patch");
  const { data } = useQuery(viewedQuery(attempt));
  const mark = useMutation(markViewed(attempt));
  const item = data?.items.find((each) => each.path === path);
  const isHalf = item?.changed === true;
  return (
    <label className="flex items-center gap-1.5 text-fine text-ink-2">
      <input
        type="checkbox"
        checked={item !== undefined && !isHalf}
        ref={(box) => {
          if (box !== null) box.indeterminate = isHalf;
        }}
        onChange={({ target }) => mark.mutate({ path, viewed: target.checked })}
      />
      {isHalf ? t("changedSince") : t("viewed")}
    </label>
  );
}
