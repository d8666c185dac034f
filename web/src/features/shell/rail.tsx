/** The main navigation of a wide screen: a rail at the left. */

import { Link } from "@tanstack/react-router";
import { Activity, Archive, Eye, Plus, SlidersHorizontal, SquareKanban } from "lucide-react";
import { useWhyNot } from "../../data/may.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

const LINK =
  "relative grid size-[34px] pointer-coarse:size-11 place-items-center rounded-control text-ink-3 hover:text-ink data-[status=active]:bg-surface data-[status=active]:text-ink data-[status=active]:shadow-[inset_0_0_0_1px_var(--line)]";

/** `waiting` counts what needs a person. */
export function Rail({ waiting }: { readonly waiting: number }) {
  const { t } = useTranslation("shell");
  const whyNot = useWhyNot();
  return (
    <nav
      aria-label={t("main")}
      className="row-span-full flex flex-col items-center gap-0.5 border-r border-line bg-sunken py-2 max-lg:hidden"
    >
      <Mark />
      <Link
        to="/"
        activeOptions={{ exact: true, includeSearch: false }}
        aria-label={waiting === 0 ? t("fleet") : `${t("fleet")}, ${t("needsYou")}: ${waiting}`}
        className={LINK}
      >
        <SquareKanban size={18} />
        {waiting > 0 && (
          <span className="absolute top-0.5 left-[18px] min-w-[15px] rounded-full bg-needs-soft px-[3px] text-center text-[10px] leading-[15px] font-semibold text-needs-ink shadow-[0_0_0_1px_var(--needs-fill)]">
            {waiting}
          </span>
        )}
      </Link>
      {whyNot("createTask") === null && (
        <Link to="/tasks/new" aria-label={t("newTask")} className={LINK}>
          <Plus size={18} />
        </Link>
      )}
      <Link
        to="/"
        search={{ column: "review" }}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-label={t("review")}
        className={LINK}
      >
        <Eye size={18} />
      </Link>
      <Link to="/activity" aria-label={t("activity")} className={LINK}>
        <Activity size={18} />
      </Link>
      <Link to="/storage" aria-label={t("storage")} className={LINK}>
        <Archive size={18} />
      </Link>
      <Link to="/settings" aria-label={t("settings")} className={`${LINK} mt-auto`}>
        <SlidersHorizontal size={18} />
      </Link>
    </nav>
  );
}

/** Three reins, held in one hand. */
function Mark() {
  return (
    <svg
      width={32}
      height={32}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      aria-hidden="true"
      className="mb-2 p-1"
    >
      <path d="M4 4c2 6 5 8 8 8.5M12 3.5v9M20 4c-2 6-5 8-8 8.5M12 16.5v4" />
      <circle cx={12} cy={14.5} r={2} fill="currentColor" stroke="none" />
    </svg>
  );
}
