/** The panels beside the diff of a review: which ones are there, how wide they are, and the tabs of a small screen. */
import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { PanelHandle } from "../../ui/panels/panel-handle.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { useMedia } from "../../ui/use-media.ts";

/** The widths of the panels beside the diff, until a person moves their handles. */
export const WIDTHS = { left: 252, right: 292 };

export function Handles({ files, drafts }: { readonly files: boolean; readonly drafts: boolean }) {
  const { t } = useTranslation("review");
  const label = (panel: string) => t("widthOf", { ns: "shell", panel });
  return (
    <>
      {files && (
        <PanelHandle
          screen="review"
          side="left"
          first={WIDTHS.left}
          label={label(t("files"))}
          className="max-lg:hidden"
        />
      )}
      {drafts && (
        <PanelHandle
          screen="review"
          side="right"
          first={WIDTHS.right}
          label={label(t("drafts"))}
          className="max-xl:hidden"
        />
      )}
    </>
  );
}

export type Panel = "changes" | "files" | "drafts";

export function usePanels() {
  const isRoomy = useMedia("(min-width: 1280px)");
  const [tab, setTab] = useState<Panel>("changes");
  const [files, setFiles] = useState(true);
  const [asked, setAsked] = useState<boolean | null>(null);
  const drafts = asked ?? isRoomy;
  const left = files ? "lg:grid-cols-[var(--left)_minmax(0,1fr)]" : "lg:grid-cols-[minmax(0,1fr)]";
  const both = files
    ? "xl:grid-cols-[var(--left)_minmax(0,1fr)_var(--right)]"
    : "xl:grid-cols-[minmax(0,1fr)_var(--right)]";
  return {
    tab,
    setTab,
    files,
    drafts,
    columns: drafts ? `${left} ${both}` : left,
    toggle: (which: "files" | "drafts") => (which === "files" ? setFiles(!files) : setAsked(!drafts)),
  };
}

export function Tabs(props: {
  readonly tab: Panel;
  readonly drafts: number;
  readonly onTab: (tab: Panel) => void;
}) {
  const { t } = useTranslation("review");
  return (
    <div className="flex border-b border-line px-3 py-1.5 lg:hidden">
      <Segmented
        label={t("parts")}
        value={props.tab}
        options={[
          { value: "changes", words: t("diff", { ns: "diff" }) },
          { value: "files", words: t("files") },
          { value: "drafts", words: t("draftsCount", { count: props.drafts }) },
        ]}
        onChange={props.onTab}
      />
    </div>
  );
}
