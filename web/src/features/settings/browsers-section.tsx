/** The browsers that are signed in: which there are, and how one of them, or all others, are signed out. */
import type { BrowserDocument } from "@contract/endpoints/access.ts";
import { cleanLine } from "@contract/text.ts";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { useClock } from "../../ui/use-now.ts";
import { SettingsSection } from "./parts.tsx";

const browsersQuery = queryOptions({
  queryKey: ["browsers"],
  queryFn: async () => (await answerOf(api.browsers())).items,
  meta: { renewedBy: ({ kind }) => kind === "browsers.changed" },
});

export function BrowsersSection() {
  const { t } = useTranslation("settings");
  const { t: b } = useTranslation("browsers");
  const { data: browsers, error } = useQuery(browsersQuery);
  const hasOthers = browsers?.some(({ here }) => !here) === true;
  return (
    <SettingsSection id="browsers" title={t("browsers")} acts={hasOthers && <SignOutOthers />}>
      {error !== null && <ProblemNote error={error} />}
      <p className="px-3.5 py-2 text-small text-ink-3">{b("hint")}</p>
      <ul>
        {browsers?.map((browser) => (
          <Row key={browser.id} browser={browser} />
        ))}
      </ul>
    </SettingsSection>
  );
}

function SignOutOthers() {
  const { t } = useTranslation("browsers");
  const client = useQueryClient();
  const twice = useTwoPress(
    () =>
      void answerOf(api.signOutBrowsers()).then(({ items }) => {
        tell({ title: t("othersOut", { count: items.length }) });
        void client.invalidateQueries({ queryKey: browsersQuery.queryKey });
      }, tellProblem),
  );
  return <TwoPressButton size="small" words={t("signOutOthers")} {...twice} />;
}

function Row({ browser }: { readonly browser: BrowserDocument }) {
  const { t } = useTranslation("browsers");
  const { clock, rest } = useFormat();
  const client = useQueryClient();
  const nameId = useId();
  const { id, here, worker, person, created_at: since, last_seen_at: seen, expires_at: ends } = browser;
  const name = cleanLine(browser.user_agent) || t("nameless");
  const signOut = () =>
    answerOf(api.signOutBrowser(id)).then(() => {
      // The page of one that is signed out says how to come back.
      if (here) return location.assign("/");
      tell({ title: t("signedOut", { name }) });
      void client.invalidateQueries({ queryKey: browsersQuery.queryKey });
    }, tellProblem);
  const twice = useTwoPress(() => void signOut());
  const left = useClock((now) => rest(Date.parse(ends) - now));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-small">
      <span className="flex min-w-0 flex-1 basis-44 items-center gap-2">
        <bdi id={nameId} className="font-medium [overflow-wrap:anywhere]">
          {name}
        </bdi>
        {person !== null && <bdi className="text-ink-2">{cleanLine(person)}</bdi>}
        {here && <span className="chip">{t("here")}</span>}
      </span>
      <time dateTime={since} className="w-32 text-ink-2 tabular-nums">
        {t("since", { time: clock(since) })}
      </time>
      <time dateTime={seen} className="w-32 text-ink-3 tabular-nums">
        {here ? "" : t("seen", { time: clock(seen) })}
      </time>
      <time dateTime={ends} className="w-24 text-ink-3 tabular-nums">
        {t("ends", { time: left })}
      </time>
      <TwoPressButton kind="quiet" size="small" words={t("signOut")} aria-describedby={nameId} {...twice} />
      {worker !== null && <span className="w-full text-ink-3">{t("by", { worker: cleanLine(worker) })}</span>}
    </li>
  );
}
