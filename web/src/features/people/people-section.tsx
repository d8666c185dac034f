/** Who signed in through the identity provider: their roles, and how somebody is removed. Admins alone see it. */
import type { PersonDocument } from "@contract/endpoints/access.ts";
import { cleanLine } from "@contract/text.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { Choice, SettingsSection } from "../settings/parts.tsx";
import { peopleQuery, youQuery } from "./people.ts";

export function PeopleSection() {
  const { t } = useTranslation("people");
  const { data: people, error } = useQuery(peopleQuery);
  return (
    <SettingsSection id="people" title={t("people", { ns: "settings" })}>
      {error !== null && <ProblemNote error={error} />}
      <p className="px-3.5 py-2 text-small text-ink-3">{t("hint")}</p>
      <ul>
        {people?.map((person) => (
          <Row key={person.id} person={person} />
        ))}
      </ul>
    </SettingsSection>
  );
}

const ROLES = ["viewer", "member", "admin"] as const;

function Row({ person }: { readonly person: PersonDocument }) {
  const { t } = useTranslation("people");
  const { clock } = useFormat();
  const { data: you } = useQuery(youQuery);
  const nameId = useId();
  const email = cleanLine(person.email);
  const isRemoved = person.removed_at !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-small">
      <span className="flex min-w-0 flex-1 basis-52 flex-wrap items-center gap-x-2">
        <bdi id={nameId} className="font-medium [overflow-wrap:anywhere]">
          {email}
        </bdi>
        {you?.person?.id === person.id && <span className="chip">{t("here")}</span>}
        {person.name !== "" && <bdi className="text-ink-2">{cleanLine(person.name)}</bdi>}
        {!person.email_verified && <span className="w-full text-ink-3">{t("notVerified")}</span>}
      </span>
      <time dateTime={person.seen_at} className="w-32 text-ink-3 tabular-nums">
        {t("seen", { time: clock(person.seen_at) })}
      </time>
      {isRemoved ? (
        <Removed person={person} nameId={nameId} />
      ) : (
        <Standing person={person} nameId={nameId} email={email} />
      )}
    </li>
  );
}

function Removed({ person, nameId }: { readonly person: PersonDocument; readonly nameId: string }) {
  const { t } = useTranslation("people");
  const give = useGiveRole(person);
  return (
    <>
      <span className="w-44 text-ink-3">{t("removed")}</span>
      <Button kind="quiet" size="small" aria-describedby={nameId} onClick={() => give("viewer")}>
        {t("letIn")}
      </Button>
    </>
  );
}

function Standing(props: {
  readonly person: PersonDocument;
  readonly nameId: string;
  readonly email: string;
}) {
  const { person, nameId, email } = props;
  const { t } = useTranslation("people");
  const client = useQueryClient();
  const roleId = useId();
  const give = useGiveRole(person);
  const remove = () =>
    answerOf(api.removePerson(person.id)).then(() => {
      tell({ title: t("wasRemoved", { email }) });
      void client.invalidateQueries({ queryKey: peopleQuery.queryKey });
    }, tellProblem);
  const twice = useTwoPress(() => void remove());
  return (
    <>
      <label htmlFor={roleId} className="sr-only">
        {t("roleOf", { email })}
      </label>
      <Choice
        id={roleId}
        value={person.role}
        options={ROLES.map((value) => ({ value, words: t(`role_${value}`) }))}
        onChange={give}
      />
      <TwoPressButton kind="quiet" size="small" words={t("remove")} aria-describedby={nameId} {...twice} />
    </>
  );
}

function useGiveRole({ id, email }: PersonDocument): (role: PersonDocument["role"]) => void {
  const { t } = useTranslation("people");
  const client = useQueryClient();
  return (role) =>
    void answerOf(api.changePerson(id, { role })).then(() => {
      tell({ title: t("changed", { email: cleanLine(email), role: t(`role_${role}`) }) });
      void client.invalidateQueries({ queryKey: peopleQuery.queryKey });
    }, tellProblem);
}
