/** The keys of the diff in the middle of an attempt. */
import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { DiffHandle } from "../diff/handle.ts";
import { useKeys } from "../keys/keys.ts";
import type { ViewedMarks } from "../review/files/viewed-marks.ts";

export function useDiffKeys(options: {
  readonly attempt: string;
  readonly marks: ViewedMarks;
  readonly diff: RefObject<DiffHandle | null>;
  /** The file in sight. */
  readonly path: string | null;
  readonly onLayout: () => void;
  readonly onSpace: () => void;
}): void {
  const { attempt, diff, path } = options;
  const { t } = useTranslation("keys");
  const navigate = useNavigate();
  const isViewed = path !== null && options.marks.markOf(path) === "viewed";
  const comment = () => {
    const lines = diff.current?.selected() ?? null;
    const file = lines?.path ?? path;
    const line = lines === null ? {} : { line: String(lines.line) };
    void navigate({
      to: "/attempts/$id/review",
      params: { id: attempt },
      search: { ...(file === null ? {} : { file }), ...line },
    });
  };
  useKeys([
    { spec: "]", words: t("file"), run: () => diff.current?.moveFile(1), inBar: true },
    { spec: "[", words: t("file"), run: () => diff.current?.moveFile(-1), inBar: true },
    { spec: "}", words: t("change"), run: () => diff.current?.moveChange(1) },
    { spec: "{", words: t("change"), run: () => diff.current?.moveChange(-1) },
    { spec: "u", words: t("layout"), run: options.onLayout },
    { spec: "W", words: t("whiteSpace"), run: options.onSpace },
    { spec: "c", words: t("comment"), run: comment },
    {
      spec: "e",
      words: t("viewed"),
      run: () => {
        if (path === null) return;
        options.marks.set(path, !isViewed);
        if (!isViewed) diff.current?.moveFile(1);
      },
    },
  ]);
}
