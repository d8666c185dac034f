/** Who you are here, what you may do, and the way out. The owner of the machine has no such section. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { SettingsSection } from "../settings/parts.tsx";
import { youQuery } from "./people.ts";

export function YouSection() {
  const { t } = useTranslation("people");
  const { data: you } = useQuery(youQuery);
  if (you == null || you.person === null) return null;
  const { email, role } = you.person;
  const leave = () => answerOf(api.leaveBrowser()).then(() => location.assign("/"), tellProblem);
  return (
    <SettingsSection
      id="you"
      title={t("you", { ns: "settings" })}
      acts={
        you.browser && (
          <Button size="small" onClick={() => void leave()}>
            {t("signOut")}
          </Button>
        )
      }
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
        <bdi className="font-medium [overflow-wrap:anywhere]">{cleanLine(email)}</bdi>
        <span className="chip">{t(`role_${role}`)}</span>
        <span className="text-small text-ink-3">{t(`may_${role}`)}</span>
      </p>
    </SettingsSection>
  );
}
