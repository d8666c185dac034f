/** The keys of the diff in the middle of an attempt. */
import type { RefObject } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { DiffHandle } from "../diff/handle.ts";
import type { LinePlace } from "../diff/patch/line-of.ts";
import { useKeys } from "../keys/keys.ts";
import type { ViewedMarks } from "../review/files/viewed-marks.ts";

export function useDiffKeys(options: {
  readonly marks: ViewedMarks;
  readonly diff: RefObject<DiffHandle | null>;
  /** The file in sight. */
  readonly path: string | null;
  readonly onComment: (place: LinePlace) => void;
  readonly onLayout: () => void;
  readonly onSpace: () => void;
}): void {
  const { diff, path } = options;
  const { t } = useTranslation("keys");
  const isViewed = path !== null && options.marks.markOf(path) === "viewed";
  const comment = () => {
    const place = diff.current?.selected() ?? null;
    if (place !== null) options.onComment(place);
  };
  useKeys([
    { spec: "]", words: t("file"), run: () => diff.current?.moveFile(1), inBar: true },
    { spec: "[", words: t("file"), run: () => diff.current?.moveFile(-1), inBar: true },
    { spec: "}", words: t("change"), run: () => diff.current?.moveChange(1) },
    { spec: "{", words: t("change"), run: () => diff.current?.moveChange(-1) },
    { spec: "u", words: t("layout"), run: options.onLayout },
    { spec: "W", words: t("whiteSpace"), run: options.onSpace },
    // Once the diff has the focus, moving goes by its lines; else by the events of the timeline.
    { spec: "j", words: t("line"), run: () => diff.current?.moveLine(1), when: isInDiff },
    { spec: "k", words: t("line"), run: () => diff.current?.moveLine(-1), when: isInDiff },
    { spec: "c", asks: "addComment", words: t("comment"), run: comment },
    { spec: "C", words: t("severalLines"), run: () => diff.current?.select() },
    {
      spec: "e",
      asks: "markViewed",
      words: t("viewed"),
      run: () => {
        if (path === null) return;
        options.marks.set(path, !isViewed);
        if (!isViewed) diff.current?.moveFile(1);
      },
    },
  ]);
}

const isInDiff = () => document.activeElement?.closest(".diff") != null;
