/** Lays the comparison out: summary, file grid, panes and the choice, and gives the keys their targets. */
import type { ComparisonDocument } from "@contract/endpoints/decisions.ts";
import type { TaskDocument } from "@contract/task-document.ts";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { PanelHandle, usePanelWidths } from "../../ui/panels/panel-handle.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { Screen } from "../shell/screen.tsx";
import type { AttemptColumn } from "./columns.ts";
import { CompareActs } from "./compare-acts.tsx";
import type { CompareSearch, SetSearch } from "./compare-search.ts";
import { DecisionBar } from "./decision-bar.tsx";
import { FileGrid } from "./file-grid.tsx";
import { GoOnDialog } from "./go-on-dialog.tsx";
import { IssueDialog } from "./issue-dialog.tsx";
import { otherMode } from "./other-mode.ts";
import { FilePanes } from "./panes/file-panes.tsx";
import { Summary } from "./summary.tsx";
import { TakeBar } from "./take/take-bar.tsx";
import { useTaking } from "./take/taking.ts";
import { useComparing } from "./use-comparing.ts";

export interface CompareViewProps {
  readonly title: string;
  readonly crumbs: ReactNode;
  readonly document: TaskDocument;
  readonly comparison: ComparisonDocument;
  readonly columns: readonly AttemptColumn[];
  readonly search: CompareSearch;
  readonly onSearch: SetSearch;
}

export function CompareView(props: CompareViewProps) {
  const { t } = useTranslation("compare");
  const { columns, search, onSearch, document } = props;
  const reasonBox = useRef<HTMLInputElement>(null);
  const taking = useTaking();
  const [opened, setOpened] = useState<"issue" | "go_on" | null>(null);
  const [isChanging, setChanging] = useState(false);
  const view = useComparing({ ...props, reasonBox, onChanging: setChanging });
  const { focused } = view;
  const isTaking = search.take === "1";
  return (
    <Screen
      title={props.title}
      crumbs={props.crumbs}
      beside={
        <span className="chip flex-none family-review max-xl:hidden">
          <StateSign sign="speech" size={11} />
          {t("compare")}
        </span>
      }
      acts={
        focused === null ? null : (
          <CompareActs
            columns={columns}
            focused={focused}
            isDecided={document.task.decision !== null}
            search={search}
            onSearch={onSearch}
            onIssue={() => setOpened("issue")}
            onGoOn={() => setOpened("go_on")}
          />
        )
      }
    >
      <div className="flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto">
        <Summary
          columns={columns}
          focused={focused?.letter ?? ""}
          onFocus={view.onFocus}
          onChoose={view.onChoose}
        />
        <Body {...props} view={view} taking={isTaking ? taking : null} />
      </div>
      {isTaking && (
        <TakeBar
          task={document.task.id}
          columns={columns}
          taking={taking}
          onEnd={() => onSearch({ take: undefined })}
          onMade={(attempt) => onSearch({ take: undefined, attempt })}
        />
      )}
      {!isTaking && focused !== null && (
        <DecisionBar
          columns={columns}
          column={focused}
          decision={document.task.decision}
          isChanging={isChanging}
          onChanging={setChanging}
          reasonBox={reasonBox}
          onRecorded={(attempt) => onSearch({ attempt, names: undefined })}
        />
      )}
      <IssueDialog task={document.task} open={opened === "issue"} onClose={() => setOpened(null)} />
      {opened === "go_on" && focused !== null && (
        <GoOnDialog column={focused} onClose={() => setOpened(null)} />
      )}
    </Screen>
  );
}

/** The grid beside the panes; on a small screen the panes come below. */
function Body(
  props: CompareViewProps & {
    readonly view: ReturnType<typeof useComparing>;
    readonly taking: ReturnType<typeof useTaking> | null;
  },
) {
  const { t } = useTranslation("compare");
  const { columns, search, onSearch, view, taking } = props;
  const { rows, shown, path, at } = view;
  const isRoomy = useMedia("(min-width: 1280px)");
  const first = isRoomy ? Math.max(390, 150 + columns.length * 60) : 320;
  const widths = usePanelWidths("compare", { left: first });
  const hasGrid = search.only !== "diffs" || path === null;
  const hasPanes = path !== null && search.only !== "files";
  return (
    <div
      style={widths}
      className={`relative grid min-h-0 flex-1 max-lg:block max-lg:flex-none ${
        hasGrid && hasPanes ? "grid-cols-[var(--left)_minmax(0,1fr)]" : "grid-cols-1"
      }`}
    >
      {hasGrid && (
        <FileGrid
          columns={columns}
          rows={rows}
          shown={shown}
          path={path}
          focused={view.focused?.letter ?? ""}
          onlyDiffering={search.files === "differ"}
          onPath={(file) => onSearch({ file })}
          onCell={(file, attempt) => onSearch({ file, attempt })}
          onOnlyDiffering={(only) => onSearch({ files: only ? "differ" : undefined })}
          onTake={() => onSearch({ take: "1", against: undefined })}
          taking={taking}
        />
      )}
      {hasPanes && (
        <FilePanes
          path={path}
          at={at + 1}
          count={shown.length}
          columns={view.panes}
          focused={view.focused?.letter ?? ""}
          onFocus={view.onFocus}
          pair={search.against === "other" ? view.pair : null}
          canPair={view.pair}
          onAgainst={(against) =>
            onSearch({ against: against === "other" ? "other" : undefined, mode: undefined })
          }
          isChanged={search.mode !== undefined}
          onLayout={() => onSearch({ mode: otherMode(search) })}
          hideSpace={search.space === "hidden"}
          onSpace={() => onSearch({ space: search.space === "hidden" ? undefined : "hidden" })}
          taking={taking}
        />
      )}
      {hasGrid && hasPanes && (
        <PanelHandle
          screen="compare"
          side="left"
          first={first}
          label={t("widthOf", { ns: "shell", panel: t("files") })}
          className="max-lg:hidden"
        />
      )}
    </div>
  );
}
