/** How much a file changed: its lines, or the bytes of a binary one before and now. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { useFormat } from "../../../i18n/format.ts";
import { LineCounts } from "../../attempts/numbers.tsx";

export function FileCounts({ file: { additions, deletions, sizes } }: { readonly file: DiffFile }) {
  const { bytes } = useFormat();
  if (additions !== null) return <LineCounts additions={additions} deletions={deletions} />;
  const known = [sizes?.before ?? null, sizes?.after ?? null].filter((size) => size !== null);
  if (known.length === 0) return null;
  return <span className="text-ink-3 tabular-nums whitespace-nowrap">{known.map(bytes).join(" → ")}</span>;
}
