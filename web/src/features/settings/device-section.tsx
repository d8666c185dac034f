/** The choices that are kept for this browser. */
import { useState } from "react";
import { setPreferences, usePreferences } from "../../data/preferences.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Choice, SettingsRow, SettingsSection, Switch } from "./parts.tsx";

const SIZES = ["10", "11", "12", "13", "14", "15", "16"] as const;

export function DeviceSection() {
  const { t } = useTranslation("settings");
  const { t: s } = useTranslation("shell");
  const { language, theme, density, codeSize, singleKeys, keyBar } = usePreferences();
  return (
    <SettingsSection id="device" title={t("device")}>
      <SettingsRow name={s("language")} hint={t("deviceHint")}>
        {(id) => (
          <Choice
            id={id}
            value={language}
            options={[
              { value: "en", words: "English", lang: "en" },
              { value: "ja", words: "日本語", lang: "ja" },
            ]}
            onChange={(value) => setPreferences({ language: value })}
          />
        )}
      </SettingsRow>
      <SettingsRow name={s("theme")}>
        {(id) => (
          <Choice
            id={id}
            value={theme}
            options={[
              { value: "system", words: s("themeSystem") },
              { value: "light", words: s("themeLight") },
              { value: "dark", words: s("themeDark") },
            ]}
            onChange={(value) => setPreferences({ theme: value })}
          />
        )}
      </SettingsRow>
      <SettingsRow name={t("density")}>
        {(id) => (
          <Choice
            id={id}
            value={density}
            options={[
              { value: "compact", words: t("compact") },
              { value: "comfortable", words: t("comfortable") },
            ]}
            onChange={(value) => setPreferences({ density: value })}
          />
        )}
      </SettingsRow>
      <SettingsRow name={t("codeSize")}>
        {(id) => (
          <Choice
            id={id}
            value={String(codeSize)}
            options={SIZES.map((value) => ({ value, words: `${value} px` }))}
            onChange={(value) => setPreferences({ codeSize: Number(value) })}
          />
        )}
      </SettingsRow>
      <SettingsRow name={t("singleKeys")} hint={t("keysHint")}>
        {(id) => (
          <Switch
            id={id}
            name={t("singleKeys")}
            checked={singleKeys}
            onChange={(checked) => setPreferences({ singleKeys: checked })}
          />
        )}
      </SettingsRow>
      <SettingsRow name={t("keyBar")}>
        {(id) => (
          <Switch
            id={id}
            name={t("keyBar")}
            checked={keyBar}
            onChange={(checked) => setPreferences({ keyBar: checked })}
          />
        )}
      </SettingsRow>
      <Notifications />
    </SettingsSection>
  );
}

/** The browser is asked when the person wants them, not before. */
function Notifications() {
  const { t } = useTranslation("settings");
  const { notifications } = usePreferences();
  const [permission, setPermission] = useState(
    "Notification" in globalThis ? Notification.permission : ("none" as const),
  );
  const change = async (wanted: boolean) => {
    if (!wanted || permission === "none") return setPreferences({ notifications: false });
    const given = await Notification.requestPermission();
    setPermission(given);
    setPreferences({ notifications: given === "granted" });
  };
  const hint =
    permission === "none"
      ? "notificationsNone"
      : permission === "denied"
        ? "notificationsDenied"
        : "notificationsHint";
  return (
    <SettingsRow name={t("notifications")} hint={t(hint)}>
      {(id) => (
        <Switch
          id={id}
          name={t("notifications")}
          checked={notifications && permission === "granted"}
          disabled={permission === "none"}
          onChange={(wanted) => void change(wanted)}
        />
      )}
    </SettingsRow>
  );
}
