/** Says why a file shows no lines, and offers to show them if that can be done. */
import { visibleText } from "@contract/text.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import type { Note } from "../bodies.ts";

export function FileNote({ note, onShow }: { readonly note: Note; readonly onShow: () => void }) {
  const { t } = useTranslation("diff");
  if (note.kind === "error") return <ProblemNote error={note.error} />;
  const canShow = note.kind === "big" || note.kind === "lockfile" || note.kind === "long";
  return (
    <p className="flex h-11 items-center gap-3 px-3 text-small text-ink-2">
      <NoteWords note={note} />
      {canShow && (
        <Button size="small" onClick={onShow}>
          {t(note.kind === "lockfile" ? "show" : "loadAnyway")}
        </Button>
      )}
    </p>
  );
}

function NoteWords({ note }: { readonly note: Exclude<Note, { kind: "error" }> }) {
  const { t } = useTranslation("diff");
  const { number, bytes } = useFormat();
  switch (note.kind) {
    case "big":
    case "lockfile":
      return t(note.kind, { count: note.lines, lines: number(note.lines) });
    case "binary": {
      const [before, after] = [note.sizes?.before ?? null, note.sizes?.after ?? null];
      if (before !== null && after !== null)
        return t("binaryChanged", { before: bytes(before), after: bytes(after) });
      if (after !== null) return t("binaryNew", { after: bytes(after) });
      return before === null ? t("binary") : t("binaryGone", { before: bytes(before) });
    }
    case "long":
      return t("long", { bytes: bytes(note.bytes) });
    case "onlyMode":
      return t("onlyMode", { from: note.from, to: note.to });
    case "onlyName":
      return t("onlyName", { from: visibleText(note.from) });
    default:
      return t(note.kind);
  }
}
