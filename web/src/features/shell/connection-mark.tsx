/** Says whether what is shown is live. */

import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { useConnection } from "./connection.tsx";

export function ConnectionMark() {
  const { t } = useTranslation("shell");
  const { clock } = useFormat();
  const { state, since } = useConnection();
  const isLive = state === "live" || state === "starting" || state === "updated";
  const words =
    state === "offline" && since !== null
      ? t("offlineSince", { time: clock(since) })
      : isLive
        ? t("live")
        : t("reconnecting");
  return (
    <span
      className={`flex items-center gap-1.5 text-small whitespace-nowrap ${isLive ? "text-ink-3" : "text-needs-ink"}`}
    >
      <span
        className={`size-2 rounded-full ${isLive ? "bg-ready-fill" : "bg-needs-fill"}`}
        aria-hidden="true"
      />
      {/* A small screen has no room for it: what is not live says so there, too. */}
      <span className={isLive ? "max-sm:sr-only" : ""}>{words}</span>
    </span>
  );
}

/** The ground under the bar while nothing comes from the server. */
export function OfflineStrip() {
  const { t } = useTranslation("shell");
  const { clock } = useFormat();
  const { state, since, server, again } = useConnection();
  if (state === "updated")
    return (
      <Strip
        words={`${t("updatedTitle")}. ${t("updatedText", { page: __VERSION__, server: server ?? "?" })}`}
      >
        <Button size="small" onClick={() => location.reload()}>
          {t("reload")}
        </Button>
      </Strip>
    );
  if (state !== "offline" || since === null) return null;
  return (
    <Strip words={t("offlineText", { time: clock(since) })}>
      <Button size="small" onClick={again}>
        {t("tryNow")}
      </Button>
    </Strip>
  );
}

function Strip({ words, children }: { readonly words: string; readonly children: React.ReactNode }) {
  return (
    <div
      role="alert"
      className="flex items-center gap-3 border-b border-line bg-needs-soft px-3 py-1.5 text-small"
    >
      <span className="min-w-0 flex-1">{words}</span>
      {children}
    </div>
  );
}
