/** Reads the patch of one file in each attempt, and lines the patches up in panes. */
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useFormat } from "../../../i18n/format.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { type FilePatch, type PatchAnswer, readPatch } from "../../diff/patch/read-patch.ts";
import { ignoringSpace } from "../../diff/patch/rows.ts";
import { patchQuery } from "../../diff/patch/source.ts";
import type { AttemptColumn } from "../columns.ts";
import type { FilePanesProps } from "./file-panes.tsx";
import Panes, { type PaneOf } from "./panes.tsx";

export default function BasePanes(props: FilePanesProps) {
  const { t } = useTranslation("compare");
  const { bytes } = useFormat();
  const { path, columns, hideSpace } = props;
  const read = useQueries({
    queries: columns.map((column) => ({
      ...patchQuery({ attempt: column.id }, path),
      enabled: touches(column, path),
    })),
    combine: (results) => ({
      data: results.map(({ data }) => data),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      isLoading: results.some(({ isLoading }) => isLoading),
    }),
  });
  const panes = useMemo(
    () =>
      columns.map((column, index): PaneOf => {
        const answer = read.data[index];
        const whole = patchOf(answer);
        const patch = hideSpace ? ignoringSpace(whole) : whole;
        const cut = answer?.truncated;
        return {
          column,
          patch,
          note: !touches(column, path)
            ? t("paneEmpty", { letter: column.letter })
            : patch.isBinary
              ? t("paneBinary")
              : null,
          cut:
            cut === undefined ? null : t("paneCut", { shown: bytes(cut.shown_bytes), all: bytes(cut.bytes) }),
        };
      }),
    [columns, read.data, path, t, bytes, hideSpace],
  );
  if (read.error !== null)
    return (
      <div className="p-3">
        <ProblemNote error={read.error} />
      </div>
    );
  if (read.isLoading) return <p className="p-3 text-small text-ink-3">{t("loading")}</p>;
  return <Panes {...props} panes={panes} />;
}

const touches = ({ compared }: AttemptColumn, path: string) =>
  compared.changed?.some((file) => file.path === path) === true;

const read = new WeakMap<PatchAnswer, FilePatch>();
const NOTHING = readPatch({ patch: "" });

/** Moving between files and attempts reads no patch twice. */
function patchOf(answer: PatchAnswer | null | undefined): FilePatch {
  if (answer == null) return NOTHING;
  const known = read.get(answer) ?? readPatch(answer);
  read.set(answer, known);
  return known;
}
