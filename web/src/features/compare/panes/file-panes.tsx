/** Shows the patches of one file: each attempt against the base in panes of their own, or one attempt against another. */
import { cleanLine } from "@contract/text.ts";
import { Link2 } from "lucide-react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { part } from "../../../ui/loaded/part.tsx";
import { Segmented } from "../../../ui/segmented.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { Diff, useDiffFiles } from "../../diff/diff.tsx";
import type { Layout } from "../../diff/patch/rows.ts";
import type { DiffSource } from "../../diff/patch/source.ts";
import type { AttemptColumn } from "../columns.ts";
import type { Taking } from "../take/taking.ts";

const BasePanes = part(async () => (await import("./base-panes.tsx")).default);

export interface FilePanesProps {
  readonly path: string;
  readonly at: number;
  readonly count: number;
  /** Those that have a pane. */
  readonly columns: readonly AttemptColumn[];
  readonly focused: string;
  readonly onFocus: (letter: string) => void;
  /** The two that are set against each other; null: each against the base. */
  readonly pair: readonly [AttemptColumn, AttemptColumn] | null;
  readonly canPair: readonly [AttemptColumn, AttemptColumn] | null;
  readonly onAgainst: (against: "base" | "other") => void;
  readonly taking: Taking | null;
  /** The other layout is shown: of panes the focused attempt alone, of a pair one column. */
  readonly isChanged: boolean;
  readonly onLayout: () => void;
  readonly hideSpace: boolean;
  readonly onSpace: () => void;
}

export function FilePanes(props: FilePanesProps) {
  const { t } = useTranslation("compare");
  const { path, pair, canPair } = props;
  return (
    <section aria-label={t("panes")} className="flex min-h-0 min-w-0 flex-col max-lg:h-[70vh]">
      <div className="flex min-h-[34px] flex-none flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 max-sm:py-1">
        <h2 className="min-w-0 truncate font-mono text-small">
          <bdi>{cleanLine(path)}</bdi>
        </h2>
        <span className="text-fine whitespace-nowrap text-ink-3 tabular-nums">
          {t("fileOf", { at: props.at, count: props.count })}
        </span>
        <span className="ml-auto flex items-center gap-2">
          {canPair !== null && (
            <Segmented
              label={t("against")}
              value={pair === null ? "base" : "other"}
              options={[
                { value: "base", words: t("againstBase") },
                {
                  value: "other",
                  words: t("aAgainstB", { one: canPair[0].letter, other: canPair[1].letter }),
                },
              ]}
              onChange={props.onAgainst}
            />
          )}
          <Layouts {...props} />
          {pair === null && !props.isChanged && props.columns.length > 1 && (
            <span className="chip max-xl:hidden">
              <Link2 size={12} aria-hidden="true" />
              {t("together")}
            </span>
          )}
        </span>
      </div>
      <Lines {...props} />
    </section>
  );
}

function Lines(props: FilePanesProps) {
  const { t } = useTranslation("compare");
  const { path, pair, isChanged, hideSpace, columns, focused } = props;
  const isWide = useMedia("(min-width: 1024px)");
  const split = isWide ? "split" : "unified";
  const alone = columns.find(({ letter }) => letter === focused) ?? columns[0];
  if (pair !== null)
    return (
      <OneDiff
        path={path}
        source={{ attempt: pair[0].id, other: pair[1].id }}
        layout={isChanged ? "unified" : split}
        hideSpace={hideSpace}
        whenEmpty={t("paneSame", { one: pair[0].letter, other: pair[1].letter })}
      />
    );
  if (isChanged && alone !== undefined)
    return (
      <OneDiff
        path={path}
        source={{ attempt: alone.id }}
        layout={split}
        hideSpace={hideSpace}
        whenEmpty={t("paneEmpty", { letter: alone.letter })}
      />
    );
  return <BasePanes waiting={<p className="p-3 text-small text-ink-3">{t("loading")}</p>} {...props} />;
}

/** A small screen has room for one pane, and for one column of it. */
function Layouts({ pair, isChanged, onLayout, hideSpace, onSpace, columns, focused }: FilePanesProps) {
  const { t } = useTranslation("compare");
  const letter = columns.some((column) => column.letter === focused) ? focused : (columns[0]?.letter ?? "");
  return (
    <span className="flex items-center gap-2 max-sm:hidden">
      <Button size="small" kind="quiet" aria-pressed={hideSpace} keySpec="W" onClick={onSpace}>
        {t("hideSpace")}
      </Button>
      <Segmented
        label={t("layout")}
        value={isChanged ? "other" : "usual"}
        options={
          pair === null
            ? [
                { value: "usual", words: t("inPanes") },
                { value: "other", words: t("aloneSplit", { letter }) },
              ]
            : [
                { value: "usual", words: t("split") },
                { value: "other", words: t("unified") },
              ]
        }
        onChange={onLayout}
      />
    </span>
  );
}

/** One file of one diff. */
function OneDiff(props: {
  readonly path: string;
  readonly source: DiffSource;
  readonly layout: Layout;
  readonly hideSpace: boolean;
  readonly whenEmpty: string;
}) {
  const { t } = useTranslation("compare");
  const { path, source, layout, hideSpace } = props;
  const list = useDiffFiles(source);
  const file = list.files.find((each) => each.path === path);
  if (list.error === null && file === undefined)
    return <p className="p-3 text-small text-ink-2">{list.isWhole ? props.whenEmpty : t("loading")}</p>;
  return (
    <Diff
      key={`${JSON.stringify(source)} ${path}`}
      source={source}
      list={{ ...list, files: file === undefined ? [] : [file] }}
      layout={layout}
      hideSpace={hideSpace}
    />
  );
}
