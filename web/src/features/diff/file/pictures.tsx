/** Shows a picture as it was before and as it is now. What the server does not take for a picture is told in words. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { visibleText } from "@contract/text.ts";
import { useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { type DiffSource, pictureAddress } from "../patch/source.ts";

export function Pictures({ file, source }: { readonly file: DiffFile; readonly source: DiffSource }) {
  const { before = null, after = null } = file.sizes ?? {};
  return (
    <div className="diff-pictures">
      {before !== null && <Picture side="old" file={file} source={source} />}
      {after !== null && <Picture side="new" file={file} source={source} />}
    </div>
  );
}

function Picture(props: {
  readonly side: "old" | "new";
  readonly file: DiffFile;
  readonly source: DiffSource;
}) {
  const { side, file, source } = props;
  const { t } = useTranslation("diff");
  const [isBroken, setBroken] = useState(false);
  const words = t(side === "old" ? "pictureBefore" : "pictureNow");
  return (
    <figure>
      <figcaption className="text-fine text-ink-3">{words}</figcaption>
      {isBroken ? (
        <p className="text-small text-ink-2">{t("noPicture")}</p>
      ) : (
        <img
          src={pictureAddress(source, { path: file.path, side })}
          alt={`${visibleText(file.path)}: ${words}`}
          onError={() => setBroken(true)}
        />
      )}
    </figure>
  );
}
