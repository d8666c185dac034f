/** Shows the files of a diff below each other, or on a phone one at a time. */
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from "react";
import { useMedia } from "../../ui/use-media.ts";
import { DiffView, type DiffViewProps } from "./diff-view.tsx";
import type { DiffHandle } from "./handle.ts";

export default function FittingView(props: DiffViewProps) {
  const isPhone = useMedia("(max-width: 639px)");
  return isPhone ? <OneFile {...props} /> : <DiffView {...props} />;
}

function OneFile({ ref, ...props }: DiffViewProps & { readonly ref?: Ref<DiffHandle> }) {
  const { files } = props;
  const [path, setPath] = useState<string | null>(null);
  const inner = useRef<DiffHandle>(null);
  const at = Math.max(
    0,
    files.findIndex((file) => file.path === path),
  );
  const file = files[at];
  const shown = useMemo(() => (file === undefined ? [] : [file]), [file]);
  const show: DiffHandle["show"] = (place) => {
    setPath(place.path);
    inner.current?.show(place);
  };
  const step = (by: 1 | -1) => {
    const next = files[at + by];
    if (next !== undefined) show({ path: next.path });
  };
  useImperativeHandle(ref, () => ({
    moveLine: (by) => inner.current?.moveLine(by),
    moveChange: (by) => inner.current?.moveChange(by),
    moveFile: step,
    show,
    select: () => inner.current?.select(),
    selected: () => inner.current?.selected() ?? null,
    textOf: (place) => inner.current?.textOf(place) ?? null,
  }));
  return <DiffView {...props} ref={inner} files={shown} onSwipe={step} />;
}
