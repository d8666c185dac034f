/** The language and the theme of this device, in the top bar. */
import { Globe, Moon, Sun } from "lucide-react";
import { setPreferences, usePreferences } from "../../data/preferences.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";

export function DeviceChoices() {
  const { t } = useTranslation("shell");
  const { language, theme } = usePreferences();
  return (
    <>
      <Menu
        trigger={<Button kind="quiet" icon={<Globe size={16} />} label={t("language")} />}
        items={[
          {
            words: "English",
            lang: "en",
            isChosen: language === "en",
            run: () => setPreferences({ language: "en" }),
          },
          {
            words: "日本語",
            lang: "ja",
            isChosen: language === "ja",
            run: () => setPreferences({ language: "ja" }),
          },
        ]}
      />
      <Menu
        trigger={
          <Button
            kind="quiet"
            icon={theme === "dark" ? <Moon size={16} /> : <Sun size={16} />}
            label={t("theme")}
          />
        }
        items={(["system", "light", "dark"] as const).map((each) => ({
          words: t(THEME_WORDS[each]),
          isChosen: theme === each,
          run: () => setPreferences({ theme: each }),
        }))}
      />
    </>
  );
}

const THEME_WORDS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;
