/** The boxes by which files and hunks are taken into a new attempt. */
import { cleanLine } from "@contract/text.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import type { AttemptColumn } from "../columns.ts";
import { type Taking, takeAt } from "./taking.ts";

/** Of a cell that stands for several attempts, the first is taken: they left the same. */
export function TakeFile(props: {
  readonly taking: Taking;
  readonly path: string;
  readonly letters: readonly string[];
  readonly columns: readonly AttemptColumn[];
}) {
  const { t } = useTranslation("compare");
  const { taking, path } = props;
  const column = props.columns.find(({ letter }) => letter === props.letters[0]);
  if (column === undefined) return null;
  const take = takeAt(taking.takes, { attempt: column.id, path });
  return (
    <input
      type="checkbox"
      aria-label={t("takeFile", { path: cleanLine(path), letter: column.letter })}
      checked={take?.hunks === null}
      ref={(box) => {
        if (box !== null) box.indeterminate = take !== undefined && take.hunks !== null;
      }}
      onChange={() => taking.toggleFile(column.id, path)}
      className="accent-(--accent-fill)"
    />
  );
}

export function TakeHunk(props: {
  readonly taking: Taking;
  readonly path: string;
  readonly column: AttemptColumn;
  readonly hunk: number;
}) {
  const { t } = useTranslation("compare");
  const { taking, path, column, hunk } = props;
  const take = takeAt(taking.takes, { attempt: column.id, path });
  return (
    <label className="flex h-[18px] items-center gap-1">
      <input
        type="checkbox"
        aria-label={t("takeHunk", { number: hunk, letter: column.letter })}
        checked={take !== undefined && (take.hunks === null || take.hunks.includes(hunk))}
        onChange={() => taking.toggleHunk({ attempt: column.id, path, hunk })}
        className="size-3 accent-(--accent-fill)"
      />
      <span aria-hidden="true">{t("hunk", { number: hunk })}</span>
    </label>
  );
}
