/** Names the file in sight, and chooses what is compared and how. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import type { AttemptDocument } from "@contract/task-document.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { PathText } from "../../ui/text/path-text.tsx";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import { FileCounts } from "../diff/file/file-counts.tsx";
import { FileSteps } from "../diff/file/file-steps.tsx";
import type { Layout } from "../diff/patch/rows.ts";
import type { Compared } from "./compared.ts";

/** As the address has it. */
interface AskedSide {
  readonly since?: string | undefined;
  readonly run?: string | undefined;
}

export function ReviewBar(props: {
  readonly attempt: AttemptDocument;
  readonly file: DiffFile | null;
  readonly at: number;
  readonly all: number;
  readonly compared: Compared;
  readonly seen: string | null;
  readonly onCompare: (asked: AskedSide) => void;
  /** Null on screens that have room for one side only. */
  readonly layout: Layout | null;
  readonly onLayout: (layout: Layout) => void;
  readonly onViewed: () => void;
  readonly onStep: (step: 1 | -1) => void;
}) {
  const { t } = useTranslation("review");
  const { file, at, all, layout } = props;
  return (
    <div className="flex min-h-9 flex-none flex-wrap items-center gap-2.5 border-b border-line px-3 py-0.5">
      {file !== null && (
        <>
          <span className="min-w-0 truncate font-mono text-small font-semibold">
            <PathText path={file.path} />
          </span>
          <span className="text-fine">
            <FileCounts file={file} />
          </span>
          <span className="text-fine text-ink-3 tabular-nums whitespace-nowrap">
            {t("place", { at, all })}
          </span>
        </>
      )}
      {all > 1 && (
        <span className="ml-auto sm:hidden">
          <FileSteps onStep={props.onStep} />
        </span>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <Sides {...props} />
        {layout !== null && (
          <Segmented
            label={t("layout")}
            value={layout}
            options={[
              { value: "unified", words: t("unified") },
              {
                value: "split",
                words: (
                  <>
                    {t("split")} <KeyCap spec="u" />
                  </>
                ),
              },
            ]}
            onChange={props.onLayout}
          />
        )}
        <Button size="small" keySpec="e" off={file === null ? t("noFile") : null} onClick={props.onViewed}>
          {t("viewedNext")}
        </Button>
      </span>
    </div>
  );
}

function Sides(props: {
  readonly attempt: AttemptDocument;
  readonly compared: Compared;
  readonly seen: string | null;
  readonly onCompare: (asked: AskedSide) => void;
}) {
  const { t } = useTranslation("review");
  const { attempt, compared, seen, onCompare } = props;
  const run = compared.kind === "run" ? compared.run : runsWithDiff(attempt).at(-1);
  const since = compared.kind === "since" ? compared.run : seen;
  return (
    <Segmented
      label={t("sides")}
      value={compared.kind}
      options={[
        { value: "base", words: t("sinceBase") },
        ...(run === undefined ? [] : [{ value: "run", words: t("run", { run: run.number }) } as const]),
        ...(since === null ? [] : [{ value: "since", words: t("sinceReview") } as const]),
      ]}
      onChange={(kind) =>
        onCompare(
          kind === "base"
            ? { since: "base" }
            : kind === "run"
              ? { run: run?.id }
              : { since: since ?? undefined },
        )
      }
    />
  );
}
