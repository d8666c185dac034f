/** Every key with what it does: a person chooses another, switches it off, or takes the first one back. */
import { type ReactNode, useState } from "react";
import { KEY_SPECS, KEYS, type KeySpec } from "../../data/keys/key-table.ts";
import { type OwnKeys, refusalOf, withKey } from "../../data/keys/own-keys.ts";
import { setPreferences, usePreferences } from "../../data/preferences.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Caps, KeyCap } from "../../ui/key-cap.tsx";
import { KeyRecorder } from "./key-recorder.tsx";
import { SettingsSection } from "./parts.tsx";

export function KeysSection() {
  const { t } = useTranslation("settings");
  const { ownKeys } = usePreferences();
  const count = Object.keys(ownKeys).length;
  // A table of so many rows is drawn for those who want it.
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <SettingsSection
      id="keys"
      title={t("keys")}
      acts={
        <>
          {count > 0 && (
            <Button size="small" onClick={() => setPreferences({ ownKeys: {} })}>
              {t("resetKeys", { count })}
            </Button>
          )}
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? "hideKeys" : "showKeys")}
          </Button>
        </>
      }
    >
      <p className="border-b border-line px-3.5 py-2 text-small text-ink-2">{t("keysText")}</p>
      {isOpen && <KeyTable own={ownKeys} />}
    </SettingsSection>
  );
}

function KeyTable({ own }: { readonly own: OwnKeys }) {
  const { t } = useTranslation("settings");
  return (
    <table className="table">
      <thead className="max-sm:hidden">
        <tr>
          <th scope="col">{t("colAct")}</th>
          <th scope="col">{t("colWhere")}</th>
          <th scope="col">{t("colKeys")}</th>
          <th scope="col">
            <span className="visually-hidden">{t("change")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {KEY_SPECS.map((spec) => (
          <KeyRow key={spec} spec={spec} own={own} />
        ))}
      </tbody>
    </table>
  );
}

const choose = (own: OwnKeys, spec: KeySpec, key: string | null) =>
  setPreferences({ ownKeys: withKey(own, spec, key) });

function KeyRow({ spec, own }: { readonly spec: KeySpec; readonly own: OwnKeys }) {
  const { t } = useTranslation("settings");
  const name = useActName();
  const [asked, setAsked] = useState<string | null>(null);
  const [isRecording, setRecording] = useState(false);
  const isFixed = "isFixed" in KEYS[spec];
  const isOff = own[spec] === null;
  const record = (key: string | null) => {
    setRecording(false);
    if (key === null) return;
    if (refusalOf(own, spec, key) === null) choose(own, spec, key);
    else setAsked(key);
  };
  return (
    <tr data-act={KEYS[spec].act}>
      <td className="font-medium">
        {name(spec)}
        {asked !== null && (
          <Clash spec={spec} own={own} asked={asked} name={name} onDone={() => setAsked(null)} />
        )}
      </td>
      <td className="text-ink-3 max-sm:hidden">
        <Where spec={spec} />
      </td>
      <td className="whitespace-nowrap">
        {isOff ? <span className="text-ink-3">{t("keyOff")}</span> : <KeyCap spec={spec} />}
        <span className="visually-hidden">{own[spec] ?? spec}</span>
      </td>
      <td>
        <span className="flex justify-end gap-1 max-sm:flex-wrap">
          {isFixed ? (
            <span className="text-fine text-ink-3">{t("keyFixed")}</span>
          ) : isRecording ? (
            <KeyRecorder onKey={record} />
          ) : (
            <RowActs spec={spec} own={own} name={name(spec)} onChange={() => setRecording(true)} />
          )}
        </span>
      </td>
    </tr>
  );
}

function RowActs(props: {
  readonly spec: KeySpec;
  readonly own: OwnKeys;
  readonly name: string;
  readonly onChange: () => void;
}) {
  const { t } = useTranslation("settings");
  const { spec, own, name } = props;
  const forWhat = <span className="visually-hidden">{name}</span>;
  const clash = own[spec] === undefined ? null : refusalOf(own, spec, spec);
  return (
    <>
      {own[spec] !== undefined && (
        <Button
          size="small"
          kind="quiet"
          off={clash === null ? null : t("keyTakenNow")}
          onClick={() => choose(own, spec, spec)}
        >
          {t("resetKey")} {forWhat}
        </Button>
      )}
      {own[spec] !== null && (
        <Button size="small" kind="quiet" onClick={() => choose(own, spec, null)}>
          {t("switchOff")} {forWhat}
        </Button>
      )}
      <Button size="small" onClick={props.onChange}>
        {t("change")} {forWhat}
      </Button>
    </>
  );
}

/** Why the key that was pressed cannot be; if another act has it, that one may give it up. */
function Clash(props: {
  readonly spec: KeySpec;
  readonly own: OwnKeys;
  readonly asked: string;
  readonly name: (spec: KeySpec) => string;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation("settings");
  const { spec, own, asked, name, onDone } = props;
  const refusal = refusalOf(own, spec, asked);
  if (refusal === null) return null;
  const isFree = refusal.kind === "taken" && !("isFixed" in KEYS[refusal.by]);
  const words: ReactNode =
    refusal.kind === "taken"
      ? t("keyTaken", { act: name(refusal.by) })
      : t(refusal.kind === "browser" ? "keyBrowser" : "keyKept");
  return (
    <div role="alert" className="callout family-needs mt-1 flex flex-wrap items-center gap-2">
      <Caps of={asked} /> <span className="min-w-0 flex-1">{words}</span>
      {isFree && (
        <Button
          size="small"
          onClick={() => {
            choose(withKey(own, refusal.by, null), spec, asked);
            onDone();
          }}
        >
          {t("takeKey")}
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={onDone}>
        {t("leaveKey")}
      </Button>
    </div>
  );
}

function Where({ spec }: { readonly spec: KeySpec }) {
  const { t } = useTranslation("settings");
  const { t: s } = useTranslation("shell");
  const { on } = KEYS[spec];
  if (on.length === 0) return s("newTask");
  if (on.length === 7) return t("everywhere");
  return on.map((screen) => s(`screen_${screen}`)).join(t("listComma"));
}

/** Nine keys share an act, each with its number. */
function useActName(): (spec: KeySpec) => string {
  const { t } = useTranslation("keyActs");
  return (spec) => t(KEYS[spec].act, { number: spec.at(-1) ?? "" });
}
