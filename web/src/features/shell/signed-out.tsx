/** What a browser that is not signed in sees: how to get a link, and a box for a code. */
import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProviderWay } from "../people/provider-way.tsx";
import { typedCode } from "./typed-code.ts";

export function SignedOut() {
  const { t } = useTranslation("people");
  const [code, setCode] = useState("");
  return (
    <main className="m-auto flex h-full max-w-md flex-col items-start justify-center gap-3 p-6">
      <h1 className="text-title">{t("signInTitle")}</h1>
      <ProviderWay />
      <p>{t("signInText")}</p>
      <pre className="rounded-control bg-sunken px-3 py-2">
        <code>tazuna open</code>
      </pre>
      <p>{t("signInThen")}</p>
      <form
        className="flex w-full flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const plain = typedCode(code);
          if (plain !== "") location.assign(`/sign-in?code=${plain}`);
        }}
      >
        <label className="flex min-w-0 flex-1 basis-52 flex-col gap-1">
          <span className="text-small text-ink-2">{t("signInCode")}</span>
          <input
            className="field h-11! font-mono text-title"
            autoCapitalize="characters"
            autoComplete="one-time-code"
            spellCheck={false}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
        <Button kind="primary" size="touch" type="submit">
          {t("signIn")}
        </Button>
      </form>
    </main>
  );
}
