/** The box that takes a thread or a failed check along in the next run. */
import { useTranslation } from "../../../i18n/use-translation.tsx";
import type { NextRun, Point } from "./next-run.ts";

export function AddToRun({ point, nextRun }: { readonly point: Point; readonly nextRun: NextRun }) {
  const { t } = useTranslation("ship");
  return (
    <label className="tick text-ink-2">
      <input type="checkbox" checked={nextRun.has(point)} onChange={() => nextRun.toggle(point)} />
      {t("addToRun")}
    </label>
  );
}
