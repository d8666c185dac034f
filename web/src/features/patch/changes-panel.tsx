/** The middle of an attempt: what a run changed, what changed since the last look, or all of it, file by file. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../ui/key-cap.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { LineCounts } from "../attempts/numbers.tsx";
import { filesQuery } from "./files.ts";
import { runsWithDiff, type Side } from "./sides.ts";

export function ChangesPanel(props: {
  readonly attempt: AttemptDocument;
  readonly side: Side;
  readonly canSince: boolean;
  readonly onSide: (run: string | undefined) => void;
}) {
  const { attempt, side } = props;
  const { t } = useTranslation("patch");
  const { data, error, isPending } = useInfiniteQuery(filesQuery(attempt.id, side));
  const files = data?.pages.flatMap((page) => page.files) ?? [];
  const sum = (of: "additions" | "deletions") => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return (
    <>
      <div className="flex h-11 flex-none items-center gap-2.5 overflow-x-auto border-b border-line px-3">
        <Sides {...props} />
        {files.length > 0 && (
          <span className="flex items-center gap-2 text-small text-ink-2 whitespace-nowrap">
            {t("files", { count: files.length })}
            <LineCounts additions={sum("additions")} deletions={sum("deletions")} />
          </span>
        )}
        <Link
          to="/attempts/$id/review"
          params={{ id: attempt.id }}
          className="button ml-auto"
          data-size="small"
        >
          {t("review")} <KeyCap spec="v" />
        </Link>
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {error !== null && (
          <div className="p-3">
            <ProblemNote error={error} />
          </div>
        )}
        {isPending && <p className="p-3 text-small text-ink-3">{t("loading", { ns: "shell" })}</p>}
        {data !== undefined && files.length === 0 && <p className="p-6 text-ink-2">{t("nothing")}</p>}
        <ul className="grid gap-x-3 p-2 sm:grid-cols-2">
          {files.map((file) => (
            <li key={file.path} className="flex min-h-6 items-center gap-2 px-2 text-small">
              <code className="w-3 text-ink-3" title={file.status}>
                {file.status.charAt(0).toUpperCase()}
              </code>
              <bdi className="min-w-0 flex-1 truncate">{cleanLine(file.path)}</bdi>
              <span className="text-fine">
                <LineCounts additions={file.additions} deletions={file.deletions} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Sides(props: {
  readonly attempt: AttemptDocument;
  readonly side: Side;
  readonly canSince: boolean;
  readonly onSide: (run: string | undefined) => void;
}) {
  const { t } = useTranslation("patch");
  const { attempt, side } = props;
  const run = side.kind === "run" ? side.run : runsWithDiff(attempt).at(-1);
  const options = [
    ...(run === undefined ? [] : [{ value: run.id, words: t("run", { number: run.number }) }]),
    ...(props.canSince ? [{ value: "since", words: t("since") }] : []),
    { value: "whole", words: t("whole") },
  ];
  return (
    <Segmented
      label={t("sides")}
      value={side.kind === "run" ? side.run.id : side.kind}
      options={options}
      onChange={(value) => props.onSide(value === "whole" ? undefined : value)}
    />
  );
}
