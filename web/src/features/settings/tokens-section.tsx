/** The access tokens of programs: which there are, a new one that is shown once, and how one is removed. */

import type { AccessTokenDocument } from "@contract/endpoints/access.ts";
import { cleanLine } from "@contract/text.ts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useWhyNot } from "../../data/may.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { useClock } from "../../ui/use-now.ts";
import { Choice, SettingsRow, SettingsSection } from "./parts.tsx";

const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: async () => (await answerOf(api.accessTokens())).items,
  meta: { renewedBy: ({ kind }) => kind === "tokens.changed" },
});

/** `owners` has the addresses of those whose tokens are listed. */
export function TokensSection({ owners }: { readonly owners: ReadonlyMap<string, string> }) {
  const { t } = useTranslation("settings");
  const { data: tokens, error } = useQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  return (
    <SettingsSection
      id="tokens"
      title={t("tokens")}
      acts={
        <Button size="small" aria-expanded={isMaking} onClick={() => setMaking(!isMaking)}>
          {t("makeToken")}
        </Button>
      }
    >
      {error !== null && <ProblemNote error={error} />}
      <p className="px-3.5 py-2 text-small text-ink-3">{t("tokensHint")}</p>
      {isMaking && <NewToken onDone={() => setMaking(false)} />}
      <ul>
        {tokens?.map((token) => (
          <Row key={token.id} token={token} owner={owners.get(token.person ?? "")} />
        ))}
      </ul>
    </SettingsSection>
  );
}

const SCOPES = ["read", "write", "publish", "admin"] as const;
const DAYS = ["7", "30", "90", "366"] as const;

/** The token stays on the screen until the person has copied it. */
function NewToken({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation("settings");
  const client = useQueryClient();
  const whyNot = useWhyNot();
  const scopes = SCOPES.filter((value) => whyNot("addAccessToken", { scope: value }) === null);
  const [name, setName] = useState("");
  const [scope, setScope] = useState<(typeof SCOPES)[number]>("read");
  const [days, setDays] = useState<(typeof DAYS)[number]>("90");
  const make = useMutation({
    mutationFn: () => answerOf(api.addAccessToken({ name: name.trim(), scope, days: Number(days) })),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  if (make.data !== undefined) return <Made token={make.data.token} onDone={onDone} />;
  return (
    <form
      className="border-t border-line"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <SettingsRow name={t("tokenName")} hint={t("tokenNameHint")}>
        {(id) => (
          <input
            id={id}
            className="field w-44! max-sm:h-11"
            value={name}
            required
            maxLength={60}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </SettingsRow>
      <SettingsRow name={t("tokenScope")} hint={t(`may_${scope}`)}>
        {(id) => (
          <Choice
            id={id}
            value={scope}
            options={scopes.map((value) => ({ value, words: value, lang: "en" }))}
            onChange={setScope}
          />
        )}
      </SettingsRow>
      <SettingsRow name={t("tokenDays")}>
        {(id) => (
          <Choice
            id={id}
            value={days}
            options={DAYS.map((value) => ({ value, words: t("days", { count: Number(value) }) }))}
            onChange={setDays}
          />
        )}
      </SettingsRow>
      {make.error !== null && <ProblemNote error={make.error} />}
      <div className="flex justify-end gap-2 px-3.5 py-2">
        <Button size="small" kind="quiet" onClick={onDone}>
          {t("cancel", { ns: "shell" })}
        </Button>
        <Button size="small" kind="primary" type="submit" asks="addAccessToken" busy={make.isPending}>
          {t("makeToken")}
        </Button>
      </div>
    </form>
  );
}

function Made({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const { t } = useTranslation("settings");
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 border-t border-line px-3.5 py-3">
      <span className="min-w-0 flex-1 basis-72">
        <span className="block font-medium">{t("tokenOnce")}</span>
        <CopyText text={token} />
      </span>
      <Button size="small" onClick={onDone}>
        {t("tokenDone")}
      </Button>
    </div>
  );
}

function Row({ token, owner }: { readonly token: AccessTokenDocument; readonly owner: string | undefined }) {
  const { t } = useTranslation("settings");
  const { clock, rest } = useFormat();
  const client = useQueryClient();
  const nameId = useId();
  const { id, name, scope, expires_at: ends, used_at: used } = token;
  const remove = () =>
    answerOf(api.removeAccessToken(id)).then(() => {
      tell({ title: t("tokenRemoved", { name }) });
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    }, tellProblem);
  const twice = useTwoPress(() => void remove());
  const left = useClock((now) => (Date.parse(ends) > now ? rest(Date.parse(ends) - now) : ""));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-small">
      <span id={nameId} className="min-w-0 flex-1 basis-40 font-medium [overflow-wrap:anywhere]">
        {name}
        {owner !== undefined && <bdi className="block font-normal text-ink-3">{cleanLine(owner)}</bdi>}
      </span>
      <code className="w-16">{scope}</code>
      <time dateTime={ends} className={`w-28 ${left === "" ? "text-fail-ink" : "text-ink-2"}`}>
        {left === "" ? t("tokenEnded") : t("tokenEnds", { time: left })}
      </time>
      <span className="w-32 text-ink-3">
        {used === null ? t("tokenUnused") : t("tokenUsed", { time: clock(used) })}
      </span>
      <TwoPressButton
        kind="quiet"
        size="small"
        words={t("removeToken")}
        aria-describedby={nameId}
        {...twice}
      />
    </li>
  );
}
