/** The acts in the bar of the comparison: hide names, the issue, taking from several, review. */
import { Link } from "@tanstack/react-router";
import { FileText, ListChecks } from "lucide-react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { ActionsMenu } from "./actions-menu.tsx";
import type { AttemptColumn } from "./columns.ts";
import type { CompareSearch, SetSearch } from "./compare-search.ts";
import { useCheckAll } from "./use-again.ts";

export function CompareActs(props: {
  readonly columns: readonly AttemptColumn[];
  readonly focused: AttemptColumn;
  readonly isDecided: boolean;
  readonly search: CompareSearch;
  readonly onSearch: SetSearch;
  readonly onIssue: () => void;
  readonly onGoOn: () => void;
}) {
  const { t } = useTranslation("compare");
  const { focused, search, onSearch } = props;
  const isHidden = search.names === "hidden";
  const toggleNames = () => onSearch({ names: isHidden ? undefined : "hidden", attempt: undefined });
  const checkAll = useCheckAll(props.columns);
  return (
    <>
      {!props.isDecided && (
        <button
          type="button"
          role="switch"
          aria-checked={isHidden}
          aria-label={t("hideNames")}
          onClick={toggleNames}
          className="flex items-center gap-2 whitespace-nowrap pointer-coarse:min-h-11 max-lg:hidden"
        >
          <span
            aria-hidden="true"
            className={`keeps-colours relative h-4 w-7 flex-none rounded-full shadow-[inset_0_0_0_1px_var(--line-control)] ${isHidden ? "bg-accent-fill" : "bg-sunken"}`}
          >
            <span
              className={`absolute top-[3px] size-2.5 rounded-full ${isHidden ? "right-[3px] bg-on-accent" : "left-[3px] bg-ink-3"}`}
            />
          </span>
          <span aria-hidden="true">{t("hideNames")}</span>
          <KeyCap spec="b" />
        </button>
      )}
      {checkAll !== null && (
        <Button
          className="max-xl:hidden"
          icon={<ListChecks size={14} aria-hidden="true" />}
          onClick={checkAll}
        >
          {t("checksAll")}
        </Button>
      )}
      <Button
        className="max-md:hidden"
        icon={<FileText size={14} aria-hidden="true" />}
        onClick={props.onIssue}
      >
        {t("issue")}
      </Button>
      <Link to="/attempts/$id/review" params={{ id: focused.id }} className="button max-sm:hidden">
        {t("reviewOf", { letter: focused.letter })}
        <KeyCap spec="v" />
      </Link>
      <ActionsMenu
        column={focused}
        areNamesHidden={isHidden}
        onNames={props.isDecided ? null : toggleNames}
        onIssue={props.onIssue}
        onTake={() => onSearch({ take: "1", against: undefined })}
        onGoOn={props.onGoOn}
      />
    </>
  );
}
