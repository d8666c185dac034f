/** The middle of an attempt: what a run changed, what changed since the last look, or all of it, file by file. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { Link } from "@tanstack/react-router";
import { Columns2, Rows3 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { LineCounts } from "../attempts/numbers.tsx";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import { Diff, useDiffFiles } from "../diff/diff.tsx";
import { FileSteps } from "../diff/file/file-steps.tsx";
import type { DiffHandle } from "../diff/handle.ts";
import { ViewedMark } from "../review/files/viewed-mark.tsx";
import { useViewedMarks } from "../review/files/viewed-marks.ts";
import { FileStrip } from "./file-strip.tsx";
import { useLiveDiff } from "./live-diff.ts";
import { useDiffKeys } from "./patch-keys.ts";
import { type Side, sourceOf } from "./sides.ts";
import { useComments } from "./use-comments.tsx";

interface ChangesProps {
  readonly shown: AttemptCard;
  readonly side: Side;
  readonly canSince: boolean;
  readonly isSplit: boolean;
  readonly onSide: (run: string) => void;
  readonly onSplit: (isSplit: boolean) => void;
  readonly onFacts: () => void;
}

export function ChangesPanel(props: ChangesProps) {
  const { t } = useTranslation("patch");
  const { side, isSplit } = props;
  const { attempt } = props.shown;
  const source = sourceOf(attempt.id, side);
  const list = useDiffFiles(source);
  const diff = useRef<DiffHandle>(null);
  const [path, setPath] = useState<string | null>(null);
  const [hideSpace, setHideSpace] = useState(false);
  const edited = useLiveDiff(attempt, side);
  const marks = useViewedMarks(attempt.id);
  const { annotations, sides, comment } = useComments({
    shown: props.shown,
    side,
    diff,
    onWhole: () => props.onSide("whole"),
  });
  useDiffKeys({
    onComment: comment,
    marks,
    diff,
    path,
    onLayout: () => props.onSplit(!isSplit),
    onSpace: () => setHideSpace(!hideSpace),
  });
  const hasMarks = side.kind !== "run";
  const headerActs = useCallback(
    (file: DiffFile) => (
      <>
        {edited?.includes(file.path) && <BeingEdited />}
        {hasMarks && <FileMark attempt={attempt.id} path={file.path} />}
      </>
    ),
    [attempt.id, edited, hasMarks],
  );
  return (
    <>
      <ChangesBar {...props} files={list.files} onStep={(step) => diff.current?.moveFile(step)} />
      {list.files.length > 0 && (
        <FileStrip files={list.files} shown={path} onShow={(to) => diff.current?.show({ path: to })} />
      )}
      <div className="flex min-h-0 flex-1 flex-col bg-surface">
        <Diff
          ref={diff}
          source={source}
          list={list}
          layout={isSplit ? "split" : "unified"}
          hideSpace={hideSpace}
          whenEmpty={attempt.commit === null ? t("notCommitted") : undefined}
          headerActs={headerActs}
          annotations={annotations}
          commentsOn={sides}
          onComment={comment}
          onFile={setPath}
        />
      </div>
    </>
  );
}

function FileMark({ attempt, path }: { readonly attempt: string; readonly path: string }) {
  const marks = useViewedMarks(attempt);
  return (
    <ViewedMark
      path={path}
      mark={marks.markOf(path)}
      withWords
      onChange={(viewed) => marks.set(path, viewed)}
    />
  );
}

function BeingEdited() {
  const { t } = useTranslation("patch");
  return <span className="chip family-work">{t("beingEdited")}</span>;
}

function ChangesBar(
  props: ChangesProps & {
    readonly files: readonly DiffFile[];
    readonly onStep: (step: 1 | -1) => void;
  },
) {
  const { files, isSplit } = props;
  const { attempt } = props.shown;
  const { t } = useTranslation("patch");
  const sum = (of: "additions" | "deletions") => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return (
    <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-0.5 pointer-coarse:min-h-14">
      <Sides {...props} />
      {files.length > 0 && (
        <span className="flex items-center gap-2 text-small text-ink-2 whitespace-nowrap">
          {t("files", { count: files.length })}
          <LineCounts additions={sum("additions")} deletions={sum("deletions")} />
        </span>
      )}
      {files.length > 1 && <FileSteps onStep={props.onStep} />}
      <span className="ml-auto flex items-center gap-2 max-lg:hidden">
        <Segmented
          label={t("layout", { ns: "keys" })}
          value={isSplit ? "split" : "unified"}
          options={[
            { value: "unified", words: <Rows3 size={14} aria-hidden="true" />, name: t("unified") },
            { value: "split", words: <Columns2 size={14} aria-hidden="true" />, name: t("split") },
          ]}
          onChange={(value) => props.onSplit(value === "split")}
        />
        <Link to="/attempts/$id/review" params={{ id: attempt.id }} className="button">
          {t("review")} <KeyCap spec="v" />
        </Link>
        <span className="contents xl:hidden">
          <Button kind="quiet" keySpec={"\\"} onClick={props.onFacts}>
            {t("title", { ns: "facts" })}
          </Button>
        </span>
      </span>
    </div>
  );
}

function Sides({ shown: { attempt }, side, canSince, onSide }: ChangesProps) {
  const { t } = useTranslation("patch");
  const run = side.kind === "run" ? side.run : runsWithDiff(attempt).at(-1);
  const options = [
    ...(run === undefined ? [] : [{ value: run.id, words: t("run", { number: run.number }) }]),
    ...(canSince ? [{ value: "since", words: t("since") }] : []),
    { value: "whole", words: t("whole") },
  ];
  return (
    <Segmented
      label={t("sides")}
      value={side.kind === "run" ? side.run.id : side.kind}
      options={options}
      onChange={onSide}
    />
  );
}
