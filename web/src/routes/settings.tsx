/** Settings: agents, repositories, scripts to trust, the configuration, this device, who is signed in, and what is wrong. */

import { useWhyNot } from "../data/may.ts";
import { useKeys } from "../features/keys/keys.ts";
import { ActsSection } from "../features/people/acts-section.tsx";
import { useYou } from "../features/people/people.ts";
import { PeopleSection } from "../features/people/people-section.tsx";
import { SECTION_ASKS } from "../features/people/section-asks.ts";
import { useTeamActs } from "../features/people/team-acts.ts";
import { YouSection } from "../features/people/you-section.tsx";
import { AgentsSection } from "../features/settings/agents-section.tsx";
import { BrowsersSection } from "../features/settings/browsers-section.tsx";
import { ConfigurationSection } from "../features/settings/configuration-section.tsx";
import { DeviceSection } from "../features/settings/device-section.tsx";
import { DevicesSection } from "../features/settings/devices-section.tsx";
import { DoctorSection } from "../features/settings/doctor-section.tsx";
import { KeysSection } from "../features/settings/keys-section.tsx";
import { RepositoriesSection } from "../features/settings/repositories-section.tsx";
import { RulesSection } from "../features/settings/rules-section.tsx";
import { TokensSection } from "../features/settings/tokens-section.tsx";
import { WorkersSection } from "../features/settings/workers-section.tsx";
import { Screen } from "../features/shell/screen.tsx";
import { useTranslation } from "../i18n/use-translation.tsx";

const SECTIONS = [
  "you",
  "device",
  "devices",
  "people",
  "acts",
  "browsers",
  "tokens",
  "agents",
  "workers",
  "repositories",
  "rules",
  "configuration",
  "doctor",
  "keys",
] as const;

export function SettingsRoute() {
  const { t } = useTranslation("settings");
  const { person, people, isTeam, isKnown } = useYou();
  const whyNot = useWhyNot();
  const { isNamed } = useTeamActs({ isAdmin: isKnown && whyNot("teamActs") === null });
  // One person at one machine knows what they did.
  const isTold = isTeam || isNamed;
  const isShown = (section: string) =>
    (SECTION_ASKS[section] === undefined || (isKnown && whyNot(SECTION_ASKS[section]) === null)) &&
    (section !== "you" || person !== null) &&
    (section !== "people" || isTeam) &&
    (section !== "acts" || isTold);
  const { t: k } = useTranslation("keys");
  useKeys([
    {
      spec: "/",
      words: k("filter"),
      inBar: true,
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
    },
  ]);
  return (
    <Screen title={t("settings", { ns: "shell" })}>
      <div className="grid min-h-0 flex-1 lg:grid-cols-[200px_minmax(0,1fr)]">
        <nav aria-label={t("sections")} className="border-r border-line p-3 max-lg:hidden">
          {SECTIONS.filter(isShown).map((section) => (
            <button
              key={section}
              type="button"
              className="block h-7 w-full rounded-control px-2 text-left text-ink-2 hover:bg-hover hover:text-ink"
              onClick={() => document.getElementById(section)?.scrollIntoView()}
            >
              {t(section)}
            </button>
          ))}
        </nav>
        <div className="min-h-0 overflow-auto">
          <div className="flex max-w-[860px] flex-col gap-7 px-7 py-5 max-sm:px-3">
            <YouSection />
            <DeviceSection />
            {isShown("devices") && <DevicesSection />}
            {isShown("people") && <PeopleSection />}
            {isShown("acts") && <ActsSection />}
            {isShown("browsers") && <BrowsersSection />}
            {isShown("tokens") && (
              <TokensSection owners={new Map(people.map(({ id, email }) => [id, email]))} />
            )}
            <AgentsSection />
            <WorkersSection />
            <RepositoriesSection />
            <RulesSection />
            <ConfigurationSection />
            <DoctorSection />
            <KeysSection />
          </div>
        </div>
      </div>
    </Screen>
  );
}
