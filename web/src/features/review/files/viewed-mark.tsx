/** The mark that a file was looked at; half of it if the file changed since. */
import { visibleText } from "@contract/text.ts";
import { useWhyNot } from "../../../data/may.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import type { Mark } from "./viewed-marks.ts";

export function ViewedMark(props: {
  readonly path: string;
  readonly mark: Mark;
  readonly withWords?: boolean;
  readonly onChange: (viewed: boolean) => void;
}) {
  const { t } = useTranslation("review");
  const { mark } = props;
  const forbidden = useWhyNot()("markViewed");
  const path = visibleText(props.path);
  const name = t(mark === "changed" ? "changedSince" : "viewedFile", { path });
  return (
    <label
      className={`tick text-small text-ink-2 ${props.withWords === true ? "min-h-6 pointer-coarse:min-h-11" : "-mx-[5px] min-w-6 justify-center pointer-coarse:mx-0 pointer-coarse:min-w-11"}`}
      title={forbidden ?? (mark === "changed" ? name : undefined)}
    >
      <input
        type="checkbox"
        className="size-3.5 flex-none accent-ink-2"
        aria-label={name}
        disabled={forbidden !== null}
        checked={mark === "viewed"}
        ref={(box) => {
          if (box !== null) box.indeterminate = mark === "changed";
        }}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      {props.withWords === true && <span aria-hidden="true">{t("viewed")}</span>}
    </label>
  );
}
