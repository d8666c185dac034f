/** What is left for runs: slots, logins that wait for a limit, money of today, room on the disk. */
import { useQuery } from "@tanstack/react-query";
import { HardDrive } from "lucide-react";
import { capacityQuery } from "../../data/queries.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

/** More slots than these are a number alone. */
const MOST_CELLS = 16;

export function CapacityStrip() {
  const { t } = useTranslation("fleet");
  const { clock, cost, bytes } = useFormat();
  const { data } = useQuery(capacityQuery);
  if (data === undefined) return <div className="h-9 border-b border-line" />;
  const { slots, logins, spent_today_usd: spent, budget_usd: budget, disk } = data;
  const isLow = disk.free_bytes < disk.floor_bytes * 2;
  return (
    <div className="flex h-9 items-center gap-6 overflow-x-auto border-b border-line px-3 text-small whitespace-nowrap text-ink-2">
      <span className="flex items-center gap-2">
        {t("slots")} <Slots used={slots.used} limit={slots.limit} />
        <span className="font-medium text-ink tabular-nums">{t("slotsOf", slots)}</span>
      </span>
      {logins.map(({ login, resume_at }) => (
        <span key={login} title={login} className="flex items-center gap-2">
          <bdi>{agentOf(login)}</bdi>
          <span aria-hidden="true" className="keeps-colours h-[5px] w-13 rounded-full bg-needs-fill" />
          <span className="font-medium text-needs-ink tabular-nums">
            {t("limitedUntil", { time: clock(resume_at) })}
          </span>
        </span>
      ))}
      {spent > 0 && (
        <span>
          {t("today")} <span className="font-medium text-ink tabular-nums">{cost(spent)}</span>
          {budget !== null && (
            <span className="text-ink-3"> · {t("mostPerRun", { cost: cost(budget) })}</span>
          )}
        </span>
      )}
      <span className={`ml-auto flex items-center gap-1.5 ${isLow ? "text-fail-ink" : ""}`}>
        <HardDrive size={14} aria-hidden="true" />
        {t("free", { bytes: bytes(disk.free_bytes) })}
      </span>
    </div>
  );
}

/** A login is named by its agent, then by where its secrets lie. */
const agentOf = (login: string): string => login.split(":")[0] ?? login;

function Slots({ used, limit }: { readonly used: number; readonly limit: number }) {
  if (limit > MOST_CELLS) return null;
  return (
    <span aria-hidden="true" className="keeps-colours flex gap-px">
      {Array.from({ length: limit }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place.
          key={index}
          className={`h-3 w-1.5 rounded-[2px] ${index < used ? "bg-work-fill" : "shadow-[inset_0_0_0_1px_var(--line-strong)]"}`}
        />
      ))}
    </span>
  );
}
