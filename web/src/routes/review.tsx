/** Review: the files of a patch with viewed marks and inline comments. */
import { useParams, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Diff, useDiffFiles } from "../features/diff/diff.tsx";
import { Screen } from "../features/shell/screen.tsx";

export function ReviewRoute() {
  const { t } = useTranslation("shell");
  const { id } = useParams({ from: "/attempts/$id/review" });
  const { since, mode, space } = useSearch({ from: "/attempts/$id/review" });
  const source = { attempt: id, since: since ?? null };
  const list = useDiffFiles(source);
  return (
    <Screen title={t("review")}>
      <Diff source={source} list={list} layout={mode ?? "unified"} hideSpace={space === "hidden"} />
    </Screen>
  );
}
