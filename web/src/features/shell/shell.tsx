/** The frame of every screen: navigation, the screen, the key bar, and the keys that hold everywhere. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { setPreferences, usePreferences } from "../../data/preferences.ts";
import { boardQuery } from "../../data/queries.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { CannotSend } from "../../ui/button.tsx";
import { part } from "../../ui/loaded/part.tsx";
import { undoLast } from "../../ui/toast.tsx";
import { useCards } from "../attempts/use-silence.ts";
import { KeyBar } from "../keys/key-bar.tsx";
import { useKeys } from "../keys/keys.ts";
import { KeysDoor } from "../keys/keys-door.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { useConnection } from "./connection.tsx";
import { openPalette } from "./palette-state.ts";
import { Rail } from "./rail.tsx";
import { useRestLoaded } from "./use-rest-loaded.ts";

const SignedOut = part(async () => {
  const [page] = await Promise.all([import("./signed-out.tsx"), loadWords("engine")]);
  return page.SignedOut;
});

/** `children` stand over every screen, such as the palette. */
export function Shell({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation("shell");
  const { state } = useConnection();
  const { theme, language, density, codeSize } = usePreferences();
  const [areKeysOpen, setKeysOpen] = useState(false);
  useShellKeys(setKeysOpen);
  useEffect(() => {
    document.documentElement.lang = language;
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.density = density;
    document.documentElement.style.setProperty("--code-size", `${codeSize}px`);
  }, [theme, language, density, codeSize]);
  const { data } = useQuery(boardQuery);
  useRestLoaded(data !== undefined);
  const waiting = useCards().filter(({ card }) => card.column === "needs").length;
  if (state === "signed_out") return <SignedOut />;
  return (
    <div className="grid h-dvh min-h-0 grid-cols-[48px_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] max-lg:grid-cols-1 max-lg:grid-rows-[minmax(0,1fr)_auto]">
      <a href="#main" className="skip-link">
        {t("toMain")}
      </a>
      <Rail waiting={waiting} />
      <div className="flex min-h-0 min-w-0 flex-col lg:col-start-2 lg:row-start-1 max-lg:row-start-1">
        <CannotSend value={state === "offline" ? t("cannotSend") : null}>
          <Outlet />
        </CannotSend>
      </div>
      <KeyBar />
      <BottomBar waiting={waiting} />
      <KeysDoor open={areKeysOpen} onClose={() => setKeysOpen(false)} />
      {children}
    </div>
  );
}

function useShellKeys(showKeys: (open: boolean) => void): void {
  const { t } = useTranslation("keys");
  const { t: s } = useTranslation("shell");
  const navigate = useNavigate();
  const router = useRouter();
  const { keyBar } = usePreferences();
  const searchHere = useSearchHere();
  useKeys(
    [
      { spec: "mod+k", words: t("palette"), run: openPalette, whileTyping: true },
      {
        spec: "n",
        asks: "createTask",
        words: t("newTask"),
        run: () => void navigate({ to: "/tasks/new", search: searchHere() }),
      },
      { spec: "g f", words: s("fleet"), run: () => void navigate({ to: "/" }) },
      {
        spec: "g r",
        words: s("review"),
        run: () => void navigate({ to: "/", search: { column: "review" } }),
      },
      { spec: "g a", words: s("activity"), run: () => void navigate({ to: "/activity" }) },
      { spec: "g s", words: s("storage"), run: () => void navigate({ to: "/storage" }) },
      { spec: "g ,", words: s("settings"), run: () => void navigate({ to: "/settings" }) },
      { spec: "z", words: t("undo"), run: () => void undoLast() },
      { spec: "?", words: t("allKeys"), run: () => showKeys(true) },
      {
        spec: "? ?",
        words: t("keyBar"),
        inDialogs: true,
        run: () => {
          setPreferences({ keyBar: !keyBar });
          showKeys(false);
        },
      },
      {
        spec: "escape",
        words: t("back"),
        whileTyping: true,
        inDialogs: true,
        run: () => {
          if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
            document.activeElement.blur();
          // The board is the home: from there a browser would leave the page.
          else if (location.pathname === "/") return;
          else if (router.history.canGoBack()) router.history.back();
          else void navigate({ to: "/" });
        },
      },
    ],
    { isFrame: true },
  );
}

/** A new task begins with the repository of the card that has the focus. */
function useSearchHere(): () => { readonly repository?: string } {
  const client = useQueryClient();
  return () => {
    const id = document.activeElement?.closest<HTMLElement>("[data-task]")?.dataset.task;
    const task = client.getQueryData(boardQuery.queryKey)?.find((each) => each.id === id);
    return task === undefined ? {} : { repository: task.repository.id };
  };
}
