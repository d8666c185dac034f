/** Shows the patches of one file: each attempt against the base in panes of their own, or one attempt against another. */
import { cleanLine } from "@contract/text.ts";
import { Link2 } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../../ui/segmented.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { Diff, useDiffFiles } from "../../diff/diff.tsx";
import type { AttemptColumn } from "../columns.ts";
import type { Taking } from "../take/taking.ts";

const BasePanes = lazy(() => import("./base-panes.tsx"));

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
          {pair === null && props.columns.length > 1 && (
            <span className="chip max-xl:hidden">
              <Link2 size={12} aria-hidden="true" />
              {t("together")}
            </span>
          )}
        </span>
      </div>
      {pair === null ? (
        <Suspense fallback={<p className="p-3 text-small text-ink-3">{t("loading")}</p>}>
          <BasePanes {...props} />
        </Suspense>
      ) : (
        <PairDiff path={path} pair={pair} />
      )}
    </section>
  );
}

/** From the first to the second, as `tazuna diff A B`. */
function PairDiff(props: { readonly path: string; readonly pair: readonly [AttemptColumn, AttemptColumn] }) {
  const { t } = useTranslation("compare");
  const isWide = useMedia("(min-width: 1024px)");
  const [one, other] = props.pair;
  const source = { attempt: one.id, other: other.id };
  const list = useDiffFiles(source);
  const file = list.files.find(({ path }) => path === props.path);
  if (list.error === null && file === undefined)
    return (
      <p className="p-3 text-small text-ink-2">
        {list.isWhole ? t("paneSame", { one: one.letter, other: other.letter }) : t("loading")}
      </p>
    );
  return (
    <Diff
      key={`${one.id} ${other.id} ${props.path}`}
      source={source}
      list={{ ...list, files: file === undefined ? [] : [file] }}
      layout={isWide ? "split" : "unified"}
    />
  );
}
