/** Reads the patches of the shown file and puts them into panes: each against the base, or one attempt against another. */
import { cleanLine } from "@contract/text.ts";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../i18n/format.ts";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Segmented } from "../../../ui/segmented.tsx";
import type { AttemptColumn } from "../columns.ts";
import { filePatchQuery } from "../queries.ts";
import type { Taking } from "../take/taking.ts";
import { readFilePatch } from "./file-patch.ts";
import { type PaneOf, Panes } from "./panes.tsx";

interface FilePanesProps {
  readonly task: string;
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
    <section aria-label={t("panes")} className="flex min-h-0 min-w-0 flex-col max-lg:min-h-[60vh]">
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
      {pair === null ? <BasePanes {...props} /> : <PairPane {...props} pair={pair} />}
    </section>
  );
}

function BasePanes(props: FilePanesProps) {
  const { t } = useTranslation("compare");
  const { task, path, columns } = props;
  const touches = (column: AttemptColumn) =>
    column.compared.changed?.some((file) => file.path === path) === true;
  const read = useQueries({
    queries: columns.map((column) => ({
      ...filePatchQuery({ task, attempt: column.id, path, other: null }),
      enabled: touches(column),
    })),
    combine: (results) => ({
      data: results.map(({ data }) => data),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      isLoading: results.some(({ isLoading }) => isLoading),
    }),
  });
  const cutNote = useCutNote();
  const panes = columns.map((column, index): PaneOf => {
    const answer = read.data[index];
    const patch = readCached(answer?.patch ?? "");
    const note = !touches(column)
      ? t("paneEmpty", { letter: column.letter })
      : patch.isBinary
        ? t("paneBinary")
        : null;
    return { column, note, cut: cutNote(answer?.truncated), patch };
  });
  const key = panes.map(({ patch, note, column }) => `${column.id} ${note} ${patch.hunks.length}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key and the answers stand for the panes.
  const held = useMemo(() => panes, [key, read.data, path]);
  if (read.error !== null)
    return (
      <div className="p-3">
        <ProblemNote error={read.error} />
      </div>
    );
  if (read.isLoading) return <p className="p-3 text-small text-ink-3">{t("loading")}</p>;
  return <Panes {...props} panes={held} />;
}

function PairPane(props: FilePanesProps & { readonly pair: readonly [AttemptColumn, AttemptColumn] }) {
  const { t } = useTranslation("compare");
  const { task, path, pair } = props;
  const [one, other] = pair;
  const { data, error } = useQuery(filePatchQuery({ task, attempt: one.id, path, other: other.id }));
  const cutNote = useCutNote();
  const cut = cutNote(data?.truncated);
  const panes = useMemo(
    (): readonly PaneOf[] =>
      data === undefined ? [] : [{ column: other, note: null, cut, patch: readCached(data.patch) }],
    [data, other, cut],
  );
  if (error !== null)
    return (
      <div className="p-3">
        <ProblemNote error={error} />
      </div>
    );
  if (data === undefined) return <p className="p-3 text-small text-ink-3">{t("loading")}</p>;
  if (data.patch === "")
    return (
      <p className="p-3 text-small text-ink-2">{t("paneSame", { one: one.letter, other: other.letter })}</p>
    );
  return <Panes {...props} panes={panes} taking={null} />;
}

/** A patch that was cut is still shown; the note says how much of it. */
function useCutNote() {
  const { t } = useTranslation("compare");
  const { bytes } = useFormat();
  return (cut: { readonly shown_bytes: number; readonly bytes: number } | undefined) =>
    cut === undefined ? null : t("paneCut", { shown: bytes(cut.shown_bytes), all: bytes(cut.bytes) });
}

const read = new Map<string, ReturnType<typeof readFilePatch>>();
const MAX_READ = 32;

/** Moving between files reads no patch twice. */
function readCached(patch: string): ReturnType<typeof readFilePatch> {
  const known = read.get(patch) ?? readFilePatch(patch);
  read.delete(patch);
  read.set(patch, known);
  for (const oldest of read.keys()) if (read.size > MAX_READ) read.delete(oldest);
  return known;
}
