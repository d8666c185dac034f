/** Writes a path from left to right, also if its names are written from right to left: each name stands for itself. */
import { visibleText } from "@contract/text.ts";
import { Fragment } from "react";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;

export function PathText({ path }: { readonly path: string }) {
  const text = visibleText(path);
  if (!RIGHT_TO_LEFT.test(text)) return <bdi dir="ltr">{text}</bdi>;
  const names = text.split("/");
  return (
    <bdi dir="ltr">
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the names of one path never move.
        <Fragment key={index}>
          {index > 0 && "/"}
          <bdi dir="ltr">{name}</bdi>
        </Fragment>
      ))}
    </bdi>
  );
}
