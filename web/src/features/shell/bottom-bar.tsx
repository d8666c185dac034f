/** The navigation of a small screen, within reach of the thumb. */

import { Link, useNavigate } from "@tanstack/react-router";
import { Bell, Ellipsis, Eye, Plus, SquareKanban } from "lucide-react";
import type { ReactNode } from "react";
import { useWhyNot } from "../../data/may.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Menu } from "../../ui/menu.tsx";

const ITEM =
  "relative flex min-h-12 min-w-14 flex-col items-center justify-center gap-0.5 text-fine text-ink-3 data-[status=active]:text-ink";

export function BottomBar({ waiting }: { readonly waiting: number }) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  const column = (wanted: "needs" | "review", words: string, icon: ReactNode, badge = 0) => (
    <Link
      to="/"
      search={{ column: wanted }}
      activeOptions={{ exact: true, includeSearch: true }}
      className={ITEM}
    >
      {icon}
      {words}
      {badge > 0 && (
        <span className="absolute top-0 left-1/2 min-w-4 rounded-full bg-needs-soft px-1 text-center text-[10px] leading-4 font-semibold text-needs-ink shadow-[0_0_0_1px_var(--needs-fill)]">
          {badge}
        </span>
      )}
    </Link>
  );
  return (
    <nav
      aria-label={t("main")}
      className="flex justify-around border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {column("needs", t("needsYou"), <Bell size={18} />, waiting)}
      <Link to="/" activeOptions={{ exact: true, includeSearch: true }} className={ITEM}>
        <SquareKanban size={18} />
        {t("fleet")}
      </Link>
      {whyNot("createTask") === null && (
        <Link to="/tasks/new" className={ITEM}>
          <Plus size={18} />
          {t("newShort")}
        </Link>
      )}
      {column("review", t("review"), <Eye size={18} />)}
      <Menu
        trigger={
          <button type="button" className={ITEM}>
            <Ellipsis size={18} />
            {t("more")}
          </button>
        }
        items={(["activity", "storage", "settings"] as const).map((place) => ({
          words: t(place),
          run: () => void navigate({ to: `/${place}` }),
        }))}
      />
    </nav>
  );
}
